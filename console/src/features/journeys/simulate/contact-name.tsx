import { getContact } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { dataOf } from '../../../api/ask.ts';
import { useApi } from '../../../api/session/session.tsx';
import { t } from '../../../texts/journey-simulation.ts';

/** A simulation knows contacts by id; the name is fetched once for each one shown. */
export function useContactName(contactId: string): string {
  const api = useApi();
  const { data } = useQuery({
    ...dataOf(api, getContact, { params: { id: contactId } }),
    staleTime: 5 * 60_000,
  });
  if (!data) return t.unknownContact;
  const { first_name: first, last_name: last } = data.properties as Record<string, unknown>;
  return [first, last].filter((part) => typeof part === 'string').join(' ') || data.email;
}
