import { listRecentEvents } from '@rapport/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { composedOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { type Tail, withArrived } from './merge-events.ts';

const everyMs = 2_000;
const limit = 100;

const liveEvents = composedOf(
  'live events',
  async (api, { eventName }: { eventName: string | undefined }, signal, before: Tail | undefined): Promise<Tail> => {
    const query = { eventName, after: before?.cursor, limit };
    const { data } = await api.call(listRecentEvents, { query, signal });
    return withArrived(before, data, limit);
  },
);

/** The newest events, and every two seconds those that arrived since. No request is made while the tab is hidden or it is paused. */
export function useLiveEvents(eventName: string | undefined, isPaused = false) {
  const api = useApi();
  const queries = useQueryClient();
  const asked = liveEvents(api, { eventName });
  const rows = useQuery({
    ...asked,
    select: ({ events }) => events,
    refetchInterval: isPaused ? false : everyMs,
    refetchOnWindowFocus: !isPaused,
    staleTime: isPaused ? Number.POSITIVE_INFINITY : 0,
  });
  // It changes only with the rows.
  return { rows, hasGap: queries.getQueryData(asked.queryKey)?.hasGap ?? false };
}
