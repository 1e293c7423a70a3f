// What an import is made of until it is sent: rows that were pasted, or a file, and what becomes of the columns.
import { useEffect, useMemo, useState } from 'react';
import { useTyped } from '../../shared/drafts/use-typed.ts';
import { handedOver } from './handed-over.ts';
import type { ColumnChoice } from './mapping/mapping.ts';

interface ImportDraft {
  pasted: string;
  isPastedUsed: boolean;
  /** Pasted rows were more than is kept. */
  isTooLong: boolean;
  /** The name of the file that was chosen. */
  fileName: string;
  columns: readonly ColumnChoice[];
}

const nothing: ImportDraft = { pasted: '', isPastedUsed: false, isTooLong: false, fileName: '', columns: [] };

// A browser keeps some 5 million characters for all of Rapport, and writes them with every key.
const longestKept = 300_000;

function keepable(draft: Partial<ImportDraft>): Partial<ImportDraft> {
  if ((draft.pasted?.length ?? 0) <= longestKept) return draft;
  const { pasted: _pasted, isPastedUsed: _isUsed, ...rest } = draft;
  return { ...rest, isTooLong: true };
}

export function useImportDraft() {
  const draft = useTyped('import', nothing, keepable);
  const { pasted, isPastedUsed, isTooLong, fileName, columns } = draft.values;
  const { set, forget } = draft;
  const [chosen, setChosen] = useState<Blob | undefined>(() => handedOver.take());
  const found = chosen ?? (fileName === '' ? undefined : handedOver.find(fileName));
  const rows = useMemo(() => (isPastedUsed ? new Blob([pasted]) : undefined), [isPastedUsed, pasted]);
  const file = found ?? rows;
  useEffect(() => {
    if (file instanceof File) handedOver.leave(file);
  }, [file]);
  // One that was dropped on another page is named as soon as it is here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first time
  useEffect(() => {
    if (chosen instanceof File) set({ fileName: chosen.name });
  }, []);
  return {
    file,
    pasted,
    columns,
    /** What has to be given once more: the name of a file, or rows. */
    isGone: file ? undefined : fileName !== '' ? { fileName } : isTooLong && pasted === '' ? {} : undefined,
    isTooLong: pasted.length > longestKept,
    choose: (next: File) => {
      setChosen(next);
      set({ fileName: next.name, isTooLong: false });
    },
    // Read again when somebody says so: not with every key, after the first try had no rows.
    paste: (text: string) => set({ pasted: text, isPastedUsed: false, isTooLong: false }),
    usePasted: () => {
      // A file that had no rows.
      setChosen(undefined);
      set({ isPastedUsed: true, fileName: '' });
    },
    setColumns: (next: readonly ColumnChoice[]) => set({ columns: next }),
    /** Back to the choice of a file; pasted rows stay where they were pasted. */
    startAgain: () => {
      setChosen(undefined);
      handedOver.leave(undefined);
      set({ isPastedUsed: false, fileName: '', columns: [] });
    },
    forget: () => {
      handedOver.leave(undefined);
      forget();
    },
  };
}
