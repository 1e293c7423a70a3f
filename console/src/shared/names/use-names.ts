// What emails and journeys are called. Asked for beside the things that only have their ids, so that nothing waits for them.
import { listEmails, listJourneys } from '@rapport/contract';
import { useQuery } from '@tanstack/react-query';
import { allOf } from '../../api.ts';
import { keys } from '../../queries/keys.ts';
import { useApi } from '../../session/session.tsx';

interface Named {
  id: string;
  name: string;
}

export interface Names {
  /** For a select, by name. */
  choices: { value: string; label: string }[];
  /** Undefined: not here yet, or deleted. */
  nameOf: (id: string | null | undefined) => string | undefined;
}

const minute = 60_000;

export function useEmailNames(): Names {
  const api = useApi();
  const { data } = useQuery({
    queryKey: keys.emails.any('names'),
    queryFn: async () => (await allOf(api.rows(listEmails))).map(({ id, name }) => ({ id, name })),
    staleTime: minute,
  });
  return namesOf(data);
}

export function useJourneyNames(): Names {
  const api = useApi();
  const { data } = useQuery({
    queryKey: keys.journeys.any('names'),
    queryFn: async () => (await allOf(api.rows(listJourneys))).map(({ journeyId, name }) => ({ id: journeyId, name })),
    staleTime: minute,
  });
  return namesOf(data);
}

function namesOf(named: readonly Named[] = []): Names {
  return {
    choices: named
      .map(({ id, name }) => ({ value: id, label: name }))
      .sort((one, other) => one.label.localeCompare(other.label)),
    nameOf: (id) => named.find((each) => each.id === id)?.name,
  };
}
