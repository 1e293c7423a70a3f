// An import before it is sent: pasted rows or a file, and what becomes of the columns.
import { useEffect, useMemo, useState } from 'react';
import { useTyped } from '../../shared/drafts/use-typed.ts';
import { handedOver } from './handed-over.ts';
import { type ColumnChoice, type ForAll, forNobody } from './mapping/mapping-target.ts';

interface ImportDraft {
  pasted: string;
  isPastedUsed: boolean;
  /** There were more pasted rows than can be kept. */
  isTooLong: boolean;
  /** The name of the file that was chosen. */
  fileName: string;
  columns: readonly ColumnChoice[];
  forAll: ForAll;
}

const nothing: ImportDraft = {
  ...{ pasted: '', isPastedUsed: false, isTooLong: false, fileName: '' },
  ...{ columns: [], forAll: forNobody },
};

// A browser stores about 5 million characters for all of Rapport, and writes them with every keystroke.
const longestKept = 300_000;

function keepable(draft: Partial<ImportDraft>): Partial<ImportDraft> {
  if ((draft.pasted?.length ?? 0) <= longestKept) return draft;
  const { pasted: _pasted, isPastedUsed: _isUsed, ...rest } = draft;
  return { ...rest, isTooLong: true };
}

export function useImportDraft() {
  const draft = useTyped('import', nothing, keepable);
  const { pasted, isPastedUsed, isTooLong, fileName, columns, forAll } = draft.values;
  const { set, forget } = draft;
  const [chosen, setChosen] = useState<Blob | undefined>(() => handedOver.take());
  const found = chosen ?? (fileName === '' ? undefined : handedOver.find(fileName));
  const rows = useMemo(() => (isPastedUsed ? new Blob([pasted]) : undefined), [isPastedUsed, pasted]);
  const file = found ?? rows;
  useEffect(() => {
    if (file instanceof File) handedOver.leave(file);
  }, [file]);
  // A file that was dropped on another page is named as soon as it arrives.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the first time
  useEffect(() => {
    if (chosen instanceof File) set({ fileName: chosen.name });
  }, []);
  return {
    file,
    pasted,
    columns,
    forAll,
    /** What the user must provide again: the name of a file, or rows. */
    isGone: file ? undefined : fileName !== '' ? { fileName } : isTooLong && pasted === '' ? {} : undefined,
    isTooLong: pasted.length > longestKept,
    choose: (next: File) => {
      setChosen(next);
      set({ fileName: next.name, isTooLong: false });
    },
    // Read again when the user says so: not with every keystroke, after the first try had no rows.
    paste: (text: string) => set({ pasted: text, isPastedUsed: false, isTooLong: false }),
    usePasted: () => {
      // A file that had no rows.
      setChosen(undefined);
      set({ isPastedUsed: true, fileName: '' });
    },
    setColumns: (next: readonly ColumnChoice[]) => set({ columns: next }),
    setForAll: (next: ForAll) => set({ forAll: next }),
    /** Back to the choice of a file; pasted rows stay where they were pasted. */
    startAgain: () => {
      setChosen(undefined);
      handedOver.leave(undefined);
      set({ isPastedUsed: false, fileName: '', columns: [], forAll: forNobody });
    },
    forget: () => {
      handedOver.leave(undefined);
      forget();
    },
  };
}
