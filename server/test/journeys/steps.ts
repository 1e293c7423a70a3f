// One step of a journey, without a database.

import type { Definition } from '../../src/features/journeys/definition/definition.js';
import { enter } from '../../src/features/journeys/engine/enter.js';
import { step } from '../../src/features/journeys/engine/step.js';
import type { Arrival, Held, State, StepContext, Stepped } from '../../src/features/journeys/engine/types.js';
import { sayFact } from '../../src/features/journeys/timeline/say-fact.js';
import { type Json, ordered, read } from './definitions.js';

export const now = Date.parse('2026-11-16T09:00:00Z');
export const journeyId = 'd'.repeat(24);
export const contactId = '0'.repeat(32);
export const enrolmentId = 'e'.repeat(32);
export const cause = { code: 'eventCame', eventName: 'ordered' } as const;

/** A definition of these steps before an exit `z`. */
export function defined(steps: Json[], keys: Json = {}): Definition {
  return read({ entry: ordered, steps: [...steps, { id: 'z', type: 'exit' }], ...keys });
}

export const contextOf = (keys: Partial<StepContext> = {}, held: Record<string, boolean | Held> = {}): StepContext => ({
  ...{
    now,
    journeyId,
    contactId,
    enrolmentId,
    enteredAt: now,
    properties: {},
    timeZone: 'UTC',
    winnerOf: () => undefined,
  },
  holds: (place) => {
    const one = held[place] ?? false;
    return typeof one === 'boolean' ? { holds: one, next: null } : one;
  },
  ...keys,
});

export function entered(definition: Definition, keys: { event?: Json; chain?: number } = {}): State {
  const { event, chain = 0 } = keys;
  return enter(definition, { journeyId, contactId, enrolmentId, now, words: event ? { event } : {}, chain, cause })
    .state;
}

export const look: Arrival = { kind: 'look' };
/** The first step of a definition. */
export const first = (definition: Definition, context = contextOf(), keys = {}) =>
  step(definition, entered(definition, keys), look, context);
export const told = ({ notes }: Stepped) =>
  notes.map(({ what, fact }) => (fact === undefined ? what : `${what}: ${sayFact(fact)}`));
