// One person's unsaved work on an email, from loading to saving, and what happens when somebody else saved first.
import { type Answer, ApiFailure } from '@rapport/client';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { useApi } from '../../session/session.tsx';
import { changedFields, type Draft, draftOf, patchOf } from './draft.ts';
import { type Email, fetchEmail, patchEmail } from './email-api.ts';
import { type FieldErrors, fieldErrorsOf } from './field-errors.ts';

export type SaveState = 'untouched' | 'saving' | 'saved' | 'failed';

export interface DraftWork {
  /** As it is stored, as far as we know. */
  email: Email;
  draft: Draft;
  isDirty: boolean;
  errors: FieldErrors;
  saveState: SaveState;
  /** What somebody else saved meanwhile. */
  theirs: Answer<Email> | undefined;
  change(changes: Partial<Draft>): void;
  save(): Promise<void>;
  overwrite(): Promise<void>;
  takeTheirs(): void;
  keepEditing(): void;
}

export function useDraft(loaded: Answer<Email>): DraftWork {
  const api = useApi();
  const queries = useQueryClient();
  const [base, setBase] = useState(loaded);
  const [draft, setDraft] = useState(() => draftOf(loaded.data));
  const [errors, setErrors] = useState<FieldErrors>({});
  const [saveState, setSaveState] = useState<SaveState>('untouched');
  const [theirs, setTheirs] = useState<Answer<Email>>();
  const { id } = loaded.data;
  const baseDraft = useMemo(() => draftOf(base.data), [base]);
  const isDirty = changedFields(draft, baseDraft).length > 0;

  const change = useCallback((changes: Partial<Draft>) => {
    setDraft((old) => ({ ...old, ...changes }));
    // A refusal is about what was sent: it goes once that field is another.
    setErrors(({ form: _form, ...old }) =>
      Object.fromEntries(Object.entries(old).filter(([field]) => !(field in changes))),
    );
  }, []);

  const adopt = (answer: Answer<Email>, sent: Draft | undefined) => {
    setBase(answer);
    // Keys pressed while it was being saved stay.
    setDraft((now) => (sent === undefined || now === sent ? draftOf(answer.data) : now));
    setErrors({});
    setTheirs(undefined);
    void queries.invalidateQueries({ queryKey: ['emails'] });
  };

  /** What is stored is not what this draft began with. */
  const meet = (current: Answer<Email>) => {
    if (changedFields(draft, draftOf(current.data)).length === 0) {
      // All of it is there: an earlier save whose answer got lost. Nobody needs to decide anything.
      adopt(current, draft);
      setSaveState('saved');
      return;
    }
    setErrors({ form: 'Not saved: somebody else saved this email' });
    setTheirs(current);
  };

  const saveOver = async (over: Answer<Email>) => {
    if (saveState === 'saving') return;
    const body = patchOf(draft, draftOf(over.data));
    if (Object.keys(body).length === 0) return adopt(over, undefined);
    setSaveState('saving');
    try {
      adopt(await patchEmail(api, id, body, over.etag), draft);
      setSaveState('saved');
    } catch (error) {
      setSaveState('failed');
      if (error instanceof ApiFailure && error.status === 412) {
        const current = await fetchEmail(api, id).catch((cause: Error) => setErrors({ form: cause.message }));
        if (current) meet(current);
      } else setErrors(error instanceof ApiFailure ? fieldErrorsOf(error) : { form: (error as Error).message });
    }
  };

  return {
    email: base.data,
    draft,
    isDirty,
    errors,
    saveState,
    theirs,
    change,
    save: () => saveOver(base),
    overwrite: async () => {
      if (!theirs) return;
      setTheirs(undefined);
      await saveOver(theirs);
    },
    takeTheirs: () => {
      if (theirs) adopt(theirs, undefined);
      setSaveState('untouched');
    },
    keepEditing: () => setTheirs(undefined),
  };
}
