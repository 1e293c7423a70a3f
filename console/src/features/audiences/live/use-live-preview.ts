import { useDebouncedValue } from '@mantine/hooks';
import { explainFilter, previewFilter } from '@rapport/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';
import { dataOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { type FilterJson, faultsOf, type Mark } from '../builder/filter-builder.tsx';

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
  return { ...query, data: last.current, faults, isBehind: query.isFetching || text !== JSON.stringify(filter) };
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
