// One person's unsaved work on an email, from loading to saving, and what happens when somebody else saved first.

import { type Answer, ApiFailure, type Client } from '@rapport/client';
import { getEmail } from '@rapport/contract';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { answerOf, around } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';
import { t } from '../../texts/emails.ts';
import { changedFields, changesOf, type Draft, draftOf, patchOf } from './draft.ts';
import { type Email, fetchEmail, fetchHistory, patchEmail } from './email-api.ts';
import { type FieldErrors, faultsOf, fieldErrorsOf } from './field-errors.ts';
import { useKeptDraft } from './use-kept-draft.ts';

export type SaveState = 'untouched' | 'saving' | 'saved' | 'failed';

/** What somebody else saved meanwhile; `by` is null where nobody knows who. */
export interface Theirs {
  answer: Answer<Email>;
  by: string | null;
}

export interface DraftWork {
  /** As it is stored, as far as we know. */
  email: Email;
  etag: string | null;
  draft: Draft;
  isDirty: boolean;
  /** The draft was written before this page was opened. */
  isRestored: boolean;
  errors: FieldErrors;
  saveState: SaveState;
  theirs: Theirs | undefined;
  change(changes: Partial<Draft>): void;
  save(): Promise<void>;
  overwrite(): Promise<void>;
  takeTheirs(): void;
  keepEditing(): void;
  /** Back to what is stored. */
  discard(): Promise<void>;
  /** Something else stored this email as it is now, such as a new name: what is typed stays. */
  adoptStored(answer: Answer<Email>): void;
  /** Nothing is to be kept: the person leaves without it. */
  forget(): void;
}

export function useDraft(loaded: Answer<Email>): DraftWork {
  const api = useApi();
  const queries = useQueryClient();
  const [base, setBase] = useState(loaded);
  const [draft, setDraft] = useState(() => draftOf(loaded.data));
  const [isRestored, setRestored] = useState(false);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [saveState, setSaveState] = useState<SaveState>('untouched');
  const [theirs, setTheirs] = useState<Theirs>();
  const { id } = loaded.data;
  const baseDraft = useMemo(() => draftOf(base.data), [base]);
  const changes = useMemo(() => {
    const changed = changesOf(draft, baseDraft);
    return Object.keys(changed).length > 0 ? changed : undefined;
  }, [draft, baseDraft]);
  const isDirty = changes !== undefined;
  const { forget } = useKeptDraft({
    id,
    changes,
    etag: base.etag,
    onFound: ({ value, base: begunOn }) => {
      const found = { ...baseDraft, ...value };
      if (changedFields(found, baseDraft).length === 0) return;
      setDraft(found);
      setRestored(true);
      // What it was begun on: a save notices what others did since.
      setBase((now) => ({ ...now, etag: begunOn ?? now.etag }));
    },
  });

  const change = useCallback((changed: Partial<Draft>) => {
    setDraft((old) => ({ ...old, ...changed }));
    // A refusal is about what was sent: it goes once that field is another.
    setErrors(({ form: _form, ...old }) =>
      Object.fromEntries(Object.entries(old).filter(([field]) => !(field in changed))),
    );
  }, []);

  const adopt = (answer: Answer<Email>, sent: Draft | undefined) => {
    setBase(answer);
    // Keys pressed while it was being saved stay.
    setDraft((now) => (sent === undefined || now === sent ? draftOf(answer.data) : now));
    setErrors({});
    setTheirs(undefined);
    setRestored(false);
    queries.setQueryData(answerOf(api, getEmail, { params: { id } }).queryKey, answer);
    void refreshAround(queries, api, id);
  };

  /** What is stored is not what this draft began with. */
  const meet = async (current: Answer<Email>) => {
    if (changedFields(draft, draftOf(current.data)).length === 0) {
      // All of it is there: an earlier save whose answer got lost. Nobody needs to decide anything.
      adopt(current, draft);
      setSaveState('saved');
      return;
    }
    setErrors({ form: t.somebodySaved });
    const by = await fetchHistory(api, id, 1, 1).then(
      ({ rows }) => rows[0]?.savedBy?.name ?? null,
      () => null,
    );
    setTheirs({ answer: current, by });
  };

  const saveOver = async (over: Answer<Email>) => {
    if (saveState === 'saving') return;
    const body = patchOf(draft, draftOf(over.data));
    if (Object.keys(body).length === 0) return adopt(over, undefined);
    const faults = faultsOf(draft);
    if (Object.keys(faults).length > 0) {
      setErrors(faults);
      setSaveState('failed');
      return;
    }
    setSaveState('saving');
    try {
      adopt(await patchEmail(api, id, body, over.etag), draft);
      setSaveState('saved');
    } catch (error) {
      setSaveState('failed');
      if (error instanceof ApiFailure && error.status === 412) {
        const current = await fetchEmail(api, id).catch((cause: Error) => setErrors({ form: cause.message }));
        if (current) await meet(current);
      } else setErrors(error instanceof ApiFailure ? fieldErrorsOf(error, draft) : { form: (error as Error).message });
    }
  };

  return {
    email: base.data,
    etag: base.etag,
    ...{ draft, isDirty, isRestored, errors, saveState, theirs, change, forget },
    save: () => saveOver(base),
    overwrite: async () => {
      if (!theirs) return;
      setTheirs(undefined);
      await saveOver(theirs.answer);
    },
    takeTheirs: () => {
      if (theirs) adopt(theirs.answer, undefined);
      setSaveState('untouched');
    },
    keepEditing: () => setTheirs(undefined),
    discard: async () => {
      setSaveState('untouched');
      setErrors({});
      setRestored(false);
      setDraft(baseDraft);
      // It may have been begun on an older save than the one that is shown.
      const stored = await fetchEmail(api, id).catch(() => undefined);
      if (stored) adopt(stored, baseDraft);
    },
    adoptStored: (answer) => {
      setDraft((now) => ({ ...draftOf(answer.data), ...changesOf(now, baseDraft) }));
      setBase(answer);
      queries.setQueryData(answerOf(api, getEmail, { params: { id } }).queryKey, answer);
      void refreshAround(queries, api, id);
    },
  };
}

/** Lists, history and figures, but not the email itself: that is what somebody edits. */
function refreshAround(queries: QueryClient, api: Client, id: string): Promise<void> {
  return queries.invalidateQueries(around('emails', answerOf(api, getEmail, { params: { id } })));
}
