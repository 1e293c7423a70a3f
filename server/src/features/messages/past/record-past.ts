// Records messages that were sent before Rapport was used, with what became of them. Figures and timelines then
// show this history like any other. The demo uses it.
import type { Database } from '../../../db/database.js';
import { newMessageUuid } from '../../../lib/ids.js';
import type { Acknowledger } from '../../transactions/index.js';
import { type Fate, fateWrite } from '../fates/fate.js';
import { Differences } from '../figures/contributions.js';
import { insertDeltas } from '../figures/feed/queries.js';
import { insertPast, type NewPast } from './queries.js';

export interface PastMessage extends Omit<NewPast, 'messageId'> {
  /** What became of it, at times after `sentAt`. */
  became: readonly PastFate[];
}

export type PastFate =
  | { what: 'delivered'; at: string }
  | { what: 'softBounced'; at: string; reason: string }
  | { what: 'opened'; at: string; agent: string }
  | { what: 'clicked'; at: string; agent: string; linkNo: number; url: string };

// Fates per write: a worker's turn takes as many as fit.
const mostInWrite = 100;

/** The messages are in the ledger and the figures when this returns; their fates wait in the tenant's queue. */
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
