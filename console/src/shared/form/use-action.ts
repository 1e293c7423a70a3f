import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { about, type Subject } from '../../api/ask.ts';

export interface Action<Input, Result> {
  act: (input: Input) => Result | Promise<Result>;
  onDone?: ((result: Result, input: NoInfer<Input>) => unknown) | undefined;
  /** What it changes, to be fetched again. */
  refresh?: readonly Subject[] | undefined;
  said?: string | ((result: Result, input: Input) => string) | undefined;
  /** The title of the error notice. */
  failed?: string;
  /** The error is shown where the action was started, so there is no notice. */
  isToldInPlace?: boolean;
}

/** Runs an action, refreshes what it changed, and reports the result. */
export function useAction<Result, Input = void>(action: Action<Input, Result>) {
  const { act, onDone, refresh = [], said, failed, isToldInPlace = false } = action;
  const queries = useQueryClient();
  return useMutation({
    // Refused at once while the browser is offline: a form that waits silently looks broken.
    networkMode: 'always',
    mutationFn: async (input: Input) => act(input),
    onSuccess: async (result, input) => {
      if (said) notifications.show({ message: typeof said === 'string' ? said : said(result, input) });
      // First, because it may leave the page: what is gone must not be fetched again.
      const done = onDone?.(result, input);
      for (const subject of refresh) void queries.invalidateQueries(about(subject));
      await done;
    },
    onError: ({ message }) => {
      if (!isToldInPlace) notifications.show({ color: 'red', title: failed, message });
    },
  });
}
