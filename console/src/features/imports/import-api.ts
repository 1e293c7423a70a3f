import { type DataValue, getImport } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';

export type ContactImport = DataValue<typeof getImport>;

const pollMs = 700;

/** One import, polled until its last row is applied. */
export function useImportProgress(transactionId: string) {
  const api = useApi();
  return useQuery({
    ...dataOf(api, getImport, { params: { transactionId } }),
    refetchInterval: ({ state }) => (state.data?.status === 'DONE' ? false : pollMs),
  });
}
