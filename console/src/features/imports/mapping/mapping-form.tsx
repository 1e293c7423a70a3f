import { Button, Progress, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Card } from '../../../shared/card.tsx';
import { ErrorState } from '../../../shared/error-state.tsx';
import { Fault } from '../../../shared/form/dialog-buttons.tsx';
import { Page } from '../../../shared/page.tsx';
import { t } from '../../../texts/imports.ts';
import type { FileHead } from '../file/read-file.ts';
import { ColumnRow } from './column-row.tsx';
import {
  type ColumnChoice,
  guessMapping,
  type Known,
  type MappedColumn,
  mappingFaults,
  withChoices,
} from './mapping.ts';
import classes from './mapping-form.module.css';
import { type Sending, useImport } from './use-import.ts';

interface MappingFormProps {
  file: Blob;
  /** The earlier choices for its columns. */
  chosen: readonly ColumnChoice[];
  onChoose: (columns: readonly ColumnChoice[]) => void;
  /** It is being sent. */
  onSent: () => void;
  head: FileHead;
  known: Known;
  above: ReactNode;
  again: ReactNode;
}

/** What each column becomes: guessed, with samples beside it, and changed with one choice. */
export function MappingForm(props: MappingFormProps) {
  const { file, head, known, above, again, chosen, onChoose, onSent } = props;
  const [columns, setColumns] = useState<readonly MappedColumn[]>(() =>
    withChoices(guessMapping(head.header, head.rows, known), chosen),
  );
  const choose = (next: readonly MappedColumn[]) => {
    setColumns(next);
    onChoose(next.map(({ name, target }) => ({ name, target })));
  };
  const faults = mappingFaults(columns);
  const { sending, error, start, stop } = useImport(file, head, known, onSent);
  const isWrong = faults.all !== undefined || faults.of.some((fault) => fault !== undefined);
  const actions = sending ? (
    <Button variant="default" onClick={stop}>
      {t.cancel}
    </Button>
  ) : (
    <>
      {again}
      <Button disabled={isWrong} onClick={() => void start(columns)}>
        {t.importCount(head.rowCount, head.isExact)}
      </Button>
    </>
  );
  return (
    <Page title={t.title} lead={file instanceof File ? file.name : t.lead} above={above} actions={actions}>
      {sending && <SendingNotice sending={sending} />}
      {error && <ErrorState error={error} onRetry={() => void start(columns)} compact />}
      <Fault text={faults.all && t.faults[faults.all]} />
      <Card title={t.columns} isFlush>
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
    </Page>
  );
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
