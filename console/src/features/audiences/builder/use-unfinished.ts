// What is in a builder and not in its filter: conditions that are not finished, and JSON that cannot be read. Kept in this browser, so that a
// reload, the end of a session or a closed dialog costs nothing. It belongs to the filter that it was written beside, and to no other.
import { useEffect, useRef, useState } from 'react';
import { useShelf } from '../../../shared/drafts/use-shelf.ts';
import type { FilterJson } from './model/filter-json.ts';

interface Unfinished {
  /** The filter with all its conditions. */
  whole: FilterJson;
  /** What was written as JSON. */
  text?: string | undefined;
}

interface UnfinishedOptions {
  /** Where the builder stands: each place keeps its own. */
  place: string;
  filter: FilterJson;
  /** Undefined while everything is in the filter. */
  unfinished: Unfinished | undefined;
  onFound: (found: Unfinished) => void;
}

/** Whether it was found from an earlier time, and is still there. */
export function useUnfinished({ place, filter, unfinished, onFound }: UnfinishedOptions): boolean {
  const shelf = useShelf<Unfinished>(`filter:${place}`);
  const [isRestored, setRestored] = useState(false);
  const base = JSON.stringify(filter);
  const text = unfinished && JSON.stringify(unfinished);
  const hasLooked = useRef(false);
  const hasKept = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked for once, as soon as it is known whose it is
  useEffect(() => {
    if (!shelf.isKnown || hasLooked.current) return;
    hasLooked.current = true;
    const kept = shelf.find();
    if (!kept || kept.base !== base || unfinished) return;
    setRestored(true);
    onFound(kept.value);
  }, [shelf]);
  useEffect(() => {
    if (!hasLooked.current) return;
    if (text !== undefined) {
      shelf.keep(JSON.parse(text) as Unfinished, base);
      hasKept.current = true;
    } else if (hasKept.current) {
      shelf.forget();
      setRestored(false);
    }
  }, [shelf, text, base]);
  return isRestored && unfinished !== undefined;
}
