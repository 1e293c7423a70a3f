// A prepared mail may wait for a connection while its recipient says no, or its journey is paused. What people say is read again right before
// a mail leaves, for all mails of the tenant that wait together: however many there are, that is a few statements a second.
import type { FastifyBaseLogger } from 'fastify';
import type { Background } from '../../../db/database.js';
import type { Clock } from '../../../lib/clock.js';
import { areSubscribed } from '../../consent/index.js';
import { findPause } from '../health/queries.js';
import { selectHalts } from '../of-journeys/queries.js';
import { selectReasons } from '../suppressions/queries.js';
import { isHeld, stopReason } from './halts.js';
import { type Outcome, outcomeOf } from './outcome.js';
import { type Prepared, reasonOfAddress } from './prepare.js';

// Milliseconds. How long what was read counts as what people say now.
const freshFor = 100;
const afterTrouble = 5000;

/** What becomes of a mail that must not leave: it waits on, or it is skipped for a reason. */
type Verdict = { what: 'postponed' } | { what: 'skipped'; reason: string };

interface Waiting {
  readonly prepared: Prepared;
  /** When it was last read, by the clock's `elapsed`. */
  readAt: number;
  verdict: Verdict | undefined;
  looking: Promise<void> | undefined;
}

export class SecondLook {
  private readonly waiting = new Map<number, Map<string, Waiting>>();

  constructor(private readonly needs: { db: Background; clock: Clock; log: FastifyBaseLogger }) {}

  /** These wait for a connection. What they depend on was read at this moment. */
  add(tenantId: number, prepared: readonly Prepared[], readAt: number): void {
    const own = this.waiting.get(tenantId) ?? new Map<string, Waiting>();
    for (const one of prepared)
      own.set(one.claimed.messageId, { prepared: one, readAt, verdict: undefined, looking: undefined });
    if (own.size > 0) this.waiting.set(tenantId, own);
  }

  drop({ claimed, mail }: Prepared): void {
    const own = this.waiting.get(mail.tenantId);
    own?.delete(claimed.messageId);
    if (own?.size === 0) this.waiting.delete(mail.tenantId);
  }

  /** What becomes of a mail that was about to leave and must not any more, or for which that cannot be decided now. */
  async at(prepared: Prepared): Promise<Outcome | undefined> {
    const { claimed, mail, kept } = prepared;
    const { senderDomain } = kept;
    const now = this.needs.clock.now();
    try {
      const verdict = await this.verdictOn(prepared);
      if (verdict === undefined) return undefined;
      const { what, ...why } = verdict;
      const more = what === 'skipped' ? { ...why, senderDomain } : {};
      return outcomeOf(mail.tenantId, claimed.messageId, what, now.toISOString(), more);
    } catch (error) {
      this.needs.log.warn(
        { err: error, tenantId: mail.tenantId },
        'a message could not be checked; it will be retried',
      );
      const dueAt = new Date(now.getTime() + afterTrouble).toISOString();
      return outcomeOf(mail.tenantId, claimed.messageId, 'postponed', now.toISOString(), { dueAt });
    }
  }

  private async verdictOn(prepared: Prepared): Promise<Verdict | undefined> {
    const { tenantId } = prepared.mail;
    const own = this.waiting.get(tenantId);
    const one = own?.get(prepared.claimed.messageId);
    if (!own || !one) return undefined;
    try {
      if (this.needs.clock.elapsed() - one.readAt > freshFor)
        await (one.looking ?? this.look(tenantId, [...own.values()]));
      return one.verdict;
    } finally {
      this.drop(prepared);
    }
  }

  private look(tenantId: number, all: readonly Waiting[]): Promise<void> {
    const readAt = this.needs.clock.elapsed();
    const looking = this.read(tenantId, all).then(
      (verdicts) =>
        all.forEach((one, i) => {
          Object.assign(one, { readAt, verdict: verdicts[i], looking: undefined });
        }),
      (error) => {
        for (const one of all) one.looking = undefined;
        throw error;
      },
    );
    for (const one of all) one.looking = looking;
    return looking;
  }

  private async read(tenantId: number, all: readonly Waiting[]): Promise<(Verdict | undefined)[]> {
    const { db } = this.needs;
    const bound = all.flatMap(({ prepared: { claimed, kept } }) =>
      claimed.kind === 'transactional' || kept.topicId === null
        ? []
        : { messageId: claimed.messageId, contactId: claimed.contactId, topicId: kept.topicId },
    );
    const journeyIds = new Set(all.flatMap(({ prepared }) => prepared.claimed.journeyId ?? []));
    const [reasons, isSubscribed, halts, pause] = await Promise.all([
      selectReasons(db, tenantId, [...new Set(all.map(({ prepared }) => prepared.addressHash))]),
      areSubscribed(db, tenantId, bound),
      selectHalts(db, tenantId, [...journeyIds]),
      findPause(db, tenantId),
    ]);
    const unwanted = new Set(bound.filter((_, i) => !isSubscribed[i]).map(({ messageId }) => messageId));
    return all.map(({ prepared: { claimed, addressHash } }) => {
      if (isHeld(claimed, halts)) return { what: 'postponed' };
      const reason =
        stopReason(claimed, halts) ??
        reasonOfAddress(claimed.kind, reasons.get(addressHash)) ??
        (unwanted.has(claimed.messageId) ? 'topic' : undefined);
      if (reason !== undefined) return { what: 'skipped', reason };
      return pause && claimed.kind !== 'transactional' ? { what: 'postponed' } : undefined;
    });
  }
}
