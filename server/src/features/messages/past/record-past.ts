// Messages that left before Rapport could record them, with what became of them: a history, which figures and timelines then
// show like any other. The demo has one.
import type { Database } from '../../../db/database.js';
import { newMessageUuid } from '../../../lib/ids.js';
import type { Acknowledger } from '../../transactions/index.js';
import { type Fate, fateWrite } from '../fates/fate.js';
import { Differences } from '../figures/contributions.js';
import { insertDeltas } from '../figures/feed/queries.js';
import { insertPast, type NewPast } from './queries.js';

export interface PastMessage extends Omit<NewPast, 'messageId'> {
  /** What became of it, with times after `sentAt`. */
  became: readonly PastFate[];
}

export type PastFate =
  | { what: 'delivered'; at: string }
  | { what: 'softBounced'; at: string; reason: string }
  | { what: 'opened'; at: string; agent: string }
  | { what: 'clicked'; at: string; agent: string; linkNo: number; url: string };

// Fates in one write: a turn of the worker takes as many as fit.
const mostInWrite = 100;

/** They are in the ledger and the figures when this returns; what became of them waits in the tenant's queue. */
export function recordPast(
  db: Database,
  acknowledger: Acknowledger,
  tenantId: number,
  messages: readonly PastMessage[],
): Promise<void> {
  const named = messages.map((message) => ({ ...message, messageId: newMessageUuid() }));
  return db.transaction(async (tx) => {
    const stored = await insertPast(tx, tenantId, named);
    const differences = new Differences();
    for (const message of stored) differences.add(tenantId, null, { message, engagements: [] });
    await insertDeltas(tx, differences.deltas());
    const known = new Set(stored.map(({ messageId }) => messageId));
    const fates = named.flatMap((message) => (known.has(message.messageId) ? fatesOf(message) : []));
    const writes = [];
    for (let from = 0; from < fates.length; from += mostInWrite)
      writes.push(fateWrite(tenantId, fates.slice(from, from + mostInWrite)));
    await acknowledger.enqueue(tx, writes);
  });
}

function fatesOf({ messageId, sentAt, became }: PastMessage & { messageId: string }): Fate[] {
  const sent: Fate = { what: 'sent', messageId, at: sentAt };
  return [
    sent,
    ...became.map((fate): Fate => {
      if (fate.what !== 'softBounced') return { ...fate, messageId };
      return { what: 'bounced', messageId, at: fate.at, isHard: false, suppresses: false, reason: fate.reason };
    }),
  ];
}
