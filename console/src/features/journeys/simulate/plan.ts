// The request of a simulation. The service invents no future events, so the user says what contacts do; this turns it into events of single
// contacts, the same every time.
import type { BodyValue, simulateJourney } from '@rapport/contract';
import { milliseconds } from '../../../shared/duration.ts';
import type { Definition, FilterJson } from '../model/definition.ts';

export type SimulationBody = BodyValue<typeof simulateJourney>;
type SimulatedEvent = NonNullable<SimulationBody['events']>[number];

/** A share of those who enter do this, some time after they entered. */
export interface Reaction {
  readonly eventName: string;
  /** Percent. */
  readonly share: number;
  readonly after: string;
  readonly where?: FilterJson | undefined;
}

export interface Setup {
  readonly people: number;
  /** `recorded`: what happened in the last 30 days happens again. */
  readonly start: 'now' | 'recorded';
  readonly reactions: readonly Reaction[];
}

export const mostEvents = 1000;
export const peopleChoices = [10, 50, 100, 500, 1000] as const;

/** Every event that the journey waits for; half of the contacts do it, a day after they entered. */
export function usualReactions({ steps }: Definition): Reaction[] {
  const reactions = new Map<string, Reaction>();
  for (const step of steps) {
    if (step.type !== 'waitUntil') continue;
    for (const { event } of step.branches)
      if (event?.eventName && !reactions.has(event.eventName))
        reactions.set(event.eventName, { eventName: event.eventName, share: 50, after: 'P1D', where: event.where });
  }
  return [...reactions.values()];
}

/** The entry event of each, spread over a day so that one sees them arrive. */
export function entryEvents({ entry }: Definition, contactIds: readonly string[], from: number): SimulatedEvent[] {
  const { event } = entry;
  if (!event) return [];
  const apart = 86_400_000 / Math.max(1, contactIds.length);
  return contactIds.map((contactId, at) => ({
    ...{ contactId, eventName: event.eventName, at: iso(from + Math.floor(at * apart)) },
    properties: satisfying(event.where),
  }));
}

/** `entries` says when each entered. Who does what depends only on their number, and differs from one reaction to the next. */
export function reactionEvents(
  reactions: readonly Reaction[],
  entries: readonly { contactId: string; at: number }[],
  most: number,
): SimulatedEvent[] {
  const events = reactions.flatMap(({ eventName, share, after, where }, number) =>
    entries.flatMap(({ contactId, at }, index) => {
      const draw = ((index + 1) * 61 + number * 29) % 100;
      if (draw >= share) return [];
      // Not all in the same minute.
      const later = milliseconds(after) * (0.75 + (((index + 1) * 17) % 50) / 100);
      return [{ contactId, eventName, at: iso(at + Math.round(later)), properties: satisfying(where) }];
    }),
  );
  return events.sort((one, other) => one.at.localeCompare(other.at)).slice(0, most);
}

const iso = (at: number): string => new Date(at).toISOString();

/** Properties that probably satisfy a condition on an event. What cannot be guessed is left out. */
export function satisfying(where: FilterJson | undefined): Record<string, unknown> {
  const properties: Record<string, unknown> = {};
  if (where) fulfil(where, properties);
  return properties;
}

function fulfil(where: FilterJson, into: Record<string, unknown>): void {
  const { all, any, eventProperty } = where;
  if (Array.isArray(all)) for (const each of all) fulfil(each as FilterJson, into);
  if (Array.isArray(any) && any[0]) fulfil(any[0] as FilterJson, into);
  const path = typeof eventProperty === 'string' ? [eventProperty] : eventProperty;
  const value = valueFor(where);
  if (!Array.isArray(path) || value === undefined) return;
  let at = into;
  for (const key of path.slice(0, -1)) {
    const inner = (at[String(key)] ?? {}) as Record<string, unknown>;
    at[String(key)] = inner;
    at = inner;
  }
  at[String(path.at(-1))] = value;
}

function valueFor(test: FilterJson): unknown {
  const number = (key: string) => (typeof test[key] === 'number' ? (test[key] as number) : undefined);
  const [gt, lt] = [number('gt'), number('lt')];
  if (typeof test.is !== 'object' && test.is !== undefined) return test.is;
  if (Array.isArray(test.in)) return test.in[0];
  if (Array.isArray(test.between)) return test.between[0];
  if (gt !== undefined) return gt + 1;
  if (lt !== undefined) return lt - 1;
  return number('gte') ?? number('lte') ?? test.contains ?? test.startsWith ?? test.endsWith ?? existing(test);
}

const existing = ({ exists }: FilterJson): unknown => (exists === true ? true : undefined);
