import { Breakable } from '../../../shared/breakable.tsx';
import { CopyButton } from '../../../shared/copy-button.tsx';
import { ToneBadge } from '../../../shared/tone-badge.tsx';
import { domains as t } from '../../../texts/settings-sending.ts';
import classes from './domain-card.module.css';
import { type DnsRecord, recordTones } from './domain-words.ts';

/** The records to publish: what each is for, the result of the last check, and its parts to copy. */
export function RecordsTable({ domain, records }: { domain: string; records: readonly DnsRecord[] }) {
  return (
    <table className={classes.records} aria-label={t.recordsOf(domain)}>
      <thead>
        <tr>
          {[t.record, t.type, t.name, t.value].map((title) => (
            <th key={title} scope="col">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <Row key={`${record.purpose} ${record.type} ${record.name}`} record={record} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ record: { purpose: kind, state, detail, type, name, value } }: { record: DnsRecord }) {
  const purpose = t.purposes[kind];
  const part = (text: string, label: string) => (
    <span className={classes.part}>
      <span className={classes.code} title={text}>
        <Breakable text={text} />
      </span>
      <CopyButton text={text} size="compact-xs" flex="none" aria-label={label} />
    </span>
  );
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
      <td data-label={t.name}>{part(name, t.copyName(purpose))}</td>
      <td data-label={t.value}>{part(value, t.copyValue(purpose))}</td>
    </tr>
  );
}
