import { listProperties, type PropertyOwner } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { pageOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { DataTable, pagedQuery } from '../../../shared/table/data-table.tsx';
import { usePageParams } from '../../../shared/use-page-params.ts';
import { t } from '../../../texts/events.ts';
import { propertyColumns } from './property-columns.tsx';

// With several pages, the service sorts, by key.
const columns = propertyColumns.map(({ sortBy: _, ...column }) => column);

export function PropertiesOfOwner({ owner }: { owner: PropertyOwner }) {
  const api = useApi();
  const { pageNumber, param, setPage } = usePageParams();
  const search = param('search');
  const query = useQuery({
    ...pageOf(api, listProperties, { query: { of: owner, search, pageNumber, pageSize: 50 } }),
    select: (page) => ({ ...page, rows: page.rows.map(({ key, ...rest }) => ({ name: key, ...rest })) }),
    ...pagedQuery,
  });
  return (
    <DataTable
      label={t.properties}
      query={query}
      onPage={setPage}
      columns={columns}
      rowKey={({ name }) => name}
      empty={
        search ? (
          <EmptyState title={t.nothingMatches} text={t.noKeyMatches} />
        ) : (
          <EmptyState title={t.noneOfOwner} text={t.noneOfOwnerText} />
        )
      }
    />
  );
}
