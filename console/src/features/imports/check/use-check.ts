import { useEffect, useMemo, useState } from 'react';
import { eachPortion } from '../file/in-turns.ts';
import type { FileHead } from '../file/read-file.ts';
import type { Known, MappedColumn } from '../mapping/mapping-target.ts';
import { type Checked, Checker } from './checker.ts';

export type Check =
  | { state: 'waiting' }
  | { state: 'checking'; share: number }
  | { state: 'done'; checked: Checked }
  | { state: 'failed'; error: Error };

// Typing a key should not read a long file with every letter.
const pauseMs = 250;
// A progress bar that moves more often than this only costs time.
const tellMs = 100;

/** Checks all rows of a file, again whenever its mapping changes. Nothing is sent. `isReady`: the mapping can be used. */
export function useCheck(
  file: Blob,
  head: FileHead,
  columns: readonly MappedColumn[],
  known: Known,
  isReady: boolean,
): Check {
  const [check, setCheck] = useState<Check & { of?: string }>({ state: 'waiting' });
  const lists = [...known.lists].join();
  const mapping = useMemo(() => JSON.stringify([columns.map(({ target }) => target), lists]), [columns, lists]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `mapping` says all that matters of the columns and the lists
  useEffect(() => {
    if (!isReady) return;
    const aborting = new AbortController();
    const { signal } = aborting;
    const begin = async () => {
      const checker = new Checker(columns, known);
      let told = performance.now();
      const onRead = (share: number) => {
        if (performance.now() - told < tellMs) return;
        told = performance.now();
        setCheck({ state: 'checking', share, of: mapping });
      };
      try {
        await eachPortion(file, head, (rows) => checker.take(rows), onRead, signal);
        setCheck({ state: 'done', checked: checker.told(), of: mapping });
      } catch (error) {
        if (!signal.aborted) setCheck({ state: 'failed', error: error as Error, of: mapping });
      }
    };
    const timer = setTimeout(() => void begin(), check.state === 'waiting' ? 0 : pauseMs);
    return () => {
      clearTimeout(timer);
      aborting.abort();
    };
  }, [file, head, mapping, isReady]);
  if (!isReady) return { state: 'waiting' };
  return check.of === mapping ? check : { state: 'checking', share: 0 };
}
