// Sends due messages: claims them, prepares the mails, hands them to a mail server and stores the outcomes.
// A turn only claims. The rest takes as long as the mail servers take, and blocks no other work.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import { inSpan, isTracing } from '../../../lib/tracing.js';
import { isThrottle } from '../../../mail/bounces/replies.js';
import { keptReason, MailNotSent, type Transport } from '../../../mail/transport.js';
import { Leases } from '../../../work/leases.js';
import type { Due, Queue, Watch } from '../../../work/queue.js';
import { tenantOfSpan, tracesOf } from '../../../work/traces.js';
import type { Acknowledger } from '../../transactions/index.js';
import { selectPaused } from '../health/queries.js';
import { type Hold, selectHolds } from '../of-journeys/queries.js';
import { afterFailure } from './after-failure.js';
import type { PrepareNeeds } from './ground.js';
import type { Lane } from './lane.js';
import { type LaneNeeds, Lanes } from './lanes.js';
import { type Outcome, outcomeOf } from './outcome.js';
import { type Prepared, prepare } from './prepare.js';
import {
  type Claimed,
  claimMessages,
  reclaimMessages,
  renewLeases,
  selectHeads,
  selectIsCounted,
  selectWaiting,
} from './queries.js';
import { MessageRecorder } from './recorder.js';
import { SecondLook } from './second-look.js';

interface SenderNeeds extends PrepareNeeds, Omit<LaneNeeds, 'events' | 'onShut'> {
  acknowledger: Acknowledger;
  log: FastifyBaseLogger;
  /** How long an attempt may take; a lease lasts twice as long. */
  attemptSeconds: number;
  /** How long a message is retried, in hours. */
  retryHours: number;
  /** Called when there may be something to claim. */
  wake(): void;
  onRecorded(outcomes: readonly Outcome[]): void;
}

/** The outcome of an attempt, and how the recipient's domain reacted. */
interface Attempt {
  outcome: Outcome;
  how: 'sent' | 'throttled' | 'other';
}

// Milliseconds.
const afterTrouble = 5000;
// Rest for a tenant whose recipient domains are saturated, so that messages just put back are not claimed and prepared over and over.
const restMs = 1000;

export class Sender {
  private readonly lanes: Lanes;
  private readonly recorder: MessageRecorder;
  private readonly leases: Leases;
  private readonly secondLook: SecondLook;
  private readonly preparing = new Set<Promise<void>>();
  /** Tenants that rest for a moment, and until when. */
  private readonly resting = new Map<number, number>();
  private paused = new Set<number>();
  private holds: readonly Hold[] = [];
  private watch: Watch | undefined;
  private isStopping = false;

  constructor(private readonly needs: SenderNeeds) {
    const attemptMs = needs.attemptSeconds * 1000;
    this.leases = new Leases({
      clock: needs.clock,
      lastsMs: 2 * attemptMs,
      neededMs: attemptMs,
      renew: (owner, seconds, leased) => renewLeases(needs.db, owner, seconds, leased),
    });
    this.recorder = new MessageRecorder({
      ...needs,
      lease: this.leases.owner,
      onRecorded: (outcomes) => this.forget(outcomes),
    });
    this.secondLook = new SecondLook(needs);
    const events = {
      send: (prepared: Prepared, transport: Transport) => this.send(prepared, transport),
      putBack: (prepared: readonly Prepared[], waitMs: number) => this.putBack(prepared, waitMs),
      onRoom: () => needs.wake(),
    };
    const onShut = (tenantId: number, err: Error) =>
      needs.log.error({ tenantId, err }, 'a tenant has to wait to send mail: its own mail server cannot be used');
    this.lanes = new Lanes({ ...needs, events, onShut });
  }

  get queue(): Queue {
    return {
      name: 'messages',
      hands: 2,
      pollMs: 1000,
      due: () => this.due(),
      serve: (tenantId, watch) => this.serve(tenantId, watch),
      waiting: selectWaiting,
    };
  }

  /** Renews this process's leases, and takes back messages that other processes abandoned. */
  async keep(): Promise<void> {
    this.lanes.endLeft();
    await this.leases.renew();
    if ((await reclaimMessages(this.needs.db, 1000)) > 0) this.needs.wake();
  }

  /** Waits a while for messages in flight; the others go back to the queue. */
  async stop(patienceMs: number): Promise<void> {
    this.isStopping = true;
    for (const lane of this.lanes.all) this.putBack(lane.close(), 0);
    await Promise.race([this.quiet(), sleep(patienceMs, undefined, { ref: false })]);
    this.lanes.close();
  }

  private async quiet(): Promise<void> {
    await Promise.all(this.preparing);
    await this.leases.ended();
  }

  private async due(): Promise<Due> {
    if (this.isStopping) return { tenants: [] };
    const heads = await selectHeads(this.needs.db);
    if (heads.length === 0) return { tenants: [] };
    this.paused = new Set(await selectPaused(this.needs.db));
    this.holds = (await selectHolds(this.needs.db)).filter(({ isReleased }) => !isReleased);
    const open = heads.filter(({ tenantId, isTransactional }) => isTransactional || !this.paused.has(tenantId));
    const ready = open.filter(({ waitMs }) => waitMs <= 0).map(({ tenantId }) => tenantId);
    await this.lanes.refresh([...new Set(ready)]);
    const now = this.needs.clock.elapsed();
    for (const [tenantId, until] of this.resting) if (until <= now) this.resting.delete(tenantId);
    const awake = [...new Set(ready)].filter((tenantId) => !this.resting.has(tenantId));
    const tenants = awake.filter((tenantId) => (this.lanes.of(tenantId)?.room(tenantId) ?? 0) > 0);
    const rests = ready.flatMap((tenantId) => this.resting.get(tenantId) ?? []).map((until) => until - now);
    const waits = [...open.map(({ waitMs }) => waitMs), ...rests].filter((waitMs) => waitMs > 0);
    return { tenants, nextInMs: waits.length === 0 ? undefined : Math.min(...waits) };
  }

  private async serve(tenantId: number, watch: Watch): Promise<number> {
    this.watch = watch;
    const lane = this.lanes.of(tenantId);
    const room = lane?.room(tenantId) ?? 0;
    if (!lane || room <= 0 || this.isStopping) return 0;
    lane.hold(tenantId, room);
    await this.lookForPlans();
    const options = {
      lease: this.leases.owner,
      seconds: this.leases.seconds,
      onlyTransactional: this.paused.has(tenantId),
      held: this.holds.flatMap((hold) => (hold.tenantId === tenantId ? hold.journeyId : [])),
    };
    const claim = () => claimMessages(this.needs.db, tenantId, room, options);
    const claimed = await this.leases.take(tenantId, claim, idOf).catch((error) => {
      lane.drop(tenantId, room);
      throw error;
    });
    lane.drop(tenantId, room - claimed.length);
    if (isTracing()) await this.learnTraces(tenantId, claimed);
    if (claimed.length > 0) this.begin(lane, tenantId, claimed);
    return claimed.length;
  }

  /** A message without its trace is still sent. */
  private async learnTraces(tenantId: number, claimed: readonly Claimed[]): Promise<void> {
    const ids = claimed.map(({ messageId }) => messageId);
    const traces = await tracesOf(this.needs.db, tenantId, ids).catch(() => new Map<string, string>());
    for (const message of claimed) message.trace = traces.get(message.messageId);
  }

  /** Checked until it is true, which is within a minute of the database's first thousand messages. */
  private async lookForPlans(): Promise<void> {
    if (!this.recorder.mayKeepPlans)
      this.recorder.mayKeepPlans = await selectIsCounted(this.needs.db).catch(() => false);
  }

  private begin(lane: Lane, tenantId: number, claimed: readonly Claimed[]): void {
    const preparing = this.prepare(lane, tenantId, claimed).finally(() => this.preparing.delete(preparing));
    this.preparing.add(preparing);
  }

  private async prepare(lane: Lane, tenantId: number, claimed: readonly Claimed[]): Promise<void> {
    const { needs } = this;
    const now = needs.clock.now();
    const readAt = needs.clock.elapsed();
    let results: (Prepared | Outcome)[];
    try {
      results = await prepare(needs, tenantId, claimed, now);
    } catch (error) {
      // A failure of the database or of the rendering processes says nothing about these messages.
      needs.log.warn({ err: error, tenantId }, 'messages could not be prepared; they will be retried');
      const dueAt = new Date(now.getTime() + afterTrouble).toISOString();
      results = claimed.map(({ messageId }) =>
        outcomeOf(tenantId, messageId, 'postponed', now.toISOString(), { dueAt }),
      );
    }
    const ready = results.filter((result): result is Prepared => 'mail' in result);
    const ended = results.filter((result): result is Outcome => !('mail' in result));
    this.secondLook.add(tenantId, ready, readAt);
    const late = lane.add(ready);
    this.putBack(late, 0);
    await Promise.all(ended.map((outcome) => this.recorder.record(outcome)));
    lane.drop(tenantId, ended.length + late.length);
  }

  /** Resolves once the outcome is stored. A connection starts its next message only then, so a crash repeats at most one per connection. */
  private async send(prepared: Prepared, transport: Transport): Promise<Attempt['how']> {
    const { claimed } = prepared;
    const unwanted = await this.secondLook.at(prepared);
    if (unwanted) {
      await this.recorder.record(unwanted);
      return 'other';
    }
    // Another process may have it by now. If not, its lease expires soon.
    if (!this.leases.isCertain(claimed.messageId)) {
      this.leases.drop([claimed.messageId]);
      return 'other';
    }
    let release: () => void = () => undefined;
    const stored = new Promise<void>((resolve) => {
      release = resolve;
    });
    try {
      const { outcome, how } = await this.attempt(prepared, transport, stored);
      await this.recorder.record(outcome);
      return how;
    } finally {
      release();
    }
  }

  private traced<T>({ claimed, mail }: Prepared, work: () => Promise<T>): Promise<T> {
    if (!isTracing()) return work();
    const attributes = { ...tenantOfSpan(mail.tenantId), 'rapport.message_id': claimed.messageId };
    const origins = claimed.trace === undefined ? [] : [claimed.trace];
    return inSpan({ name: 'send mail', kind: 'client', origins, attributes }, work);
  }

  private async attempt(prepared: Prepared, transport: Transport, stored: Promise<void>): Promise<Attempt> {
    const { claimed, mail } = prepared;
    const { tenantId } = mail;
    try {
      const { reply } = await this.traced(prepared, () => transport.send(mail, stored));
      const reason = transport.name === 'outbox' ? keptReason : null;
      const outcome = outcomeOf(tenantId, claimed.messageId, 'sent', this.now, { ...prepared.kept, reply, reason });
      return { outcome, how: 'sent' };
    } catch (error) {
      const failure = error instanceof MailNotSent ? error : unexpected(error as Error);
      if (failure !== error) this.needs.log.error({ err: error, tenantId }, 'sending a message failed unexpectedly');
      const isThrottled = failure.code !== null && isThrottle(failure.code);
      return {
        outcome: afterFailure(prepared, failure, this.now, this.needs.retryHours),
        how: isThrottled ? 'throttled' : 'other',
      };
    }
  }

  private putBack(prepared: readonly Prepared[], waitMs: number): void {
    const at = this.needs.clock.now();
    const dueAt = new Date(at.getTime() + waitMs).toISOString();
    for (const one of prepared) {
      const { claimed, mail } = one;
      this.secondLook.drop(one);
      if (waitMs > 0) this.resting.set(mail.tenantId, this.needs.clock.elapsed() + restMs);
      void this.recorder.record(outcomeOf(mail.tenantId, claimed.messageId, 'postponed', at.toISOString(), { dueAt }));
    }
  }

  private forget(outcomes: readonly Outcome[]): void {
    this.leases.drop(outcomes.map(idOf));
    const ended = outcomes.filter(({ what }) => what !== 'postponed' && what !== 'later');
    this.watch?.done('message', ended.length);
    this.needs.onRecorded(outcomes);
  }

  private get now(): string {
    return this.needs.clock.now().toISOString();
  }
}

/** A bug: the message is retried, as after any failure that is not its own. */
function unexpected(error: Error): MailNotSent {
  const reply = `an unexpected error: ${error.name}`;
  return new MailNotSent(reply, { outlook: 'later', stage: 'connect', code: null, reply });
}

function idOf({ messageId }: { messageId: string }): string {
  return messageId;
}
