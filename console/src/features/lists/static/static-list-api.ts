// The API calls of the static list page.
import { notifications } from '@mantine/notifications';
import {
  addMembers,
  type BodyValue,
  type DataValue,
  getList,
  type listContacts,
  removeMember,
  updateList,
} from '@rapport/contract';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { about, dataOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { noticeWithUndo } from '../../../shared/undo-notice.tsx';
import { t } from '../../../texts/lists.ts';

export type StaticList = DataValue<typeof getList>;
type Contact = DataValue<typeof listContacts>;

export function useStaticList(id: string) {
  const api = useApi();
  return useQuery({
    ...dataOf(api, getList, { params: { id } }),
  });
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

/** Takes a contact out of the list, and back with one click. */
export function useRemoveMember(id: string) {
  const api = useApi();
  const queries = useQueryClient();
  const add = useAddMembers(id);
  const fail = (title: string) => (error: Error) => notifications.show({ color: 'red', title, message: error.message });
  return useMutation({
    mutationFn: ({ id: contactId }: Pick<Contact, 'id' | 'email'>) =>
      api.call(removeMember, { params: { id, contactId } }),
    onError: (error, { email }) => fail(t.couldNotRemove(email))(error),
    onSuccess: (_, { id: contactId, email }) =>
      noticeWithUndo(t.removed(email), () => void add([contactId]).catch(fail(t.couldNotReturn(email)))),
    onSettled: () => queries.invalidateQueries(about('lists')),
  });
}

export function useSaveList(id: string) {
  const api = useApi();
  const queries = useQueryClient();
  return async (body: BodyValue<typeof updateList>) => {
    await api.call(updateList, { params: { id }, body });
    await Promise.all([about('lists'), about('folders')].map((each) => queries.invalidateQueries(each)));
  };
}
