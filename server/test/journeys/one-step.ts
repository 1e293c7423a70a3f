// Definitions with one step before an exit.
import { faultsOf, type Json, ordered } from './definitions.js';

/** The faults of a definition with one step before an exit. */
export const ofStep = (step: Json, entry: Json = ordered) =>
  faultsOf({
    entry,
    steps: [
      { id: 'a', ...step },
      { id: 'z', type: 'exit' },
    ],
  });

export const wait = {
  type: 'waitUntil',
  branches: [{ event: { eventName: 'paid' }, next: 'z' }],
  timeout: 'P1D',
  onTimeout: 'z',
};

export const split = (...percents: number[]) => ({
  type: 'split',
  arms: percents.map((percent, i) => ({ name: `${i}`, percent, next: 'z' })),
});
export const hook = { type: 'webhook', url: 'https://example.com' };
