// Keeps unsaved work in this browser a moment after each change, so that a reload or the end of a session loses nothing, and restores it once.
import { useCallback, useEffect, useRef } from 'react';
import type { KeptDraft } from './kept-draft.ts';
import type { useShelf } from './use-shelf.ts';

/** Long enough that typing stays smooth, even with megabytes of HTML. */
const pauseMs = 400;

/** `kept` is undefined while nothing is unsaved; `base` is the save that the work began on. */
export function useKeeping<Kept>(
  shelf: ReturnType<typeof useShelf<Kept>>,
  kept: Kept | undefined,
  base: string | null,
  onFound: (kept: KeptDraft<Kept>) => void,
): { forget: () => void } {
  const found = useRef(onFound);
  found.current = onFound;
  const hasLooked = useRef(false);
  const waiting = useRef<() => void>(undefined);

  useEffect(() => {
    if (!shelf.isKnown || hasLooked.current) return;
    hasLooked.current = true;
    const earlier = shelf.find();
    if (earlier) found.current(earlier);
  }, [shelf]);

  useEffect(() => {
    // Not before it was looked for: a page that has just opened must not overwrite it.
    if (!hasLooked.current) return;
    const write = () => {
      waiting.current = undefined;
      if (kept === undefined) shelf.forget();
      else shelf.keep(kept, base);
    };
    waiting.current = write;
    const timer = setTimeout(write, pauseMs);
    return () => clearTimeout(timer);
  }, [shelf, kept, base]);

  // The page may be closed at any time: pending work is then written.
  useEffect(() => {
    const flush = () => waiting.current?.();
    window.addEventListener('pagehide', flush);
    document.addEventListener('visibilitychange', flush);
    return () => {
      window.removeEventListener('pagehide', flush);
      document.removeEventListener('visibilitychange', flush);
      flush();
    };
  }, []);

  const forget = useCallback(() => {
    waiting.current = undefined;
    shelf.forget();
  }, [shelf]);
  return { forget };
}
