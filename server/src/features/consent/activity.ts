// Unsubscribing from a topic is marketing activity. It waits in the tenant's write queue, because all activity is written under the tenant's lock.
import type { Transaction } from '../../db/database.js';
import { parseLong } from '../../lib/long-json.js';
import { monthOf } from '../../lib/month.js';
import { selectExisting } from '../contacts/index.js';
import { addToMonths, type MonthTally, marketingEvents, nextMarketingNos } from '../events/index.js';
import type { Applier, Write } from '../transactions/index.js';
import { insertUnsubscriptions } from './states/queries.js';
import { selectKnownTopics } from './topics/queries.js';

const writeKind = 'topic.unsubscriptions';

export interface Unsubscription {
  contactId: string;
  topicId: string;
  at: string;
  /** Nothing was said before. */
  isFirst: boolean;
}

export function unsubscriptionWrite(tenantId: number, left: readonly Unsubscription[]): Write[] {
  return left.length === 0 ? [] : [{ tenantId, kind: writeKind, items: left.length, payload: JSON.stringify(left) }];
}

/** Marks contacts whose activity changed: see dynamic lists. */
export type MarkUnsubscribed = (
  tx: Transaction,
  tenantId: number,
  contactIds: readonly string[],
  now: string,
) => Promise<void>;

interface ActivityNeeds {
  markUnsubscribed: MarkUnsubscribed;
  onMonths(months: Iterable<number>): void;
}

const nothing = { results: null };

export function unsubscriptionApplier({ markUnsubscribed, onMonths }: ActivityNeeds): Applier {
  return {
    kinds: [writeKind],
    leavesContacts: true,
    apply: async (tx, tenantId, writes, now) => {
      const told: Unsubscription[] = [];
      for (const { payload } of writes) told.push(...(await parseLong<Unsubscription[]>(payload)));
      const rows = await leaving(tx, tenantId, told);
      if (rows.length === 0) return writes.map(() => nothing);
      const numbers = await nextMarketingNos(tx, rows.length);
      await insertUnsubscriptions(
        tx,
        tenantId,
        rows.map((row, i) => ({ ...row, eventNo: numbers[i] as number })),
      );
      const months = tally(rows);
      await addToMonths(tx, marketingEvents, tenantId, months);
      tx.afterCommit(() => onMonths(new Set(months.map(({ month }) => month))));
      await markUnsubscribed(tx, tenantId, [...new Set(rows.map(({ contactId }) => contactId))], now);
      return writes.map(() => nothing);
    },
    refuse: () => nothing,
  };
}

/** Of contacts that still exist. A contact that never said anything and was not subscribed by default has left nothing. */
async function leaving(tx: Transaction, tenantId: number, told: readonly Unsubscription[]): Promise<Unsubscription[]> {
  const there = await selectExisting(tx, tenantId, [...new Set(told.map(({ contactId }) => contactId))]);
  const outside = (await selectKnownTopics(tx, tenantId)).filter(({ byDefault }) => byDefault === 'unsubscribed');
  const wasOut = new Set(outside.map(({ id }) => id));
  return told.filter(({ contactId, topicId, isFirst }) => there.has(contactId) && !(isFirst && wasOut.has(topicId)));
}

function tally(rows: readonly Unsubscription[]): MonthTally[] {
  const tallies = new Map<string, MonthTally>();
  for (const { contactId, at } of rows) {
    const month = monthOf(at);
    const known = tallies.get(contactId + month) ?? { contactId, month, events: 0 };
    tallies.set(contactId + month, { ...known, events: known.events + 1 });
  }
  return [...tallies.values()];
}
