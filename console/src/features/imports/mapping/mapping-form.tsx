import { Button, Progress, Select, Text } from '@mantine/core';
import { type ReactNode, useMemo, useState } from 'react';
import { useRights } from '../../../api/session/rights.ts';
import { Card } from '../../../shared/card.tsx';
import { ErrorState } from '../../../shared/error-state.tsx';
import { Fault } from '../../../shared/form/dialog-buttons.tsx';
import { Page } from '../../../shared/page.tsx';
import { t } from '../../../texts/imports.ts';
import { CheckCard } from '../check/check-card.tsx';
import { useCheck } from '../check/use-check.ts';
import { otherOrder } from '../dates/date-format.ts';
import type { FileHead } from '../file/read-file.ts';
import { type Beginning, beginMapping, beginnings, bestBeginning } from './begin-mapping.ts';
import { ColumnRow } from './column-row.tsx';
import { ForAllCard } from './for-all-card.tsx';
import { mappingFaults, withChoices } from './mapping.ts';
import classes from './mapping-form.module.css';
import type { ColumnChoice, ForAll, Known, MappedColumn } from './mapping-target.ts';
import { findMapping } from './remembered.ts';
import { type Sending, useImport } from './use-import.ts';

interface MappingFormProps {
  file: Blob;
  /** The earlier choices for its columns. */
  chosen: readonly ColumnChoice[];
  onChoose: (columns: readonly ColumnChoice[]) => void;
  forAll: ForAll;
  onForAll: (forAll: ForAll) => void;
  /** It is being sent. */
  onSent: () => void;
  head: FileHead;
  known: Known;
  above: ReactNode;
  again: ReactNode;
}

/** What each column becomes: guessed, with samples beside it, and changed with one choice. Every row is checked before anything is sent. */
export function MappingForm(props: MappingFormProps) {
  const { file, head, known, above, again, forAll, onForAll, onSent } = props;
  const { columns, choose, beginning, begin, hasLast } = useMapping(props);
  const faults = mappingFaults(columns, forAll);
  const isWrong = faults.all !== undefined || faults.of.some((fault) => fault !== undefined);
  const check = useCheck(file, head, columns, known, !isWrong);
  const checked = check.state === 'done' ? check.checked : undefined;
  const isBroken = checked?.findings.some(({ kind }) => kind === 'longRow') ?? true;
  const isUnvouched = forAll.topicKey !== '' && !forAll.isAgreed;
  const { sending, error, start, stop } = useImport(file, head, known, onSent);
  const send = () => checked && void start(columns, forAll, checked);
  const rows = checked ? ([checked.rows, true] as const) : ([head.rowCount, head.isExact] as const);
  const actions = sending ? (
    <Button variant="default" onClick={stop}>
      {t.cancel}
    </Button>
  ) : (
    <>
      {again}
      <Button disabled={isWrong || isBroken || isUnvouched} onClick={send}>
        {t.importCount(...rows)}
      </Button>
    </>
  );
  const turn = (at: number) => {
    const column = columns[at];
    if (column?.target.kind !== 'property') return;
    const format = otherOrder[column.target.format ?? 'ymd'] ?? 'ymd';
    choose(columns.with(at, { ...column, target: { ...column.target, format, isSure: true } }));
  };
  return (
    <Page title={t.title} lead={file instanceof File ? file.name : t.lead} above={above} actions={actions}>
      {sending && <SendingNotice sending={sending} />}
      {error && <ErrorState error={error} onRetry={send} compact />}
      <Fault text={faults.all && t.faults[faults.all]} />
      <CheckCard check={check} columns={columns} isDisabled={sending !== undefined} onTurn={turn} />
      <Card
        title={t.columns}
        isFlush
        actions={
          <Select
            aria-label={t.mapAs}
            data={beginnings
              .filter((each) => each !== 'last' || hasLast)
              .map((value) => ({ value, label: t.beginnings[value] }))}
            value={beginning}
            allowDeselect={false}
            disabled={sending !== undefined}
            onChange={(next) => next && begin(next as Beginning)}
          />
        }
      >
        <div className={classes.columns}>
          {columns.map((column, at) => (
            <ColumnRow
              // biome-ignore lint/suspicious/noArrayIndexKey: two columns of a file may have the same name
              key={at}
              column={column}
              fault={faults.of[at]}
              known={known}
              isDisabled={sending !== undefined}
              onChange={(target) => choose(columns.with(at, { ...column, target }))}
            />
          ))}
        </div>
      </Card>
      <ForAllCard forAll={forAll} known={known} isDisabled={sending !== undefined} onChange={onForAll} />
    </Page>
  );
}

/** The columns and where they began: earlier choices on this page first, then those for such a file, then a preset, then guesses. */
function useMapping({ head, known, chosen, onChoose }: MappingFormProps) {
  const { me } = useRights();
  const tenantId = me?.workspace.tenantId;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is known may arrive again, and changes nothing about last time
  const last = useMemo(
    () => (tenantId === undefined ? undefined : findMapping(globalThis.localStorage, tenantId, head.header, known)),
    [tenantId, head],
  );
  const [beginning, setBeginning] = useState(() => bestBeginning(head, last));
  const [columns, setColumns] = useState<readonly MappedColumn[]>(() =>
    withChoices(beginMapping(beginning, head, known, last), chosen),
  );
  const choose = (next: readonly MappedColumn[]) => {
    setColumns(next);
    onChoose(next.map(({ name, target }) => ({ name, target })));
  };
  const begin = (next: Beginning) => {
    setBeginning(next);
    choose(beginMapping(next, head, known, last));
  };
  return { columns, choose, beginning, begin, hasLast: last !== undefined };
}

function SendingNotice({ sending }: { sending: Sending }) {
  const share = sending.state === 'reading' ? sending.share * 100 : 100;
  const words = sending.state === 'reading' ? t.reading : t.sending;
  return (
    <Card>
      <Text fw={500} role="status">
        {words}
      </Text>
      <Progress
        value={share}
        aria-label={words}
        my="xs"
        striped={sending.state === 'sending'}
        animated={sending.state === 'sending'}
      />
      <Text c="dimmed">{t.writing}</Text>
    </Card>
  );
}
