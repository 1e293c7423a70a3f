// biome-ignore-all lint/a11y/noRedundantRoles: as cards, with display: block, the parts of a table would lose their roles
// The one table of the console. Rows are 44 px, are links as a whole if `href` is given, are sorted by their headings and can be selected. On a
// phone they are cards. A page of rows comes from a query; a window over very many from `useRowWindow`.
import { VisuallyHidden } from '@mantine/core';
import type { Page } from '@rapport/client';
import { keepPreviousData, type UseQueryResult } from '@tanstack/react-query';
import { useRef } from 'react';
import { t } from '../../texts/shared.ts';
import { ErrorState } from '../error-state.tsx';
import { sortRows } from './column.ts';
import classes from './data-table.module.css';
import { Paging, RowCount } from './paging.tsx';
import { SkeletonBody } from './skeleton-body.tsx';
import { TableBody } from './table-body.tsx';
import { TableHead } from './table-head.tsx';
import type { TableProps } from './table-props.ts';
import type { RowWindow } from './use-row-window.ts';
import { VirtualBody } from './virtual-body.tsx';

/** The rows of the previous page stay until the next ones have loaded. */
export const pagedQuery = { placeholderData: keepPreviousData };

/** All that there are, or as many as were asked for. */
type AllRows<Row> = Pick<
  UseQueryResult<readonly Row[], Error>,
  'data' | 'error' | 'isPending' | 'isPlaceholderData'
> & {
  refetch: () => unknown;
};

type Source<Row> =
  | {
      query: UseQueryResult<Page<Row>, Error>;
      onPage: (pageNumber: number) => void;
      rows?: never;
      window?: never;
      isCounted?: never;
    }
  /** `isCounted`: how many they are stands below them. */
  | { rows: AllRows<Row>; isCounted?: boolean; query?: never; onPage?: never; window?: never }
  | { window: RowWindow<Row>; query?: never; onPage?: never; rows?: never; isCounted?: never };

export function DataTable<Row>(props: TableProps<Row> & Source<Row>) {
  const top = useRef<HTMLDivElement>(null);
  const source = sourceOf(props);
  if (source.error && !source.hasRows)
    return (
      <div className={classes.card}>
        <ErrorState error={source.error} onRetry={source.retry} />
      </div>
    );
  if (source.total === 0 && !source.isPending) return <div className={classes.card}>{props.empty}</div>;
  const { query, onPage, window: rowWindow } = props;
  const turn = (pageNumber: number) => {
    onPage?.(pageNumber);
    top.current?.scrollIntoView({ block: 'nearest' });
    window.scrollTo({ top: 0 });
  };
  return (
    <>
      {source.error && <ErrorState error={source.error} onRetry={source.retry} compact />}
      <div className={classes.card} aria-busy={source.isBusy} ref={top}>
        {source.isPending && <VisuallyHidden role="status">{`${t.loading}: ${props.label}`}</VisuallyHidden>}
        <table
          className={classes.table}
          data-dense={props.columns.length > 7 || undefined}
          role="table"
          aria-label={props.label}
          aria-rowcount={rowWindow && !source.isPending ? rowWindow.total + 1 : undefined}
        >
          {/* The same headings before and after, so that users who sort with the keyboard keep their place. */}
          <TableHead {...props} rowKeys={source.rows.map(props.rowKey)} />
          {source.isPending ? (
            <SkeletonBody cells={props.columns.length + (props.picking ? 1 : 0)} />
          ) : rowWindow ? (
            <VirtualBody {...props} window={rowWindow} />
          ) : (
            <TableBody {...props} rows={source.rows} />
          )}
        </table>
      </div>
      {query?.data && <Paging page={query.data} onPage={turn} />}
      {props.isCounted && !source.isPending && <RowCount count={source.total} />}
    </>
  );
}

function sourceOf<Row>(props: TableProps<Row> & Source<Row>) {
  const { query, rows, window: rowWindow, columns, sort } = props;
  if (rowWindow) {
    const { error, isPending, total, retry } = rowWindow;
    return { rows: [], error, isPending, total, retry, isBusy: false, hasRows: total > 0 };
  }
  const asked = query ?? rows;
  const data: readonly Row[] = query ? (query.data?.rows ?? []) : (rows?.data ?? []);
  return {
    rows: rows ? sortRows(data, columns, sort) : data,
    error: asked?.error ?? null,
    isPending: asked?.isPending ?? true,
    total: query ? (query.data?.totalElements ?? 0) : data.length,
    retry: () => void asked?.refetch(),
    isBusy: asked?.isPlaceholderData ?? false,
    hasRows: asked?.data !== undefined,
  };
}
