// Stores outcomes of deliveries, and passes the responses to journeys' calls on to them.
import type { FastifyBaseLogger } from 'fastify';
import type { Background, Transaction } from '../../../db/database.js';
import { Topic } from '../../../db/news.js';
import { Recorder } from '../../../work/recorder.js';
import { postsTried } from '../posts.js';
import { pauseWebhooks } from '../queries.js';
import type { CallAnswer, DeliveryOutcome, Recorded } from './delivery.js';
import { recordOutcomes } from './queries.js';

/** A journey's call was answered, or given up. */
export interface CallAnswered {
  enrolmentId: string;
  journeyNo: number;
  visit: number;
  contactId: string;
  answer: CallAnswer;
}

/** Announced in the transaction that stores the outcome: a call is answered exactly once, whenever a process is killed. */
export const callsAnswered = new Topic<CallAnswered>('callsAnswered');

interface RecorderNeeds {
  db: Background;
  log: FastifyBaseLogger;
  /** The lease owner id of this process. */
  lease: string;
  onRecorded(outcomes: readonly DeliveryOutcome[]): void;
}

export class DeliveryRecorder {
  private readonly recorder: Recorder<DeliveryOutcome>;

  constructor(private readonly needs: RecorderNeeds) {
    const { log, onRecorded } = needs;
    const store = (outcomes: readonly DeliveryOutcome[]) => this.store(outcomes);
    const bare = (outcome: DeliveryOutcome) => ({ ...outcome, body: undefined });
    this.recorder = new Recorder({ log, of: 'webhooks', store, bare, onRecorded });
  }

  /** Resolves once the outcome is durably stored. */
  record(outcome: DeliveryOutcome): Promise<void> {
    return this.recorder.record(outcome);
  }

  private async store(outcomes: readonly DeliveryOutcome[]): Promise<void> {
    const { db, lease, log } = this.needs;
    const said = new Map(outcomes.map((outcome) => [outcome.deliveryId, outcome]));
    await db.transaction(async (tx) => {
      const recorded = await recordOutcomes(tx, lease, outcomes);
      const tried = recorded.flatMap((row) => {
        const outcome = said.get(row.deliveryId);
        return outcome ? [{ row, outcome }] : [];
      });
      const ended = tried.filter(({ outcome }) => outcome.what !== 'later');
      const broken = ended.flatMap(({ row: { tenantId, webhookId }, outcome }) =>
        webhookId !== null && outcome.what === 'failed' ? [{ tenantId, webhookId, reason: outcome.error ?? '' }] : [],
      );
      const paused = broken.length > 0 ? await pauseWebhooks(tx, broken) : [];
      await tell(tx, ended);
      await tellPosts(tx, tried);
      tx.afterCommit(() => {
        for (const facts of paused)
          log.warn(facts, 'a webhook is failing and was paused; POST /v2/webhooks/{id}/resume resumes it');
      });
    });
  }
}

interface Tried {
  row: Recorded;
  outcome: DeliveryOutcome;
}

async function tell(tx: Transaction, ended: readonly Tried[]): Promise<void> {
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

/** Also of those that are tried again. */
async function tellPosts(tx: Transaction, tried: readonly Tried[]): Promise<void> {
  for (const { row, outcome } of tried) {
    const { tenantId, lane, webhookId, enrolmentId } = row;
    if (webhookId !== null || enrolmentId !== null) continue;
    const { at, what, status, error } = outcome;
    await postsTried.tell(tx, tenantId, at, () => [{ lane, at, what, status, error }]);
  }
}

function answerOf({ what, status, error, body }: DeliveryOutcome): CallAnswer {
  if (what !== 'delivered') return { ok: false, why: error ?? 'It was given up.' };
  return { ok: true, status: status ?? 200, ...(body === undefined ? {} : { body }) };
}
