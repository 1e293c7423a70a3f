// A table of a report, a page at a time, with the meanings of its figures below.
import type { Page } from '@rapport/client';
import { type UseQueryOptions, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { EmptyState } from '../../shared/empty-state.tsx';
import type { Column } from '../../shared/table/column.ts';
import { DataTable, pagedQuery } from '../../shared/table/data-table.tsx';
import { Meanings } from './meanings.tsx';

interface Props<Row> {
  page: UseQueryOptions<Page<Row>>;
  onPage: (pageNumber: number) => void;
  label: string;
  columns: Column<Row>[];
  rowKey: (row: Row) => string;
  href?: (row: Row) => string;
  empty: { icon: ReactNode; title: string; text: string };
}

export function ReportTable<Row>({ page, empty, ...table }: Props<Row>) {
  const query = useQuery({ ...page, ...pagedQuery });
  return (
    <>
      <DataTable query={query} {...table} empty={<EmptyState {...empty} />} />
      <Meanings columns={table.columns} />
    </>
  );
}
