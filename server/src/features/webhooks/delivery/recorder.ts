// Stores what became of deliveries, those of a moment together, and tells journeys what their calls answered.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Background, Transaction } from '../../../db/database.js';
import { Topic } from '../../../db/news.js';
import { waitAfter } from '../../../lib/backoff.js';
import { prospectOf } from '../../../work/prospect.js';
import { pauseWebhooks } from '../queries.js';
import type { CallAnswer, Outcome, Recorded } from './delivery.js';
import { recordOutcomes } from './queries.js';

/** A journey's call was answered, or given up. */
export interface CallAnswered {
  enrolmentId: string;
  journeyNo: number;
  visit: number;
  contactId: string;
  answer: CallAnswer;
}

/** Told in the transaction that stores the outcome: a call is answered once, whatever is killed when. */
export const callsAnswered = new Topic<CallAnswered>('callsAnswered');

export interface RecorderNeeds {
  db: Background;
  log: FastifyBaseLogger;
  /** Of this process. */
  lease: string;
  onRecorded(outcomes: readonly Outcome[]): void;
}

const mostInGroup = 200;

interface Waiting {
  outcome: Outcome;
  resolve(): void;
}

export class Recorder {
  private waiting: Waiting[] = [];
  private isBusy = false;

  constructor(private readonly needs: RecorderNeeds) {}

  /** Returns once it is stored for good. While the database is away it is tried again: nobody else knows. */
  record(outcome: Outcome): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push({ outcome, resolve });
      if (this.isBusy) return;
      this.isBusy = true;
      // One turn of the event loop gathers what came in the same read of the sockets.
      setImmediate(() => void this.flush());
    });
  }

  private async flush(): Promise<void> {
    for (let most = mostInGroup, failures = 0; this.waiting.length > 0; ) {
      const group = this.waiting.slice(0, most);
      try {
        await this.store(group.map(({ outcome }) => outcome));
      } catch (err) {
        const isOurs = prospectOf(err) !== 'passes';
        this.needs.log.warn(
          { err, count: group.length },
          'what became of webhooks could not be stored; it is tried again',
        );
        // One that cannot be stored is found by halving, and comes after the others, without what the receiver wrote.
        if (isOurs && group.length === 1) {
          const [{ outcome, resolve }, ...others] = this.waiting as [Waiting];
          this.waiting = [...others, { outcome: { ...outcome, body: undefined }, resolve }];
        }
        if (isOurs) most = Math.max(1, group.length >> 1);
        await sleep(waitAfter(++failures, 50, 2, 2000));
        continue;
      }
      most = mostInGroup;
      failures = 0;
      this.waiting = this.waiting.slice(group.length);
      this.needs.onRecorded(group.map(({ outcome }) => outcome));
      for (const { resolve } of group) resolve();
    }
    this.isBusy = false;
  }

  private async store(outcomes: readonly Outcome[]): Promise<void> {
    const { db, lease, log } = this.needs;
    const said = new Map(outcomes.map((outcome) => [outcome.deliveryId, outcome]));
    await db.transaction(async (tx) => {
      const recorded = await recordOutcomes(tx, lease, outcomes);
      const ended = recorded.flatMap((row) => {
        const outcome = said.get(row.deliveryId);
        return outcome && outcome.what !== 'later' ? [{ row, outcome }] : [];
      });
      const broken = ended.flatMap(({ row: { tenantId, webhookId }, outcome }) =>
        webhookId !== null && outcome.what === 'failed' ? [{ tenantId, webhookId, reason: outcome.error ?? '' }] : [],
      );
      const paused = broken.length > 0 ? await pauseWebhooks(tx, broken) : [];
      await tell(tx, ended);
      tx.afterCommit(() => {
        for (const facts of paused)
          log.warn(facts, 'a webhook is failing and was paused; POST /v2/webhooks/{id}/resume goes on with it');
      });
    });
  }
}

async function tell(tx: Transaction, ended: readonly { row: Recorded; outcome: Outcome }[]): Promise<void> {
  for (const tenantId of new Set(ended.map(({ row }) => row.tenantId))) {
    const own = ended.filter(({ row }) => row.tenantId === tenantId);
    await callsAnswered.tell(tx, tenantId, own[0]?.outcome.at ?? '', () =>
      own.flatMap(({ row: { enrolmentId, journeyNo, visit, contactId }, outcome }) =>
        enrolmentId === null || journeyNo === null || visit === null || contactId === null
          ? []
          : [{ enrolmentId, journeyNo, visit, contactId, answer: answerOf(outcome) }],
      ),
    );
  }
}

function answerOf({ what, status, error, body }: Outcome): CallAnswer {
  if (what !== 'delivered') return { ok: false, why: error ?? 'It was given up.' };
  return { ok: true, status: status ?? 200, ...(body === undefined ? {} : { body }) };
}
