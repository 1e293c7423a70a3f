// The counts kept for messages, in the order of their columns.
import type { CountName } from '@rapport/contract';

/** `bounced` is the sum of hard and soft bounces and is not stored. `clickOnly`: clicked by a person, without an open by one. */
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

// Spelled out, here and where they are shown: building the objects dynamically costs ten times as much, and a rollup makes thousands.
export function noCounts(): Counts {
  return {
    sent: 0,
    delivered: 0,
    opened: 0,
    uniqueOpened: 0,
    clicked: 0,
    uniqueClicked: 0,
    hardBounced: 0,
    softBounced: 0,
    unsubscribed: 0,
    complained: 0,
    failed: 0,
    machineOpened: 0,
    machineClicked: 0,
    clickOnly: 0,
  };
}
