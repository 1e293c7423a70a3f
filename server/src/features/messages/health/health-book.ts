// Rule 10 of sending: a tenant with too many complaints or bounces stops sending all but transactional mail.
import type { DataValue, getSending } from '@rapport/contract';
import type { Runner, Transaction } from '../../../db/database.js';
import { type Actor, auditAtCommit } from '../../audit/index.js';
import type { Tally } from '../fates/story.js';
import { addTallies, deletePause, type Figures, insertPause, selectFiguresSince, selectSending } from './queries.js';

export interface HealthLimits {
  /** Fewer messages per day are not conclusive. */
  leastMessages: number;
  /** From 0 to 1. */
  complaintRate: number;
  bounceRate: number;
}
export const usualLimits: HealthLimits = { leastMessages: 1000, complaintRate: 0.003, bounceRate: 0.1 };

export class HealthBook {
  constructor(
    private readonly limits: HealthLimits,
    /** Logged as an error: an operator has to look at it. */
    private readonly onPaused: (tenantId: number, reason: string) => void,
  ) {}

  /** Counts, and pauses sending if it is too much. Call under the tenant's lock. */
  async add(tx: Transaction, tenantId: number, tallies: readonly Tally[], now: string): Promise<void> {
    if (tallies.length === 0) return;
    const none = { sent: 0, delivered: 0, hardBounced: 0, complained: 0 };
    await addTallies(
      tx,
      tenantId,
      tallies.map((tally) => ({ ...none, ...tally })),
    );
    // Messages that left count too: with them there may be enough to judge by.
    if (!tallies.some(({ sent, hardBounced, complained }) => sent || hardBounced || complained)) return;
    const reason = excessOf(await selectFiguresSince(tx, tenantId, now), this.limits);
    if (reason === undefined || !(await insertPause(tx, tenantId, reason, now))) return;
    auditAtCommit(tx, { tenantId, accountId: null, address: null }, 'sending.paused', null, { reason });
    tx.afterCommit(() => this.onPaused(tenantId, reason));
  }
}

/** Why sending must pause, if it must. Pure. */
function excessOf(figures: Figures, { leastMessages, complaintRate, bounceRate }: HealthLimits): string | undefined {
  const { sent, hardBounced, complained } = figures;
  if (sent < leastMessages) return undefined;
  const share = (count: number, what: string, limit: number) =>
    `${count} of ${sent} messages in the last 24 hours ${what} (${percent(count / sent)}; the limit is ${percent(limit)}).`;
  if (complained / sent >= complaintRate) return share(complained, 'were reported as spam', complaintRate);
  if (hardBounced / sent >= bounceRate) return share(hardBounced, 'bounced permanently', bounceRate);
  return undefined;
}

function percent(rate: number): string {
  return `${Number((rate * 100).toFixed(2))}%`;
}

type Sending = DataValue<typeof getSending>;

export async function readSending(db: Runner, tenantId: number, now: string): Promise<Sending> {
  const { sent, delivered, hardBounced, complained, reason, since } = await selectSending(db, tenantId, now);
  return {
    state: reason === null ? 'open' : 'paused',
    reason,
    since,
    delivered,
    complaintRate: sent === 0 ? 0 : Math.min(1, complained / sent),
    bounceRate: sent === 0 ? 0 : Math.min(1, hardBounced / sent),
  };
}

export async function resumeSending(tx: Transaction, by: Actor, now: string, onResumed: () => void): Promise<Sending> {
  if (await deletePause(tx, by.tenantId)) {
    auditAtCommit(tx, by, 'sending.resumed');
    tx.afterCommit(onResumed);
  }
  return readSending(tx, by.tenantId, now);
}
