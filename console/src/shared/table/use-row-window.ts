// Very many rows: only the pages near the viewport are loaded, and loaded ones are cached.
import type { Page } from '@rapport/client';
import { type UseQueryOptions, useQueries } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';

export interface RowWindow<Row> {
  total: number;
  isPending: boolean;
  error: Error | null;
  retry: () => void;
  /** Undefined: not loaded yet. */
  rowAt: (index: number) => Row | undefined;
  onRange: (first: number, last: number) => void;
}

/** How a page is fetched: see queries/ask.ts. */
type AskPage<Row> = (pageNumber: number) => UseQueryOptions<Page<Row>>;

export function useRowWindow<Row>(pageSize: number, askPage: AskPage<Row>): RowWindow<Row> {
  const [range, setRange] = useState({ first: 1, last: 1 });
  const pages = Array.from({ length: range.last - range.first + 1 }, (_, at) => range.first + at);
  // The first page has the total, wherever the user is.
  const wanted = pages.includes(1) ? pages : [1, ...pages];
  const answers = useQueries({
    queries: wanted.map((pageNumber) => ({ ...askPage(pageNumber), staleTime: 60_000 })),
  });
  const byPage = useMemo(() => {
    const rows = new Map<number, readonly Row[]>();
    for (const [at, page] of wanted.entries()) {
      const data = answers[at]?.data;
      if (data) rows.set(page, data.rows);
    }
    return rows;
  }, [wanted, answers]);
  const onRange = useCallback(
    (first: number, last: number) => {
      const next = { first: Math.floor(first / pageSize) + 1, last: Math.floor(last / pageSize) + 1 };
      setRange((old) => (old.first === next.first && old.last === next.last ? old : next));
    },
    [pageSize],
  );
  const [head] = answers;
  return {
    total: head?.data?.totalElements ?? 0,
    isPending: head?.isPending ?? true,
    error: answers.find(({ error }) => error)?.error ?? null,
    retry: () => void Promise.all(answers.filter(({ error }) => error).map(({ refetch }) => refetch())),
    rowAt: (index) => byPage.get(Math.floor(index / pageSize) + 1)?.[index % pageSize],
    onRange,
  };
}
