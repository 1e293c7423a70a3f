// Converts stored counts to the form that responses show: `bounced` adds both kinds, rates are divided.
import type { CountName, Rates } from '@rapport/contract';
import type { Static } from 'typebox';
import { share } from '../../lib/compare-rates.js';
import { type Counts, noCounts, storedCounts } from '../messages/index.js';

export { noCounts, share };

type ShownCounts = Record<CountName, number>;
type ShownRates = Static<typeof Rates>;
type ShownFigures = ShownCounts & { rates: ShownRates };

function addCounts(to: Counts, more: Counts): void {
  for (const name of storedCounts) to[name] += more[name];
}

export function sumCounts(rows: Iterable<Counts>): Counts {
  const sum = noCounts();
  for (const row of rows) addCounts(sum, row);
  return sum;
}

/** What is left without these. */
export function takeCounts(from: Counts, less: Counts): Counts {
  const rest = { ...from };
  for (const name of storedCounts) rest[name] -= less[name];
  return rest;
}

/** Sums of the rows that belong together, in the order of their first appearance. */
export function sumCountsBy<Row extends Counts, Key>(rows: Iterable<Row>, keyOf: (row: Row) => Key): Map<Key, Counts> {
  const sums = new Map<Key, Counts>();
  for (const row of rows) {
    const key = keyOf(row);
    const sum = sums.get(key);
    if (sum) addCounts(sum, row);
    else sums.set(key, sumCounts([row]));
  }
  return sums;
}

/** Spelled out, not assembled from parts: a rollup makes thousands, and that would cost ten times as much. */
export function showCounts(counts: Counts): ShownCounts {
  return {
    sent: counts.sent,
    delivered: counts.delivered,
    opened: counts.opened,
    uniqueOpened: counts.uniqueOpened,
    clicked: counts.clicked,
    uniqueClicked: counts.uniqueClicked,
    bounced: counts.hardBounced + counts.softBounced,
    hardBounced: counts.hardBounced,
    softBounced: counts.softBounced,
    unsubscribed: counts.unsubscribed,
    complained: counts.complained,
    failed: counts.failed,
    machineOpened: counts.machineOpened,
    machineClicked: counts.machineClicked,
  };
}

export function ratesOf(counts: Counts): ShownRates {
  const { sent, delivered, uniqueOpened, uniqueClicked, hardBounced, softBounced, unsubscribed, clickOnly } = counts;
  return {
    deliveryRate: share(delivered, sent),
    openRate: share(uniqueOpened, delivered),
    clickRate: share(uniqueClicked, delivered),
    clickToOpenRate: share(uniqueClicked, uniqueOpened + clickOnly),
    bounceRate: share(hardBounced + softBounced, sent),
    unsubscribeRate: share(unsubscribed, delivered),
  };
}

export function showFigures(counts: Counts): ShownFigures {
  return { ...showCounts(counts), rates: ratesOf(counts) };
}
