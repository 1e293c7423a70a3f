import { ApiFailure } from '@rapport/client';
import { useCallback } from 'react';
import { useApi } from '../../api/session/session.tsx';
import type { Rename } from '../../shared/editable-title.tsx';
import { t } from '../../texts/emails.ts';
import { fetchEmail, patchEmail } from './email-api.ts';
import { refusalOf } from './field-errors.ts';
import type { EmailDraft } from './use-email-draft.ts';

/** Saves a new name at once, whatever else is unsaved. */
export function useRename({ email: { id }, isDirty, etag, adoptStored }: EmailDraft): Rename {
  const api = useApi();
  return useCallback(
    async (name) => {
      try {
        // Without unsaved work nothing can be lost, so the newest version is renamed.
        const over = isDirty ? etag : (await fetchEmail(api, id)).etag;
        adoptStored(await patchEmail(api, id, { name }, over));
      } catch (error) {
        const isOld = error instanceof ApiFailure && error.status === 412;
        throw new Error(isOld ? t.somebodySaved : refusalOf(error as Error, { name }));
      }
    },
    [api, id, isDirty, etag, adoptStored],
  );
}
