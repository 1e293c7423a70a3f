// Keeps what is typed in this browser a moment after each key, so that a reload or the end of a session costs nothing, and gives it back once.
import { useEffect, useRef } from 'react';
import type { KeptDraft } from '../../shared/drafts/kept-draft.ts';
import { useShelf } from '../../shared/drafts/use-shelf.ts';
import type { Draft } from './draft.ts';

/** Long enough that a key is not felt, even with megabytes of HTML. */
const pauseMs = 400;

interface KeptDraftOptions {
  /** What is kept of this email. */
  id: string;
  changes: Partial<Draft> | undefined;
  etag: string | null;
  onFound: (kept: KeptDraft<Partial<Draft>>) => void;
}

export function useKeptDraft({ id, changes, etag, onFound }: KeptDraftOptions): { forget: () => void } {
  const shelf = useShelf<Partial<Draft>>(`email:${id}`);
  const found = useRef(onFound);
  found.current = onFound;
  const hasLooked = useRef(false);
  const waiting = useRef<() => void>(undefined);

  useEffect(() => {
    if (!shelf.isKnown || hasLooked.current) return;
    hasLooked.current = true;
    const kept = shelf.find();
    if (kept) found.current(kept);
  }, [shelf]);

  useEffect(() => {
    // What is there is looked at first: it must not be written over by a page that has just opened.
    if (!hasLooked.current) return;
    const write = () => {
      waiting.current = undefined;
      if (changes) shelf.keep(changes, etag);
      else shelf.forget();
    };
    waiting.current = write;
    const timer = setTimeout(write, pauseMs);
    return () => clearTimeout(timer);
  }, [shelf, changes, etag]);

  // The page may go at any time: what waits is written then.
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

  return {
    forget: () => {
      waiting.current = undefined;
      shelf.forget();
    },
  };
}
