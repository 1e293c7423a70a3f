import { useDebouncedValue } from '@mantine/hooks';
import { breakDownFilter, explainFilter, previewFilter } from '@rapport/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { dataOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { type Counts, type FilterJson, faultsOf, isEmptyFilter, type Mark } from '../builder/filter-builder.tsx';

// Short enough to feel live, long enough to type a number.
const pauseMs = 250;

/** What a filter matches. The last result stays while the next one is loading, and while the filter has a fault. */
export function useLivePreview(filter: FilterJson) {
  const api = useApi();
  const [text] = useDebouncedValue(JSON.stringify(filter), pauseMs);
  const query = useQuery({
    ...dataOf(api, previewFilter, { query: { filter: text } }),
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  });
  // A refused filter has no result: the previous one stays.
  const last = useRef(query.data);
  last.current = query.data ?? last.current;
  const faults = useMemo(() => faultsOf(query.error), [query.error]);
  const isTyping = text !== JSON.stringify(filter);
  const isBehind = query.isFetching || isTyping;
  return { ...query, data: last.current, faults, isTyping, isBehind, isForEverybody: isEmptyFilter(filter) };
}

/** What each part of the filter does to the count. `isAsked`: the preview of this filter is asked for, too, and has not refused it. */
export function useBreakdown(filter: FilterJson, isAsked: boolean): { counts: Counts | undefined; isRefused: boolean } {
  const api = useApi();
  const text = JSON.stringify(filter);
  const { data, error } = useQuery({
    ...dataOf(api, breakDownFilter, { query: { filter: text } }),
    enabled: isAsked && !isEmptyFilter(filter),
    retry: false,
    staleTime: 30_000,
  });
  const counts = useMemo((): Counts => {
    const { count = 0, isExact = true, nodes } = data ?? {};
    return { count, isExact, nodes: nodes && new Map(nodes.map((node) => [node.path, node])) };
  }, [data]);
  return { counts: error ? undefined : counts, isRefused: error !== null };
}

/** The result of each group and condition for one contact. */
export function useExplained(filter: FilterJson, contactId: string | undefined) {
  const api = useApi();
  const [text] = useDebouncedValue(JSON.stringify(filter), pauseMs);
  const query = useQuery({
    ...dataOf(api, explainFilter, { query: { filter: text, contactId: contactId ?? '' } }),
    enabled: contactId !== undefined,
  });
  const { data } = query;
  const marks = useMemo(
    () => data && new Map(data.nodes.map(({ path, holds, value }): [string, Mark] => [path, { holds, value }])),
    [data],
  );
  return { ...query, marks };
}
