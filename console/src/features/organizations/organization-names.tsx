import { getOrganization } from '@rapport/contract';
import { useQueries } from '@tanstack/react-query';
import { dataOf } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';
import { PropertyValue } from '../../shared/property-value.tsx';

/** Organizations by name. One that cannot be read is called by its id. */
export function OrganizationNames({ ids }: { ids: readonly string[] }) {
  const api = useApi();
  const names = useQueries({
    queries: ids.map((orgId) => ({ ...dataOf(api, getOrganization, { params: { orgId } }), staleTime: 60_000 })),
    combine: (answers) => answers.map(({ data, isPending }, at) => data?.name ?? (isPending ? '…' : ids[at])),
  });
  return <PropertyValue value={names} />;
}
