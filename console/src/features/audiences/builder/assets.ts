// Things that a condition names by their id: lists, journeys, emails, topics.
import { useDebouncedValue } from '@mantine/hooks';
import type { Client } from '@rapport/client';
import {
  getDynamicList,
  getEmail,
  getJourney,
  getList,
  getTopic,
  listDynamicLists,
  listEmails,
  listJourneys,
  listLists,
  listTopics,
} from '@rapport/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { composedOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { lasting, pauseMs } from './suggestions.ts';

export type AssetKind = 'staticListId' | 'dynamicListId' | 'journeyId' | 'emailId' | 'topic';
interface Named {
  id: string;
  name: string;
}

type Find = (api: Client, search: string, signal: AbortSignal) => Promise<Named[]>;
type Get = (api: Client, id: string, signal: AbortSignal) => Promise<Named>;
const pageSize = 20;

const assets: Record<AssetKind, { find: Find; get: Get }> = {
  staticListId: {
    find: async (api, search, signal) =>
      (await api.page(listLists, { query: { type: 'static', search, pageSize }, signal })).rows.flatMap((row) =>
        row.type === 'static' ? [{ id: row.staticListId, name: row.name }] : [],
      ),
    get: async (api, id, signal) => ({ id, name: (await api.call(getList, { params: { id }, signal })).data.name }),
  },
  dynamicListId: {
    find: async (api, search, signal) =>
      (await api.page(listDynamicLists, { query: { search, pageSize }, signal })).rows.flatMap(
        ({ dynamicListId, name }) =>
          dynamicListId === null ? [] : [{ id: dynamicListId, name: name ?? dynamicListId }],
      ),
    get: async (api, id, signal) => ({
      id,
      name: (await api.call(getDynamicList, { params: { id }, signal })).data.name ?? id,
    }),
  },
  journeyId: {
    find: async (api, search, signal) =>
      (await api.page(listJourneys, { query: { search, pageSize }, signal })).rows.map(({ journeyId, name }) => ({
        id: journeyId,
        name,
      })),
    get: async (api, id, signal) => ({ id, name: (await api.call(getJourney, { params: { id }, signal })).data.name }),
  },
  emailId: {
    find: async (api, search, signal) =>
      (await api.page(listEmails, { query: { search, pageSize }, signal })).rows.map(({ id, name }) => ({ id, name })),
    get: async (api, id, signal) => ({ id, name: (await api.call(getEmail, { params: { id }, signal })).data.name }),
  },
  topic: {
    find: async (api, search, signal) =>
      (await api.page(listTopics, { query: { search, pageSize }, signal })).rows.map(({ topicId, name }) => ({
        id: topicId,
        name,
      })),
    get: async (api, id, signal) => ({
      id,
      name: (await api.call(getTopic, { params: { topicId: id }, signal })).data.name,
    }),
  },
};

const assetsFound = composedOf(
  'choices of assets',
  (api, { kind, search }: { kind: AssetKind; search: string }, signal) => assets[kind].find(api, search, signal),
);
const assetNamed = composedOf('names of assets', (api, { kind, id }: { kind: AssetKind; id: string }, signal) =>
  assets[kind].get(api, id, signal),
);

export function useAssets(kind: AssetKind, search: string, enabled: boolean) {
  const api = useApi();
  const [asked] = useDebouncedValue(search.trim(), pauseMs);
  return useQuery({
    ...assetsFound(api, { kind, search: asked }),
    enabled,
    placeholderData: keepPreviousData,
  });
}

/** The name of one that is chosen already. */
export function useAsset(kind: AssetKind, id: string) {
  const api = useApi();
  return useQuery({
    ...assetNamed(api, { kind, id }),
    enabled: /^[0-9a-f]{24}$/.test(id),
    retry: false,
    staleTime: lasting.staleTime,
  });
}
