// Keeps what is typed in this browser a moment after each key, so that a reload or the end of a session costs nothing, and gives it back once.
import { useEffect, useRef } from 'react';
import { useRights } from '../../session/rights.ts';
import { useSession } from '../../session/session.tsx';
import { drafts, type KeptDraft } from '../../shared/drafts/kept-draft.ts';
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
  const { me } = useRights();
  const { who } = useSession();
  const tenantId = me?.workspace.tenantId ?? who?.workspace.tenantId;
  const name = `email:${id}`;
  const found = useRef(onFound);
  found.current = onFound;
  const hasLooked = useRef(false);
  const waiting = useRef<() => void>(undefined);

  useEffect(() => {
    if (tenantId === undefined || hasLooked.current) return;
    hasLooked.current = true;
    const kept = drafts.find<Partial<Draft>>(tenantId, name);
    if (kept) found.current(kept);
  }, [tenantId, name]);

  useEffect(() => {
    // What is there is looked at first: it must not be written over by a page that has just opened.
    if (tenantId === undefined || !hasLooked.current) return;
    const write = () => {
      waiting.current = undefined;
      if (changes) drafts.keep(tenantId, name, changes, etag);
      else drafts.forget(tenantId, name);
    };
    waiting.current = write;
    const timer = setTimeout(write, pauseMs);
    return () => clearTimeout(timer);
  }, [tenantId, name, changes, etag]);

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
      if (tenantId !== undefined) drafts.forget(tenantId, name);
    },
  };
}
