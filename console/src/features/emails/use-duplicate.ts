import { useApi } from '../../api/session/session.tsx';
import { useAction } from '../../shared/form/use-action.ts';
import { useGoOn } from '../../shared/use-go-on.ts';
import { t } from '../../texts/emails.ts';
import { duplicateEmail } from './email-api.ts';

/** Creates a copy of the email and opens it. */
export function useDuplicate() {
  const api = useApi();
  const goOn = useGoOn();
  return useAction({
    act: (id: string) => duplicateEmail(api, id, t.copyOf),
    onDone: ({ id }) => goOn(`/emails/${id}`),
    refresh: ['emails'],
    failed: t.couldNotDuplicate,
  });
}
