import { listContactChanges } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { pageOf } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';
import { EmptyState } from '../../shared/empty-state.tsx';
import { LogIcon } from '../../shared/icons.tsx';
import { Moment } from '../../shared/moment.tsx';
import { propertyText } from '../../shared/property-text.ts';
import type { Column } from '../../shared/table/column.ts';
import { DataTable, pagedQuery } from '../../shared/table/data-table.tsx';
import { usePageParams } from '../../shared/use-page-params.ts';
import { changeSources, t } from '../../texts/contact.ts';
import type { Change } from './contact-api.ts';

export function ChangesTab({ id }: { id: string }) {
  const api = useApi();
  const { pageNumber, setPage } = usePageParams();
  const query = useQuery({
    ...pageOf(api, listContactChanges, { params: { id }, query: { pageNumber } }),
    ...pagedQuery,
  });
  return (
    <DataTable
      label={t.changes}
      query={query}
      onPage={setPage}
      columns={columns}
      rowKey={({ field, changedAt }) => `${changedAt} ${field}`}
      empty={<EmptyState icon={<LogIcon size={20} />} title={t.emptyChanges} text={t.emptyChangesText} />}
    />
  );
}

const columns: Column<Change>[] = [
  { id: 'field', title: t.field, cell: ({ field }) => field },
  { id: 'old', title: t.oldValue, cell: ({ oldValue }) => propertyText(oldValue, t.notSet) },
  { id: 'new', title: t.newValue, cell: ({ newValue }) => propertyText(newValue, t.notSet) },
  { id: 'source', title: t.source, cell: ({ source }) => changeSources[source] ?? source },
  { id: 'when', title: t.when, cell: ({ changedAt }) => <Moment at={changedAt} /> },
];
