import { useMutation, useQueryClient } from '@tanstack/react-query';
import { about } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { noticeWithUndo } from '../../../shared/undo-notice.tsx';
import { t } from '../../../texts/contact.ts';
import { changeProperties } from '../contact-api.ts';

interface Saving {
  key: string;
  /** Null removes it. */
  value: unknown;
  /** The value that undo restores. */
  before: unknown;
}

/** Saves one property; resolves once the write is applied. Offers undo, which is a separate change. */
export function useSaveProperty(id: string, onSaved: () => void) {
  const api = useApi();
  const queries = useQueryClient();
  const change = async (properties: Record<string, unknown>) => {
    await changeProperties(api, id, properties);
    await queries.invalidateQueries(about('contacts', id));
  };
  const undo = useMutation({ mutationFn: ({ key, before }: Saving) => change({ [key]: before ?? null }) });
  const saving = useMutation({
    mutationFn: ({ key, value }: Saving) => change({ [key]: value }),
    onSuccess: (_, saved) => {
      onSaved();
      const { key, value } = saved;
      noticeWithUndo(value === null ? t.removed(key) : t.saved(key), () => undo.mutate(saved));
    },
  });
  return {
    isBusy: saving.isPending,
    error: saving.error,
    /** False: it was refused, and `error` says why. */
    save: (wanted: Saving): Promise<boolean> =>
      saving.mutateAsync(wanted).then(
        () => true,
        () => false,
      ),
  };
}
