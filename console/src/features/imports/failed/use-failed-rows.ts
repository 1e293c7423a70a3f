import { importContacts } from '@rapport/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { about, composedOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { useTyped } from '../../../shared/drafts/use-typed.ts';
import { useAction } from '../../../shared/form/use-action.ts';
import { useGoOn } from '../../../shared/use-go-on.ts';
import type { ContactImport } from '../import-api.ts';
import { faultsOf, fileOf } from './correction.ts';
import { type FailedRow, type FailedRows, readFailed } from './failed-file.ts';

// As many as people would correct by hand.
const mostRows = 200;

interface Question {
  path: string;
  columns: string | undefined;
}

const failedRows = composedOf('failed rows of an import', async (api, { path, columns }: Question, signal) => {
  const { body } = await api.download(path, { signal });
  return (await readFailed(body, columns, mostRows)) ?? null;
});

/** The failed rows of an import, once it is done; null if they cannot be corrected here. Read once: each reading is in the audit log. */
export function useFailedRows({ errorsPath, columns, status }: ContactImport) {
  const api = useApi();
  return useQuery({
    ...failedRows(api, { path: errorsPath ?? '', columns }),
    enabled: errorsPath !== null && status === 'DONE',
    staleTime: Number.POSITIVE_INFINITY,
  });
}

interface Corrections {
  /** Cells as they were typed, by row. */
  edits: Record<string, readonly string[]>;
  /** Rows to send though nothing in them changed, or not to send though something did. */
  picked: Record<string, boolean>;
  /** The import in which a row was sent again. */
  sent: Record<string, string>;
}

const untouched: Corrections = { edits: {}, picked: {}, sent: {} };

/** Corrections, kept until they are sent; and sending them, as an import of its own. */
export function useCorrections(told: ContactImport, failed: FailedRows) {
  const api = useApi();
  const queries = useQueryClient();
  const goOn = useGoOn();
  const draft = useTyped(`failed-rows:${told.transactionId}`, untouched);
  const { edits, picked, sent } = draft.values;
  const cellsOf = ({ row, cells }: FailedRow) => edits[row] ?? cells;
  const isPicked = ({ row }: FailedRow) => picked[row] ?? edits[row] !== undefined;
  const chosen = failed.rows.filter(isPicked);
  const wrong = new Map(
    chosen.flatMap((each) => {
      const faults = faultsOf(failed, cellsOf(each));
      return faults.size > 0 ? [[each.row, faults] as const] : [];
    }),
  );
  const send = useAction({
    act: async () => {
      const body = new Blob([
        fileOf(
          failed,
          chosen.map((each) => ({ cells: cellsOf(each) })),
        ),
      ]);
      const query = { columns: failed.plan?.join(','), fileName: correctedName(told.fileName) };
      return (await api.call(importContacts, { query, body, contentType: 'text/csv' })).data.transactionId;
    },
    onDone: (transactionId) => {
      const again = Object.fromEntries(chosen.map(({ row }) => [row, transactionId]));
      draft.set({ edits: {}, picked: {}, sent: { ...sent, ...again } });
      void queries.invalidateQueries(about('imports'));
      goOn(`/imports/${transactionId}`);
    },
    isToldInPlace: true,
  });
  return {
    cellsOf,
    isPicked,
    chosen,
    wrong,
    sentIn: ({ row }: FailedRow) => sent[row],
    edit: (each: FailedRow, at: number, cell: string) => {
      const cells = cellsOf(each).with(at, cell);
      const { [each.row]: _before, ...rest } = edits;
      const { [each.row]: _picked, ...others } = picked;
      const isBack = cells.every((text, i) => text === each.cells[i]);
      draft.set({ edits: isBack ? rest : { ...rest, [each.row]: cells }, picked: others });
    },
    pick: (each: FailedRow, isWanted: boolean) => draft.set({ picked: { ...picked, [each.row]: isWanted } }),
    send,
  };
}

/** Named after the source file, so that the two are found together. */
function correctedName(fileName: string | null): string {
  const name = (fileName ?? '').replace(/\.[^.]*$/, '').replace(/(?:-corrected)+$/, '');
  return `${name === '' ? 'rows' : name.slice(0, 200)}-corrected.csv`;
}
