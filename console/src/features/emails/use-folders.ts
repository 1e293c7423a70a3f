import { listFolders } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { allOf } from '../../api.ts';
import { useApi } from '../../session/session.tsx';

/** Folders as choices of a select, by name, and their names by id. */
export function useFolders() {
  const api = useApi();
  const { data = [] } = useQuery({
    queryKey: ['folders'],
    queryFn: () => allOf(api.rows(listFolders)),
    staleTime: 60_000,
  });
  const choices = data
    .map(({ directoryId, directoryName }) => ({ value: directoryId, label: directoryName }))
    .sort((a, b) => a.label.localeCompare(b.label));
  return { choices, nameOf: (id: string | null) => choices.find(({ value }) => value === id)?.label };
}
