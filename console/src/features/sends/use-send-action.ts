// Runs an action on a send and keeps the send that it returns: people who look again before it was read again find what they changed.
import { getBroadcast } from '@rapport/contract';
import { useQueryClient } from '@tanstack/react-query';
import { dataOf } from '../../api/ask.ts';
import { useApi } from '../../api/session/session.tsx';
import { type Action, useAction } from '../../shared/form/use-action.ts';
import type { Send } from './send-api.ts';

type SendAction<Input> = Omit<Action<Input, { data: Send }>, 'refresh'>;

export function useSendAction<Input = void>({ onDone, ...action }: SendAction<Input>) {
  const api = useApi();
  const queries = useQueryClient();
  return useAction<{ data: Send }, Input>({
    ...action,
    onDone: (answer, input) => {
      const { broadcastId: id } = answer.data;
      queries.setQueryData(dataOf(api, getBroadcast, { params: { id } }).queryKey, answer.data);
      return onDone?.(answer, input);
    },
    refresh: ['broadcasts'],
  });
}
