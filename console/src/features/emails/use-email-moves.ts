// What can be done to an email as a whole, from the list and from its page.
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { about } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';
import { useGoOn } from '../../shared/use-go-on.ts';
import { t } from '../../texts/emails.ts';
import { duplicateEmail, removeEmail } from './email-api.ts';

/** Makes a second one and goes to it. */
export function useDuplicate() {
  const api = useApi();
  const queries = useQueryClient();
  const goOn = useGoOn();
  return useMutation({
    mutationFn: (id: string) => duplicateEmail(api, id, t.copyOf),
    onSuccess: ({ id }) => {
      void queries.invalidateQueries(about('emails'));
      goOn(`/emails/${id}`);
    },
    onError: (error) => notifications.show({ color: 'red', title: t.couldNotDuplicate, message: error.message }),
  });
}

export function useDelete(onDeleted: () => void) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => removeEmail(api, id),
    onSuccess: () => {
      onDeleted();
      void queries.invalidateQueries(about('emails'));
    },
  });
}
