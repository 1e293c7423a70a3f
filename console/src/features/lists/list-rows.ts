// Lists of both kinds as one kind of row.
import { type DataValue, listDynamicListStates, listLists } from '@rapport/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { rowsOf } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';

type Answered = DataValue<typeof listLists>;
export type ListState = DataValue<typeof listDynamicListStates>;
type ListType = Answered['type'];

export interface ListRow {
  id: string;
  type: ListType;
  name: string;
  folderId: string | null;
  updatedAt: string | null;
  /** The size of a static list; that of a dynamic one is in its state. */
  members: number | null;
}

function rowOf(list: Answered): ListRow {
  const { type, updatedAt } = list;
  const folderId = list.directoryId ?? null;
  return list.type === 'static'
    ? { type, id: list.staticListId, name: list.name, folderId, updatedAt, members: list.numRecords }
    : { type, id: list.dynamicListId ?? '', name: list.name ?? '', folderId, updatedAt, members: null };
}

export function hrefOf({ type, id }: ListRow): string {
  return `/lists/${type}/${id}`;
}

/** All of them: lists are created by people, and fit on a page. */
export function useLists(type: ListType | undefined, search: string | undefined, folderId: string | undefined) {
  const api = useApi();
  return useQuery({
    ...rowsOf(api, listLists, { query: { type, search, pageSize: 200 } }),
    select: (lists) => lists.map(rowOf).filter((row) => folderId === undefined || row.folderId === folderId),
    placeholderData: keepPreviousData,
  });
}

const whileBuildingMs = 2_000;
const otherwiseMs = 15_000;

/** The size and freshness of dynamic lists, by id. */
export function useListStates(): ReadonlyMap<string, ListState> {
  const api = useApi();
  const { data } = useQuery({
    ...rowsOf(api, listDynamicListStates, { query: { pageSize: 200 } }),
    refetchInterval: ({ state }) =>
      state.data?.some((list) => list.state === 'building') ? whileBuildingMs : otherwiseMs,
  });
  return new Map(data?.map((state) => [state.dynamicListId, state]));
}
