import { type DataValue, getImport } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { keys } from '../../queries/keys.ts';
import { useApi } from '../../session/session.tsx';

export type ContactImport = DataValue<typeof getImport>;

const pollMs = 700;

/** One import, asked for again until its last row is applied. */
export function useImportProgress(transactionId: string) {
  const api = useApi();
  return useQuery({
    queryKey: keys.imports.one(transactionId),
    queryFn: async ({ signal }) => (await api.call(getImport, { params: { transactionId }, signal })).data,
    refetchInterval: ({ state }) => (state.data?.status === 'DONE' ? false : pollMs),
  });
}
