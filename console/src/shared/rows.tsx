// A page of rows: the table, its states and the way to the next page, the same everywhere.
import { Button } from '@mantine/core';
import type { Page } from '@rapport/client';
import { keepPreviousData, type UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ErrorState } from './error-state.tsx';
import { LoadingState } from './loading-state.tsx';
import classes from './rows.module.css';

/** The rows of the page before stay until the next ones are here. */
export const pagedQuery = { placeholderData: keepPreviousData };

interface RowsProps<Row> {
  query: UseQueryResult<Page<Row>, Error>;
  label: string;
  columns: { title: string; hidden?: boolean }[];
  row: (row: Row) => ReactNode;
  empty: ReactNode;
  onPage: (pageNumber: number) => void;
}

export function Rows<Row>({ query, label, columns, row, empty, onPage }: RowsProps<Row>) {
  const { data, error, isPending, refetch } = query;
  if (isPending)
    return (
      <div className={classes.card}>
        <LoadingState label={`Loading ${label}`} />
      </div>
    );
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data.totalElements === 0) return <div className={classes.card}>{empty}</div>;
  return (
    <>
      <div className={classes.card} aria-busy={query.isPlaceholderData}>
        {/* The roles are said because as cards, with display: block, a table would lose them. */}
        {/* biome-ignore-start lint/a11y/noRedundantRoles: see above */}
        <table className={classes.table} role="table" aria-label={label}>
          <thead role="rowgroup">
            <tr role="row">
              {columns.map(({ title, hidden }) => (
                <th key={title} scope="col" role="columnheader" aria-label={hidden ? title : undefined}>
                  {hidden ? '' : title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody role="rowgroup">{data.rows.map(row)}</tbody>
        </table>
        {/* biome-ignore-end lint/a11y/noRedundantRoles: see above */}
      </div>
      <Turns page={data} onPage={onPage} />
    </>
  );
}

function Turns({ page, onPage }: { page: Page<unknown>; onPage: (pageNumber: number) => void }) {
  const { pageNumber, pageSize, totalElements, totalPages, rows } = page;
  const first = (pageNumber - 1) * pageSize + 1;
  return (
    <nav className={classes.foot} aria-label="Pages">
      <span className="tabular" role="status">
        {rows.length === 0
          ? `No more rows; ${totalElements} in all`
          : `${first}–${first + rows.length - 1} of ${totalElements}`}
      </span>
      {totalPages > 1 && (
        <div className={classes.turns}>
          <Button
            variant="default"
            size="xs"
            disabled={pageNumber <= 1}
            onClick={() => onPage(Math.min(pageNumber - 1, totalPages))}
          >
            Previous
          </Button>
          <Button
            variant="default"
            size="xs"
            disabled={pageNumber >= totalPages}
            onClick={() => onPage(pageNumber + 1)}
          >
            Next
          </Button>
        </div>
      )}
    </nav>
  );
}
