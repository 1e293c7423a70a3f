// Batches that are applied in the transaction that acknowledges them. Stored, read back, parsed and finished, a batch costs about as much as its
// application. It is only a shortcut: what does not fit, or would overtake another write, is queued as before.
import type { Database, Transaction } from '../../../db/database.js';
import { locks, lockTenant } from '../../../db/locks.js';
import { type Clock, systemClock } from '../../../lib/clock.js';
import { GroupCommit } from '../../../work/group-commit.js';
import { prospectOf } from '../../../work/prospect.js';
import type { Watch } from '../../../work/queue.js';
import { keepTraces } from '../../../work/traces.js';
import { type Acknowledgement, toAcknowledgement } from '../acknowledgement.js';
import type { Applier, Appliers } from '../appliers.js';
import { insertFailures } from '../outcomes/queries.js';
import type { NewWrite, PendingWrite } from '../queries.js';
import { applyRun, countByKind, failuresOf, mostRuns, runsOf } from '../runs.js';
import { insertFinished, takePlaces } from './queries.js';

/** A write that may be applied at once. The applier may change `body`. */
type Candidate = NewWrite & { readonly body: unknown };

/**
 * `waits`: nothing was done, because other writes come first. `failed`: it could not be applied, and may have changed its body. Either way it
 * must be queued.
 */
type Answer = Acknowledgement | 'waits' | 'failed';

// Characters of JSON. A shorter write gains nothing from it; a longer one would keep others waiting.
const shortest = 4096;
const longest = 256 * 1024;
// What a tenant has waiting for its turn, in characters: more is queued.
const mostWaiting = 4 * 1024 * 1024;
// They use connections that other requests need, too.
const mostTenants = 2;
// Milliseconds until a tenant is tried again after a failure, which the queue finds the cause of.
const restMs = 10_000;

export class AtOnce {
  private readonly groups: GroupCommit<Candidate, Answer>;
  /** Characters that wait or are being applied, by tenant. */
  private readonly waiting = new Map<number, number>();
  private readonly restsUntil = new Map<number, number>();
  private watch: Watch | undefined;

  /** `wake`: called after each group: writes that were queued meanwhile found their tenant locked. */
  constructor(
    private readonly db: Database,
    private readonly appliers: Appliers,
    wake: () => void,
    private readonly clock: Clock = systemClock,
  ) {
    this.groups = new GroupCommit({
      keyOf: ({ tenantId }) => tenantId,
      sizeOf: ({ payload }) => payload.length,
      commit: (group) => this.commit(group),
      // Only if the commit itself failed: then it may have happened.
      isShared: () => true,
      // A second one would find its tenant locked.
      trips: 1,
      onSettled: wake,
    });
  }

  /** A process that does not call this applies nothing at once. */
  open(watch: Watch): void {
    this.watch = watch;
  }

  async add(write: Candidate): Promise<Answer> {
    const applier = this.applierOf(write);
    const { tenantId } = write;
    const before = this.waiting.get(tenantId) ?? 0;
    const isFull = before === 0 ? this.waiting.size >= mostTenants : before + write.payload.length > mostWaiting;
    if (!applier || isFull || this.rests(tenantId)) return 'waits';
    this.waiting.set(tenantId, before + write.payload.length);
    try {
      const body = applier.readAhead ? await applier.readAhead(write.body) : write.body;
      return await this.groups.add({ ...write, body });
    } finally {
      const after = (this.waiting.get(tenantId) ?? 0) - write.payload.length;
      if (after > 0) this.waiting.set(tenantId, after);
      else this.waiting.delete(tenantId);
    }
  }

  private applierOf({ kind, payload, isLong, gatherMs, body }: Candidate): Applier | undefined {
    const fits = payload.length >= shortest && payload.length <= longest;
    if (!this.watch || !fits || isLong || gatherMs !== undefined || body === undefined) return undefined;
    const applier = this.appliers.of(kind);
    return applier?.isAppliedAtOnce ? applier : undefined;
  }

  private rests(tenantId: number): boolean {
    const until = this.restsUntil.get(tenantId);
    if (until === undefined) return false;
    if (this.clock.elapsed() < until) return true;
    this.restsUntil.delete(tenantId);
    return false;
  }

  /** Writes of one tenant. An error before the commit harms none of them: they are queued. */
  private async commit(group: readonly Candidate[]): Promise<Answer[]> {
    const { tenantId, kind } = group[0] as Candidate;
    let isCommitting = false;
    try {
      return await this.db.transaction(async (tx) => {
        const answers = await this.apply(tx, tenantId, group);
        // The last of what runs before the commit.
        tx.beforeCommit(async () => {
          isCommitting = true;
        });
        return answers ?? group.map(() => 'waits');
      });
    } catch (error) {
      if (isCommitting) throw error;
      this.restsUntil.set(tenantId, this.clock.elapsed() + restMs);
      if (prospectOf(error) !== 'passes') this.watch?.retried(kind, tenantId, error as Error);
      return group.map(() => 'failed');
    }
  }

  /** Undefined if something else of the tenant comes first. */
  private async apply(tx: Transaction, tenantId: number, group: readonly Candidate[]): Promise<Answer[] | undefined> {
    const appliers = group.map(({ kind }) => this.appliers.of(kind) as Applier);
    const runs = appliers.filter((applier, i) => applier !== appliers[i - 1]).length;
    if (runs > mostRuns) return undefined;
    // Sent together; the places are looked for after the locks.
    const [now, places] = await Promise.all([lockFor(tx, tenantId, appliers), takePlaces(tx, tenantId, group.length)]);
    if (now === undefined || places.length === 0) return undefined;
    await keepTraces(tx, group, ({ uuid, trace }) => ({ tenantId, workId: uuid, trace }));
    const writes = group.map((write, i): PendingWrite => {
      const { uuid, kind, items, payload, body } = write;
      return { uuid, kind, items, payload, body, attempts: 0, dueAt: null, ...(places[i] as (typeof places)[number]) };
    });
    const outcomes = [];
    for (const run of runsOf(this.appliers, writes)) {
      const applied = await applyRun(tx, tenantId, run, now);
      await insertFailures(tx, tenantId, failuresOf(run.writes, applied));
      outcomes.push(...applied);
    }
    await insertFinished(tx, tenantId, writes, outcomes);
    tx.afterCommit(() => {
      for (const [kind, count] of countByKind(writes)) this.watch?.done(kind, count);
    });
    return writes.map(({ uuid, createdAt }) => toAcknowledgement({ tenantId, uuid }, createdAt));
  }
}

/** What a turn of the queue takes. Returns the time, read after the lock. */
async function lockFor(tx: Transaction, tenantId: number, appliers: readonly Applier[]): Promise<string | undefined> {
  const leavesContacts = appliers.every((applier) => applier.leavesContacts);
  const [now, at] = await Promise.all([
    lockTenant(tx, tenantId, locks.writeTurn),
    leavesContacts ? undefined : lockTenant(tx, tenantId, locks.writes),
  ]);
  return leavesContacts || now === undefined ? now : at;
}
