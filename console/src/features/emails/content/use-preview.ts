import { useDebouncedValue } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '../../../api/session/session.tsx';
import { type Draft, draftOf } from '../draft.ts';
import { type Email, fetchPreview, type Preview } from '../email-api.ts';
import { savedPreviewQuery } from '../email-queries.ts';

// Long enough that a word is typed, short enough to feel live.
const pauseMs = 350;

export interface PreviewState {
  result: Preview | undefined;
  /** The last HTML that could be rendered: shown while a draft has an error. */
  html: string | undefined;
  error: Error | undefined;
}

/** The email as the contact would get it: the draft if it differs from what is stored. */
export function usePreview(email: Email, draft: Draft, contactId: string | undefined): PreviewState {
  const api = useApi();
  const queries = useQueryClient();
  const isFirst = useRef(true);
  const [state, setState] = useState<PreviewState>({ result: undefined, html: undefined, error: undefined });
  const stored = draftOf(email);
  const isDraft = (['subject', 'preheader', 'html'] as const).some((field) => draft[field] !== stored[field]);
  const [text] = useDebouncedValue(isDraft ? draft : stored, pauseMs);
  const { subject, preheader, html } = text;
  // biome-ignore lint/correctness/useExhaustiveDependencies: shows anew what any user has saved
  useEffect(() => {
    const aborting = new AbortController();
    const wanted = { contactId, draft: isDraft ? { subject, preheader, html } : undefined };
    // The page fetched the saved one along with the email; later saves are fetched again.
    const staleTime = isFirst.current ? 5_000 : 0;
    isFirst.current = false;
    const asked =
      isDraft || contactId !== undefined
        ? fetchPreview(api, email.id, wanted, aborting.signal)
        : queries.fetchQuery({ ...savedPreviewQuery(api, email.id), staleTime });
    asked.then(
      (result) => {
        if (aborting.signal.aborted) return;
        const isBroken = result.problems.length > 0 && result.html === '';
        setState((old) => ({ result, html: isBroken ? old.html : result.html, error: undefined }));
      },
      (error: Error) => {
        if (!aborting.signal.aborted) setState((old) => ({ ...old, error }));
      },
    );
    return () => aborting.abort();
  }, [api, email.id, email.updatedAt, contactId, isDraft, subject, preheader, html]);
  return state;
}
