// Makes the calls that are due: claims them lane by lane, calls as many at once as receivers and fairness allow, and stores the outcome. A
// turn only claims. The rest takes as long as receivers take, and blocks no other work.
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type { Background } from '../../../db/database.js';
import type { Clock } from '../../../lib/clock.js';
import { random } from '../../../lib/random.js';
import type { SecretBox } from '../../../lib/secret-box.js';
import { Leases } from '../../../work/leases.js';
import type { Due, Queue, Watch } from '../../../work/queue.js';
import type { Attempted, Call } from '../call/caller.js';
import type { DeliveryOutcome } from './delivery.js';
import { judge } from './judge.js';
import { type Chain, Lane } from './lane.js';
import { callOf, chainsOf, type Signed, withKeys } from './prepare.js';
import { claimDeliveries, releaseDeliveries, renewLeases, selectLanes, selectWaiting } from './queries.js';
import { DeliveryRecorder } from './recorder.js';
import { Slots } from './slots.js';

interface DelivererNeeds {
  db: Background;
  clock: Clock;
  log: FastifyBaseLogger;
  box: SecretBox;
  attempt(call: Call): Promise<Attempted>;
  /** Called when there may be something to claim. */
  wake(): void;
  onRecorded(outcomes: readonly DeliveryOutcome[]): void;
}

interface Held extends Signed {
  tenantId: number;
}

// Milliseconds. Leases are renewed three times as often; calls held by a killed process are due again after this.
const lastsMs = 60_000;
export const renewMs = lastsMs / 3;
// An attempt starts only with this much of the lease left.
const neededMs = 5000;

export class Deliverer {
  private readonly lanes = new Map<string, Lane<Held>>();
  private readonly leases: Leases;
  private readonly recorder: DeliveryRecorder;
  private readonly slots = new Slots();
  private watch: Watch | undefined;
  private isStopping = false;

  constructor(private readonly needs: DelivererNeeds) {
    this.leases = new Leases({
      ...{ clock: needs.clock, lastsMs, neededMs },
      renew: (owner, seconds, leased) => renewLeases(needs.db, owner, seconds, leased),
    });
    this.recorder = new DeliveryRecorder({
      ...needs,
      lease: this.leases.owner,
      onRecorded: (outcomes) => this.recorded(outcomes),
    });
  }

  get queue(): Queue {
    return {
      name: 'webhooks',
      hands: 2,
      pollMs: 1000,
      due: () => this.due(),
      serve: (tenantId, watch) => this.serve(tenantId, watch),
      waiting: selectWaiting,
    };
  }

  /** Renews the leases of this process, and forgets receivers without any calls here. */
  async keep(): Promise<void> {
    const now = this.needs.clock.elapsed();
    for (const [key, lane] of this.lanes) if (lane.isIdle(now)) this.lanes.delete(key);
    await this.leases.renew();
  }

  /** Waits a while for calls in flight; the others go back to the queue. */
  async stop(patienceMs: number): Promise<void> {
    this.isStopping = true;
    for (const lane of this.lanes.values()) this.putBack(lane.empty());
    await Promise.race([this.leases.ended(), sleep(patienceMs, undefined, { ref: false })]);
  }

  private async due(): Promise<Due> {
    if (this.isStopping) return { tenants: [] };
    const now = this.needs.clock.elapsed();
    const tenants = new Set<number>();
    let nextInMs = Number.POSITIVE_INFINITY;
    for (const { tenantId, lane: name, waitMs } of await selectLanes(this.needs.db)) {
      const lane = this.laneOf(tenantId, name);
      const inMs = Math.max(waitMs, lane.restMs(now));
      if (inMs > 0) nextInMs = Math.min(nextInMs, inMs);
      else if (lane.room(now) > 0 && this.slots.isFree(tenantId)) tenants.add(tenantId);
      lane.isDue = waitMs <= 0;
    }
    return { tenants: [...tenants], nextInMs: Number.isFinite(nextInMs) ? nextInMs : undefined };
  }

  private async serve(tenantId: number, watch: Watch): Promise<number> {
    this.watch = watch;
    const now = this.needs.clock.elapsed();
    const own = [...this.lanes.values()].filter((lane) => lane.tenantId === tenantId && lane.isDue);
    const rooms = own.flatMap((lane) => {
      const room = lane.room(now);
      lane.isDue = false;
      return room > 0 ? [{ lane: lane.name, room }] : [];
    });
    if (rooms.length === 0 || this.isStopping) return 0;
    const lease = { lease: this.leases.owner, seconds: this.leases.seconds };
    const claim = () => claimDeliveries(this.needs.db, tenantId, rooms, lease);
    const claimed = await this.leases.take(tenantId, claim, idOf);
    const signed = await withKeys(this.needs, tenantId, claimed).catch((error) => {
      this.leases.drop(claimed.map(idOf));
      throw error;
    });
    const held = signed.map((each) => ({ ...each, tenantId }));
    for (const chain of chainsOf(held)) this.laneOf(tenantId, chain[0].lane).add([chain]);
    // A stopping process starts nothing new.
    if (this.isStopping) for (const lane of own) this.putBack(lane.empty());
    this.pump();
    return claimed.length;
  }

  /** Starts as many calls as may run: one from each lane in turn. */
  private pump(): void {
    for (let hasBegun = true; hasBegun; ) {
      hasBegun = false;
      for (const lane of this.lanes.values()) {
        const chain = this.slots.isFree(lane.tenantId) ? lane.take() : undefined;
        if (!chain) continue;
        hasBegun = true;
        this.slots.take(lane.tenantId);
        void this.run(lane, chain).finally(() => {
          lane.done();
          this.slots.leave(lane.tenantId);
          this.pump();
          if (!this.isStopping && lane.room(this.needs.clock.elapsed()) > 0) this.needs.wake();
        });
      }
    }
  }

  private async run(lane: Lane<Held>, chain: Chain<Held>): Promise<void> {
    for (const [i, held] of chain.entries()) {
      // Another process may have it by now: it is left to that one, together with what comes after it.
      if (!this.leases.isCertain(held.deliveryId) || this.isStopping) return this.putBack([chain.slice(i)]);
      const outcome = await this.deliver(lane, held);
      await this.recorder.record(outcome);
      if (outcome.what === 'delivered') continue;
      // Those behind it go back to the queue with it.
      if (outcome.what === 'later') this.leases.drop(chain.slice(i + 1).map(idOf));
      else this.putBack([chain.slice(i + 1)]);
      return;
    }
  }

  private async deliver(lane: Lane<Held>, held: Held): Promise<DeliveryOutcome> {
    const { clock, attempt } = this.needs;
    const startedAt = clock.elapsed();
    const attempted = await tryCall(held, clock.now(), attempt);
    const now = clock.now().getTime();
    const verdict = judge(
      attempted,
      { attempts: held.attempts, firstTriedAt: Date.parse(held.firstTriedAt) },
      now,
      random,
    );
    this.learn(lane, verdict, startedAt, now);
    const dueAt = verdict.what === 'later' ? new Date(verdict.dueAt).toISOString() : null;
    return {
      ...{ tenantId: held.tenantId, deliveryId: held.deliveryId, at: new Date(now).toISOString(), dueAt },
      ...{ what: verdict.what, status: verdict.status, error: verdict.error },
      ...(attempted.kind === 'answered' && verdict.what === 'delivered' ? { body: attempted.body } : {}),
    };
  }

  private learn(lane: Lane<Held>, verdict: ReturnType<typeof judge>, startedAt: number, now: number): void {
    const elapsed = this.needs.clock.elapsed();
    if (verdict.what === 'delivered') {
      lane.succeeded(elapsed - startedAt);
      return;
    }
    lane.failed(elapsed, verdict.what === 'later' && verdict.asked ? verdict.dueAt - now : 0);
    // What was claimed for a resting or paused receiver goes back to the queue.
    if (lane.restMs(elapsed) > 0 || verdict.what === 'failed') this.putBack(lane.empty());
  }

  private putBack(chains: readonly Chain<Held>[]): void {
    const left = chains.flat();
    const [first] = left;
    if (!first) return;
    const ids = left.map(idOf);
    // If that fails, their lease expires.
    void releaseDeliveries(this.needs.db, this.leases.owner, first.tenantId, ids)
      .catch((err) => this.needs.log.warn({ err }, 'webhooks could not be put back; they will be retried in a minute'))
      .finally(() => this.leases.drop(ids));
  }

  private recorded(outcomes: readonly DeliveryOutcome[]): void {
    this.leases.drop(outcomes.map(idOf));
    this.watch?.done('webhook', outcomes.filter(({ what }) => what !== 'later').length);
    this.needs.onRecorded(outcomes);
  }

  private laneOf(tenantId: number, name: string): Lane<Held> {
    const key = `${tenantId} ${name}`;
    const lane = this.lanes.get(key) ?? new Lane<Held>(tenantId, name);
    this.lanes.set(key, lane);
    return lane;
  }
}

async function tryCall(held: Held, at: Date, attempt: DelivererNeeds['attempt']): Promise<Attempted> {
  if (held.keys instanceof Error) return { kind: 'failed', why: held.keys.message };
  try {
    return await attempt(callOf(held, held.keys, at));
  } catch (error) {
    return { kind: 'failed', why: `An unexpected error: ${(error as Error).name}.` };
  }
}

function idOf({ deliveryId }: { deliveryId: string }): string {
  return deliveryId;
}
