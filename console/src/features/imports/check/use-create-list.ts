import { createList } from '@rapport/contract';
import { useApi } from '../../../api/session/session.tsx';
import { useAction } from '../../../shared/form/use-action.ts';
import { t } from '../../../texts/import-check.ts';

/** A static list that the file names and that is missing. The check runs again once it is known. */
export function useCreateList() {
  const api = useApi();
  return useAction({
    act: (name: string) => api.call(createList, { body: { name } }),
    refresh: ['lists'],
    said: (_, name) => t.listCreated(name),
    failed: t.listNotCreated,
  });
}
