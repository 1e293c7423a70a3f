// Unsaved work on an email.
import { type Answer, ApiFailure } from '@rapport/client';
import { getEmail } from '@rapport/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { about, answerOf, around } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';
import type { DraftKind, Theirs } from '../../shared/drafts/draft.ts';
import { useDraft } from '../../shared/drafts/use-draft.ts';
import { t } from '../../texts/emails.ts';
import { changedFields, changesOf, type Draft, draftOf, patchOf } from './draft.ts';
import { type Email, fetchEmail, fetchHistory, patchEmail } from './email-api.ts';
import { type FieldErrors, faultsOf, fieldErrorsOf } from './field-errors.ts';

export type EmailTheirs = Theirs<Answer<Email>>;
export type EmailDraft = ReturnType<typeof useEmailDraft>;

const kind: DraftKind<Answer<Email>, Draft, Partial<Draft>> = {
  read: ({ data }) => draftOf(data),
  isSame: (one, other) => changedFields(one, other).length === 0,
  keep: changesOf,
  restore: (changes, stored) => ({ ...stored, ...changes }),
};

export function useEmailDraft(loaded: Answer<Email>) {
  const api = useApi();
  const queries = useQueryClient();
  const { id } = loaded.data;
  const held = answerOf(api, getEmail, { params: { id } });
  const draft = useDraft<Answer<Email>, Draft, Partial<Draft>, FieldErrors>(loaded, `email:${id}`, kind, {
    fetch: () => fetchEmail(api, id),
    send: async (value, over) => {
      const body = patchOf(value, draftOf(over.data));
      return Object.keys(body).length === 0 ? over : patchEmail(api, id, body, over.etag);
    },
    check: (value) => {
      const faults = faultsOf(value);
      return Object.keys(faults).length > 0 ? faults : undefined;
    },
    whoSaved: () =>
      fetchHistory(api, id, 1, 1).then(
        ({ rows }) => rows[0]?.savedBy?.name ?? null,
        () => null,
      ),
    refusalOf: (error, sent) => (error instanceof ApiFailure ? fieldErrorsOf(error, sent) : { form: error.message }),
    conflict: { form: t.somebodySaved },
    onStored: (stored) => {
      queries.setQueryData(held.queryKey, stored);
      // Lists, history and figures, but not the email itself, which is being edited.
      void queries.invalidateQueries(around('emails', held));
      // In how many emails each is used.
      void queries.invalidateQueries(about('blocks'));
    },
  });
  const { base, value, refusal, edit, tell } = draft;
  return {
    ...draft,
    email: base.data,
    etag: base.etag,
    draft: value,
    errors: refusal ? errorsNow(refusal, value) : {},
    change: useCallback((changes: Partial<Draft>) => edit((now) => ({ ...now, ...changes }), 'email'), [edit]),
    /** Another part of the page saved something: typed input stays. */
    adoptStored: useCallback((stored: Answer<Email>) => tell({ type: 'rebase', stored }), [tell]),
  };
}

/** An error is about what was sent: it disappears once that field changes. */
function errorsNow({ sent, why: { form, ...fields } }: { sent: Draft; why: FieldErrors }, now: Draft): FieldErrors {
  const changed = new Set<string>(changedFields(sent, now));
  const errors = Object.fromEntries(Object.entries(fields).filter(([field]) => !changed.has(field)));
  return { ...errors, ...(sent === now && form !== undefined && { form }) };
}
