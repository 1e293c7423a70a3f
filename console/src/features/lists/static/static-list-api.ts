// The API calls of the static list page.
import { notifications } from '@mantine/notifications';
import type { Page } from '@rapport/client';
import {
  addMembers,
  type BodyValue,
  type DataValue,
  getList,
  listMembers,
  removeMember,
  updateList,
} from '@rapport/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { about, dataOf, pageOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { pagedQuery } from '../../../shared/table/data-table.tsx';
import { noticeWithUndo } from '../../../shared/undo-notice.tsx';
import { t } from '../../../texts/lists.ts';

export type StaticList = DataValue<typeof getList>;
export type Member = DataValue<typeof listMembers>;

export function useStaticList(id: string) {
  const api = useApi();
  return useQuery({
    ...dataOf(api, getList, { params: { id } }),
  });
}

export function useMembers(id: string, pageNumber: number) {
  const api = useApi();
  return useQuery({
    ...pageOf(api, listMembers, { params: { id }, query: { pageNumber } }),
    ...pagedQuery,
  });
}

export function nameOf({ firstName, lastName }: Pick<Member, 'firstName' | 'lastName'>): string {
  return [firstName, lastName].filter(Boolean).join(' ');
}

export function useAddMembers(id: string) {
  const api = useApi();
  const queries = useQueryClient();
  return async (contactIds: readonly string[]) => {
    const { data } = await api.call(addMembers, { params: { id }, body: { contactIds } });
    await queries.invalidateQueries(about('lists'));
    return data;
  };
}

/** Removed from the page at once, and restored with one click. */
export function useRemoveMember(id: string, pageNumber: number) {
  const api = useApi();
  const queries = useQueryClient();
  const add = useAddMembers(id);
  const shown = pageOf(api, listMembers, { params: { id }, query: { pageNumber } });
  const fail = (title: string) => (error: Error) => notifications.show({ color: 'red', title, message: error.message });
  return useMutation({
    mutationFn: ({ contactId }: Member) => api.call(removeMember, { params: { id, contactId } }),
    onMutate: async ({ contactId }) => {
      await queries.cancelQueries(shown);
      queries.setQueryData(shown.queryKey, (page) => page && without(page, contactId));
    },
    onError: (error, { email }) => fail(t.couldNotRemove(email))(error),
    onSuccess: (_, { contactId, email }) =>
      noticeWithUndo(t.removed(email), () => void add([contactId]).catch(fail(t.couldNotReturn(email)))),
    onSettled: () => queries.invalidateQueries(about('lists')),
  });
}

function without(page: Page<Member>, contactId: string): Page<Member> {
  const rows = page.rows.filter((row) => row.contactId !== contactId);
  return { ...page, rows, totalElements: page.totalElements - (page.rows.length - rows.length) };
}

export function useSaveList(id: string) {
  const api = useApi();
  const queries = useQueryClient();
  return async (body: BodyValue<typeof updateList>) => {
    await api.call(updateList, { params: { id }, body });
    await Promise.all([about('lists'), about('folders')].map((each) => queries.invalidateQueries(each)));
  };
}
