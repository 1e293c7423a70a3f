import { useQuery } from '@tanstack/react-query';
import { allJourneys } from '../../../api/everything.ts';
import { useApi } from '../../../api/session/session.tsx';

/** Every tag that a journey has, by name. */
export function useKnownTags(): string[] {
  const api = useApi();
  const { data = [] } = useQuery(allJourneys(api));
  return [...new Set(data.flatMap(({ tags }) => tags))].sort((a, b) => a.localeCompare(b));
}
