// The numbers that are kept of messages, in the order of their columns.
import type { CountName } from '@rapport/contract';

/** `bounced` is the sum of hard and soft, and kept nowhere. `clickOnly`: clicked by a person, with no open by one. */
export type StoredCount = Exclude<CountName, 'bounced'> | 'clickOnly';

export type Counts = Record<StoredCount, number>;

export const storedCounts: readonly StoredCount[] = [
  ...([
    'sent',
    'delivered',
    'opened',
    'uniqueOpened',
    'clicked',
    'uniqueClicked',
    'hardBounced',
    'softBounced',
  ] as const),
  ...(['unsubscribed', 'complained', 'failed', 'machineOpened', 'machineClicked', 'clickOnly'] as const),
];

export function noCounts(): Counts {
  return Object.fromEntries(storedCounts.map((name) => [name, 0])) as Counts;
}
