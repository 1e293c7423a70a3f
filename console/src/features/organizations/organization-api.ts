// The API calls of the organization pages.
import {
  type BodyValue,
  type DataValue,
  getOrganization,
  listOrganizationMembers,
  listOrganizations,
  updateOrganization,
} from '@rapport/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { about, dataOf, pageOf } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';
import { pagedQuery } from '../../shared/table/data-table.tsx';

export type Organization = DataValue<typeof getOrganization>;
export type Member = DataValue<typeof listOrganizationMembers>;
export const orders = ['name', '-createdAt'] as const;

export function useOrganizations(query: {
  search: string | undefined;
  sort: (typeof orders)[number];
  pageNumber: number;
}) {
  const api = useApi();
  return useQuery({
    ...pageOf(api, listOrganizations, { query }),
    ...pagedQuery,
  });
}

export function useOrganization(orgId: string) {
  const api = useApi();
  return useQuery({
    ...dataOf(api, getOrganization, { params: { orgId } }),
  });
}

export function useMembers(orgId: string, pageNumber: number) {
  const api = useApi();
  return useQuery({
    ...pageOf(api, listOrganizationMembers, { params: { orgId }, query: { pageNumber } }),
    ...pagedQuery,
  });
}

export function useSaveOrganization(orgId: string) {
  const api = useApi();
  const queries = useQueryClient();
  return async (body: BodyValue<typeof updateOrganization>) => {
    const { data } = await api.call(updateOrganization, { params: { orgId }, body });
    queries.setQueryData(dataOf(api, getOrganization, { params: { orgId } }).queryKey, data);
    await queries.invalidateQueries(about('organizations'));
  };
}
