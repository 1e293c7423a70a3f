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

// Written out, here and where they are shown: objects that are put together from parts cost ten times as much, and a rollup makes thousands.
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
