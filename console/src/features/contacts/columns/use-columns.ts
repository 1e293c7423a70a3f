import { type DataValue, listProperties } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { rowsOf } from '../../../api/ask.ts';
import { useRights } from '../../../api/session/rights.ts';
import { useApi } from '../../../api/session/session.tsx';
import { type ColumnId, firstColumns, keepColumns, readColumns } from './chosen-columns.ts';

type Property = DataValue<typeof listProperties>;

export interface Columns {
  ids: readonly ColumnId[];
  properties: readonly Property[];
  isChosen: boolean;
  choose: (ids: readonly ColumnId[] | undefined) => void;
}

export function useColumns(): Columns {
  const api = useApi();
  const { me } = useRights();
  const tenantId = me?.workspace.tenantId;
  const { data: properties } = useQuery({
    ...rowsOf(api, listProperties, { query: { pageSize: 200 } }),
    staleTime: 3 * 60_000,
  });
  // The choice made on this page, for the workspace in which it was made.
  const [now, setNow] = useState<{ tenantId: number; ids: readonly ColumnId[] | undefined }>();
  const kept = useMemo(
    () => (tenantId === undefined ? undefined : readColumns(globalThis.localStorage, tenantId)),
    [tenantId],
  );
  const chosen = now && now.tenantId === tenantId ? now.ids : kept;
  const first = useMemo(() => firstColumns(properties ?? []), [properties]);
  return {
    ids: chosen ?? first,
    properties: properties ?? [],
    isChosen: chosen !== undefined,
    choose: (ids) => {
      if (tenantId === undefined) return;
      keepColumns(globalThis.localStorage, tenantId, ids);
      setNow({ tenantId, ids });
    },
  };
}
