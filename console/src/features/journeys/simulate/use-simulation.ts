import { useMutation } from '@tanstack/react-query';
import { useApi } from '../../../api/session/session.tsx';
import type { JourneyWork } from '../editing/use-journey-work.ts';
import { simulate, someContacts } from '../journey-api.ts';
import { entryEvents, mostEvents, reactionEvents, type Setup, type SimulationBody } from './plan.ts';
import { type Run, runOf, type Simulation } from './run.ts';

const month = 30 * 86_400_000;

/** Simulates the definition on the canvas, saved or not. */
export function useSimulation({ journey, definition, written }: JourneyWork) {
  const api = useApi();
  return useMutation({
    mutationFn: async ({ people, start, reactions }: Setup): Promise<Run> => {
      const ask = (body: SimulationBody) => simulate(api, journey.journeyId, { ...body, definition: written });
      const now = Date.now();
      if (start === 'recorded') {
        const from = now - month;
        return runOf(await ask({ sample: people, from: new Date(from).toISOString() }), definition, from);
      }
      const from = new Date(now).toISOString();
      const mostPeople = Math.min(people, Math.floor(mostEvents / (1 + reactions.length)));
      const isEvent = definition.entry.event !== undefined;
      const contactIds = isEvent ? await someContacts(api, mostPeople) : undefined;
      const events = contactIds ? entryEvents(definition, contactIds, now) : [];
      const first = await ask(contactIds ? { contactIds, from, events } : { sample: mostPeople, from });
      if (reactions.length === 0) return runOf(first, definition, now);
      // Now it is known who enters when, and their reactions count from there.
      const entries = entriesOf(first);
      if (entries.length === 0) return runOf(first, definition, now);
      const more = reactionEvents(reactions, entries, mostEvents - events.length);
      const who = first.contacts.map(({ contactId }) => contactId);
      const second = await ask({ contactIds: [...new Set(who)], from, events: [...events, ...more] });
      return runOf(second, definition, now);
    },
  });
}

function entriesOf({ contacts }: Simulation): { contactId: string; at: number }[] {
  const seen = new Set<string>();
  return contacts.flatMap(({ contactId, entered, timeline: [first] }) => {
    if (!entered || !first || seen.has(contactId)) return [];
    seen.add(contactId);
    return [{ contactId, at: Date.parse(first.at) }];
  });
}
