import { useDebouncedValue } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useApi } from '../../../api/session/session.tsx';
import { type Email, fetchPreview, type Preview } from '../email-api.ts';
import { savedPreviewQuery } from '../email-queries.ts';
import { ownLanguage, storedTexts, type Texts } from '../languages/use-texts.ts';

// Long enough that a word is typed, short enough to feel live.
const pauseMs = 350;

export interface PreviewState {
  result: Preview | undefined;
  /** The last HTML that could be rendered: shown while a draft has an error. */
  html: string | undefined;
  error: Error | undefined;
}

interface PreviewOptions {
  contactId: string | undefined;
  /** Undefined: the email's own. */
  language: string | undefined;
}

/** The email as the contact would get it: the draft if it differs from what is stored. */
export function usePreview(email: Email, draft: Texts, { contactId, language }: PreviewOptions): PreviewState {
  const api = useApi();
  const queries = useQueryClient();
  const isFirst = useRef(true);
  const [state, setState] = useState<PreviewState>({ result: undefined, html: undefined, error: undefined });
  const stored = storedTexts(email, language);
  const isDraft = (['subject', 'preheader', 'html'] as const).some((field) => draft[field] !== stored[field]);
  const [text] = useDebouncedValue(isDraft ? draft : stored, pauseMs);
  const { subject, preheader, html } = text;
  // biome-ignore lint/correctness/useExhaustiveDependencies: shows anew what any user has saved
  useEffect(() => {
    const aborting = new AbortController();
    const hasLanguages = email.languages !== undefined || language !== undefined;
    const asksFor = hasLanguages ? (language ?? ownLanguage) : undefined;
    const wanted = { contactId, language: asksFor, draft: isDraft ? { subject, preheader, html } : undefined };
    // The page fetched the saved one along with the email; later saves are fetched again.
    const staleTime = isFirst.current ? 5_000 : 0;
    isFirst.current = false;
    const asked =
      isDraft || contactId !== undefined || language !== undefined
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
  }, [api, email.id, email.updatedAt, contactId, language, isDraft, subject, preheader, html]);
  return state;
}
