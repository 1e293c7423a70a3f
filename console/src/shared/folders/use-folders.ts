import { createFolder } from '@rapport/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { about } from '../../api/ask.ts';
import { allFolders } from '../../api/everything.ts';
import { useApi } from '../../api/session/session.tsx';
import { t } from '../../texts/emails.ts';

/** Folders as options of a select, sorted by name, and their names by id. */
export function useFolders() {
  const api = useApi();
  const queries = useQueryClient();
  const { data = [] } = useQuery(allFolders(api));
  const choices = data
    .map(({ directoryId, directoryName }) => ({ value: directoryId, label: directoryName || t.unnamed }))
    .sort((a, b) => a.label.localeCompare(b.label));
  return {
    choices,
    nameOf: (id: string | null) => choices.find(({ value }) => value === id)?.label,
    create: async (name: string) => {
      const { data: made } = await api.call(createFolder, { body: { name } });
      await queries.invalidateQueries(about('folders'));
      return made.directoryId;
    },
  };
}
