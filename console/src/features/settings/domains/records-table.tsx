import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Breakable } from '../../../shared/breakable.tsx';
import { CopyButton } from '../../../shared/copy-button.tsx';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { domains as t } from '../../../texts/settings-sending.ts';
import classes from './domain-card.module.css';
import { type DnsRecord, isPlaceholder, recordTones } from './domain-words.ts';

/** The records to publish: what each is for, the result of the last check, and its parts to copy. */
export function RecordsTable({ domain, records }: { domain: string; records: readonly DnsRecord[] }) {
  return (
    <RecordTable label={t.recordsOf(domain)} titles={[t.record, t.type, t.name, t.value]}>
      {records.map((record) => (
        <Row key={`${record.purpose} ${record.type} ${record.name}`} record={record} />
      ))}
    </RecordTable>
  );
}

interface RecordTableProps {
  label: string;
  titles: readonly string[];
  /** A row for each record. */
  children: ReactNode;
}

export function RecordTable({ label, titles, children }: RecordTableProps) {
  return (
    <table className={classes.records} aria-label={label}>
      <thead>
        <tr>
          {titles.map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

function Row({ record }: { record: DnsRecord }) {
  const { purpose: kind, state, detail, type, name, value } = record;
  const purpose = t.purposes[kind];
  const isCopied = !isPlaceholder(record);
  return (
    <tr>
      <td>
        <span className={classes.about}>
          <strong>{purpose}</strong>
          <ToneBadge tone={recordTones[state]}>{t.states[state]}</ToneBadge>
        </span>
        <span className={classes.detail}>{detail}</span>
      </td>
      <td className={classes.code} data-label={t.type}>
        {type}
      </td>
      <td data-label={t.name}>
        <RecordPart text={name} copy={isCopied && t.copyName(purpose)} />
      </td>
      <td data-label={t.value}>
        <RecordPart text={value} copy={isCopied && t.copyValue(purpose)} />
      </td>
    </tr>
  );
}

/** Longer than the three lines that are shown of it at first, at least on a phone. */
const isLong = (text: string): boolean => text.length > 120;

/** @param copy What the button that copies it says to screen readers; false: there is none. */
export function RecordPart({ text, copy }: { text: string; copy: string | false }) {
  const [isWhole, whole] = useDisclosure(false);
  return (
    <span className={classes.part}>
      <span className={classes.code} data-whole={isWhole || undefined} title={text}>
        <Breakable text={text} />
      </span>
      <span className={classes.buttons}>
        {copy && <CopyButton text={text} size="compact-xs" aria-label={copy} />}
        {isLong(text) && (
          <Button variant="subtle" size="compact-xs" onClick={whole.toggle} aria-expanded={isWhole}>
            {isWhole ? t.showLess : t.showAll}
          </Button>
        )}
      </span>
    </span>
  );
}
