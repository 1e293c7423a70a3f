// The names of emails, journeys and sends. Fetched in parallel with the things that only have their ids, so that nothing waits for them.
import { useQuery } from '@tanstack/react-query';
import { allEmails, allJourneys, allSends } from '../../api/everything.ts';
import { useApi } from '../../api/session/session.tsx';

interface Named {
  id: string;
  name: string;
}

export interface Names {
  /** For a select, by name. */
  choices: { value: string; label: string }[];
  /** Undefined: not loaded yet, or deleted. */
  nameOf: (id: string | null | undefined) => string | undefined;
}

export function useEmailNames(): Names {
  const api = useApi();
  const { data } = useQuery(allEmails(api));
  return namesOf(data);
}

export function useJourneyNames(): Names {
  const api = useApi();
  const { data } = useQuery(allJourneys(api));
  return namesOf(data?.map(({ journeyId, name }) => ({ id: journeyId, name })));
}

export function useSendNames(): Names {
  const api = useApi();
  const { data } = useQuery(allSends(api));
  return namesOf(data?.map(({ broadcastId, name }) => ({ id: broadcastId, name })));
}

function namesOf(named: readonly Named[] = []): Names {
  return {
    choices: named
      .map(({ id, name }) => ({ value: id, label: name }))
      .sort((one, other) => one.label.localeCompare(other.label)),
    nameOf: (id) => named.find((each) => each.id === id)?.name,
  };
}
