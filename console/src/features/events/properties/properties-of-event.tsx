import { Text } from '@mantine/core';
import { listEventProperties } from '@rapport/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { dataOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { DataTable } from '../../../shared/table/data-table.tsx';
import { t } from '../../../texts/events.ts';
import { type PropertyRow, propertyColumns } from './property-columns.tsx';

/** The path of a property inside nested objects, as one name. */
const nameOf = (path: readonly string[]) => path.join(' › ');

export function PropertiesOfEvent({ eventName }: { eventName: string }) {
  const api = useApi();
  const queries = useQueryClient();
  const [sort, setSort] = useState<string>();
  const asked = dataOf(api, listEventProperties, { params: { eventName } });
  const rows = useQuery({
    ...asked,
    select: ({ properties }): PropertyRow[] => properties.map(({ path, ...rest }) => ({ name: nameOf(path), ...rest })),
  });
  const sampled = queries.getQueryData(asked.queryKey)?.sampled ?? 0;
  return (
    <>
      {sampled > 0 && <Text c="dimmed">{t.sampled(sampled)}</Text>}
      <DataTable
        label={t.properties}
        rows={rows}
        columns={propertyColumns}
        rowKey={({ name }) => name}
        sort={sort}
        onSort={setSort}
        empty={<EmptyState title={t.noneOfOwner} text={t.noneOfEvent} />}
      />
    </>
  );
}
