import { Button, Checkbox, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'wouter';
import { useRights } from '../../../api/session/rights.ts';
import { Card } from '../../../shared/card.tsx';
import { DownloadButton } from '../../../shared/download-button.tsx';
import { ErrorState } from '../../../shared/error-state.tsx';
import { Fault } from '../../../shared/form/dialog-buttons.tsx';
import { LoadingState } from '../../../shared/loading-state.tsx';
import { t } from '../../../texts/import-failed.ts';
import type { ContactImport } from '../import-api.ts';
import { type CellFault, planAt, shownColumns } from './correction.ts';
import type { FailedRow, FailedRows } from './failed-file.ts';
import classes from './failed-rows-card.module.css';
import { useCorrections, useFailedRows } from './use-failed-rows.ts';

/** The rows that could not be imported: why, and the cells to correct. */
export function FailedRowsCard({ told, fileName }: { told: ContactImport; fileName: string }) {
  const query = useFailedRows(told);
  const { counts, errorsPath } = told;
  if (errorsPath === null) return null;
  const failed = query.data;
  const download = <DownloadButton path={errorsPath} fileName={fileName} label={t.download} />;
  const hint = told.status !== 'DONE' ? t.onceDone : failed === null ? t.onlyDownload : t.correct(counts.FAILED);
  return (
    <Card title={t.title(counts.FAILED)} actions={download} isFlush>
      <Text px="md" pb="md" c="dimmed">
        {failed?.isCut ? t.firstOf(failed.rows.length, counts.FAILED) : hint}
      </Text>
      {query.error && <ErrorState error={query.error} onRetry={() => void query.refetch()} compact />}
      {query.isLoading && <LoadingState label={t.loading} />}
      {failed && <Rows told={told} failed={failed} />}
    </Card>
  );
}

const pageSize = 20;

function Rows({ told, failed }: { told: ContactImport; failed: FailedRows }) {
  const { canWrite } = useRights();
  const corrections = useCorrections(told, failed);
  const [shown, setShown] = useState(pageSize);
  const columns = shownColumns(failed);
  const { chosen, wrong, send } = corrections;
  const canSend = chosen.length > 0 && wrong.size === 0;
  return (
    <>
      <div className={classes.rows}>
        {failed.rows.slice(0, shown).map((each) => (
          <Row
            key={each.row}
            {...{ failed, columns }}
            failedRow={each}
            cells={corrections.cellsOf(each)}
            faults={wrong.get(each.row)}
            isPicked={corrections.isPicked(each)}
            sentIn={corrections.sentIn(each)}
            isLocked={!canWrite || send.isPending}
            onEdit={(at, cell) => corrections.edit(each, at, cell)}
            onPick={(isWanted) => corrections.pick(each, isWanted)}
          />
        ))}
      </div>
      {(canWrite || shown < failed.rows.length) && (
        <div className={classes.foot}>
          {canWrite && (
            <Button disabled={!canSend} loading={send.isPending} onClick={() => send.mutate()}>
              {t.send(chosen.length)}
            </Button>
          )}
          {shown < failed.rows.length && (
            <Button variant="default" onClick={() => setShown(shown + pageSize)}>
              {t.more(Math.min(pageSize, failed.rows.length - shown))}
            </Button>
          )}
          {canWrite && <Text c="dimmed">{wrong.size > 0 ? t.stillWrong(wrong.size) : t.sendHint}</Text>}
          <Fault text={send.error?.message} />
        </div>
      )}
    </>
  );
}

interface RowProps {
  failed: FailedRows;
  failedRow: FailedRow;
  columns: readonly number[];
  cells: readonly string[];
  faults: ReadonlyMap<number, CellFault> | undefined;
  isPicked: boolean;
  sentIn: string | undefined;
  isLocked: boolean;
  onEdit: (at: number, cell: string) => void;
  onPick: (isWanted: boolean) => void;
}

function Row(props: RowProps) {
  const { failed, failedRow, columns, cells, faults, isPicked, sentIn, isLocked, onEdit, onPick } = props;
  const { row } = failedRow;
  const email = columns.find((at) => planAt(failed, at) === 'email');
  const isNobody = email !== undefined && (failedRow.cells[email] ?? '').trim() === '';
  const error = isNobody ? t.noAddress : failedRow.error;
  return (
    <section className={classes.row} aria-label={t.row(row)}>
      <div className={classes.head}>
        <span>
          <strong>{t.row(row)}:</strong> <span className={classes.error}>{error}</span>
        </span>
        {sentIn !== undefined ? (
          <Link href={`/imports/${sentIn}`}>{t.sentAgain}</Link>
        ) : (
          <Checkbox
            label={t.sendAgain}
            aria-label={t.sendRow(row)}
            checked={isPicked}
            disabled={isLocked}
            onChange={(event) => onPick(event.currentTarget.checked)}
          />
        )}
      </div>
      <div className={classes.cells}>
        {columns.map((at) => {
          const fault = faults?.get(at);
          return (
            <TextInput
              key={at}
              label={failed.header[at] || t.unnamed}
              value={cells[at] ?? ''}
              placeholder={planAt(failed, at).endsWith(':date') ? t.datePlaceholder : undefined}
              error={fault && t.faults[fault]}
              readOnly={isLocked}
              onChange={(event) => onEdit(at, event.currentTarget.value)}
            />
          );
        })}
      </div>
    </section>
  );
}
