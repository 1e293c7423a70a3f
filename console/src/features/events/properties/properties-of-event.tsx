import { Text } from '@mantine/core';
import { listEventProperties } from '@rapport/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys } from '../../../queries/keys.ts';
import { useApi } from '../../../session/session.tsx';
import { EmptyState } from '../../../shared/empty-state.tsx';
import { DataTable } from '../../../shared/table/data-table.tsx';
import { t } from '../../../texts/events.ts';
import { type PropertyRow, propertyColumns } from './property-columns.tsx';

interface Told {
  rows: PropertyRow[];
  sampled: number;
}

/** Where a property is inside nested objects, as one name. */
const nameOf = (path: readonly string[]) => path.join(' › ');

export function PropertiesOfEvent({ eventName }: { eventName: string }) {
  const api = useApi();
  const queries = useQueryClient();
  const [sort, setSort] = useState<string>();
  const queryKey = keys.events.of(eventName, 'properties');
  const rows = useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<Told> => {
      const { data } = await api.call(listEventProperties, { params: { eventName }, signal });
      return {
        sampled: data.sampled,
        rows: data.properties.map(({ path, ...rest }) => ({ name: nameOf(path), ...rest })),
      };
    },
    select: (told) => told.rows,
  });
  const sampled = queries.getQueryData<Told>(queryKey)?.sampled ?? 0;
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
