import type { Client } from '@rapport/client';
import { type DataValue, getDynamicList, listPeople, updateDynamicList } from '@rapport/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { allOf } from '../../../api/api.ts';
import { about, dataOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';

export type DynamicList = DataValue<typeof getDynamicList>;

export async function fetchList(api: Client, id: string, signal?: AbortSignal): Promise<DynamicList> {
  return (await api.call(getDynamicList, { params: { id }, signal })).data;
}

/** A list; polled while its members are still being found. */
export function useDynamicList(id: string) {
  const api = useApi();
  return useQuery({
    ...dataOf(api, getDynamicList, { params: { id } }),
    refetchInterval: ({ state }) => (state.data && state.data.state === 'building' ? 1000 : 15_000),
  });
}

type ListChanges = { name?: string; description?: string | null; filter?: unknown };

/** Saves, and refreshes every page that shows lists. */
export function useSaveList(id: string) {
  const api = useApi();
  const queries = useQueryClient();
  return async (body: ListChanges) => {
    const { data } = await api.call(updateDynamicList, { params: { id }, body });
    await Promise.all([about('dynamic-lists'), about('lists')].map((each) => queries.invalidateQueries(each)));
    return data;
  };
}

/** The person with this account; null if they are no longer in the workspace. */
export async function nameOfAccount(api: Client, accountId: number | null): Promise<string | null> {
  const people = await allOf(api.rows(listPeople, { query: { pageSize: 200 } })).catch(() => []);
  return people.find((person) => person.accountId === accountId)?.name ?? null;
}
