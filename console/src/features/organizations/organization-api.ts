// What the pages about organizations ask of the API.
import {
  type BodyValue,
  type DataValue,
  getOrganization,
  listOrganizationMembers,
  listOrganizations,
  removeOrganizationMember,
  updateOrganization,
} from '@rapport/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys } from '../../queries/keys.ts';
import { useApi } from '../../session/session.tsx';
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
    queryKey: keys.organizations.list(query),
    queryFn: ({ signal }) => api.page(listOrganizations, { query, signal }),
    ...pagedQuery,
  });
}

export function useOrganization(orgId: string) {
  const api = useApi();
  return useQuery({
    queryKey: keys.organizations.one(orgId),
    queryFn: async ({ signal }) => (await api.call(getOrganization, { params: { orgId }, signal })).data,
  });
}

export function useMembers(orgId: string, pageNumber: number) {
  const api = useApi();
  return useQuery({
    queryKey: keys.organizations.of(orgId, 'members', { pageNumber }),
    queryFn: ({ signal }) => api.page(listOrganizationMembers, { params: { orgId }, query: { pageNumber }, signal }),
    ...pagedQuery,
  });
}

export function useSaveOrganization(orgId: string) {
  const api = useApi();
  const queries = useQueryClient();
  return async (body: BodyValue<typeof updateOrganization>) => {
    const { data } = await api.call(updateOrganization, { params: { orgId }, body });
    queries.setQueryData(keys.organizations.one(orgId), data);
    await queries.invalidateQueries({ queryKey: keys.organizations.all });
  };
}

export function useRemoveMember(orgId: string, onDone: () => void) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (userId: string) => api.call(removeOrganizationMember, { params: { orgId, userId } }),
    onSuccess: async () => {
      onDone();
      await queries.invalidateQueries({ queryKey: keys.organizations.one(orgId) });
    },
  });
}
