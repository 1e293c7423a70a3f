import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { about, type Subject } from '../../api/ask.ts';

export interface Action<Input, Result> {
  act: (input: Input) => Result | Promise<Result>;
  onDone?: ((result: Result, input: NoInfer<Input>) => unknown) | undefined;
  /** What it changes, to be asked for again. */
  refresh?: readonly Subject[] | undefined;
  said?: string | ((result: Result, input: Input) => string) | undefined;
  /** The heading of the notice about a refusal. */
  failed?: string;
  /** The refusal is shown where it was asked for, so there is no notice about it. */
  isToldInPlace?: boolean;
}

/** Does something, refreshes what that changed, and reports the result. */
export function useAction<Result, Input = void>(action: Action<Input, Result>) {
  const { act, onDone, refresh = [], said, failed, isToldInPlace = false } = action;
  const queries = useQueryClient();
  return useMutation({
    // Refused at once while the browser is offline: a form that waits in silence looks broken.
    networkMode: 'always',
    mutationFn: async (input: Input) => act(input),
    onSuccess: async (result, input) => {
      if (said) notifications.show({ message: typeof said === 'string' ? said : said(result, input) });
      // First, because it may leave the page: what is gone is not asked for again.
      const done = onDone?.(result, input);
      for (const subject of refresh) void queries.invalidateQueries(about(subject));
      await done;
    },
    onError: ({ message }) => {
      if (!isToldInPlace) notifications.show({ color: 'red', title: failed, message });
    },
  });
}
