import { useQuery } from '@tanstack/react-query';
import { keys } from '../../../queries/keys.ts';
import { useApi } from '../../../session/session.tsx';
import { fetchJourneys } from '../journey-api.ts';

/** Every tag that a journey has, by name. */
export function useKnownTags(): string[] {
  const api = useApi();
  const { data = [] } = useQuery({
    queryKey: keys.journeys.any('names'),
    queryFn: () => fetchJourneys(api),
    staleTime: 60_000,
  });
  return [...new Set(data.flatMap(({ tags }) => tags))].sort((a, b) => a.localeCompare(b));
}
