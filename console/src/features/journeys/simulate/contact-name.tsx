import { useQuery } from '@tanstack/react-query';
import { keys } from '../../../queries/keys.ts';
import { useApi } from '../../../session/session.tsx';
import { t } from '../../../texts/journey-simulation.ts';
import { fetchContact } from '../journey-api.ts';

/** A simulation knows people by their ids; what they are called is asked once for each that is seen. */
export function useContactName(contactId: string): string {
  const api = useApi();
  const { data } = useQuery({
    queryKey: keys.contacts.one(contactId),
    queryFn: ({ signal }) => fetchContact(api, contactId, signal),
    staleTime: 5 * 60_000,
  });
  if (!data) return t.unknownContact;
  const { first_name: first, last_name: last } = data.properties as Record<string, unknown>;
  return [first, last].filter((part) => typeof part === 'string').join(' ') || data.email;
}
