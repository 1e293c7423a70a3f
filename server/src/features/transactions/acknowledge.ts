import type { Database, Runner, Transaction } from '../../db/database.js';
import { locks, shareTenantSoon } from '../../db/locks.js';
import type { Caller, Idempotency } from '../../http/endpoint.js';
import { newTransactionUuid } from '../../lib/ids.js';
import { currentTrace } from '../../lib/tracing.js';
import { GroupCommit, mostInGroup } from '../../work/group-commit.js';
import { answerOnce } from '../idempotency/index.js';
import { type Acknowledgement, toAcknowledgement } from './acknowledgement.js';
import type { AtOnce } from './at-once/at-once.js';
import type { Handover } from './handover.js';
import { isIdle } from './pending/queries.js';
import { insertWrites, type NewWrite } from './queries.js';

/** `body`: the parsed payload, if there is one. The caller must not change it any more. */
export type Write = Omit<NewWrite, 'uuid'> & { readonly body?: unknown };

// A turn that applies writes takes this long at most.
const longestWaitMs = 900;

/** Ways around the queue, in a process that also applies writes. */
interface Shortcuts {
  handover: Handover;
  atOnce?: AtOnce;
}

/** A write is acknowledged only after its commit, which it shares with writes that arrive at the same time. */
export class Acknowledger {
  private readonly groups: GroupCommit<NewWrite, Acknowledgement>;

  constructor(
    private readonly db: Database,
    private readonly wake: () => void,
    private readonly shortcuts?: Shortcuts,
  ) {
    this.groups = new GroupCommit({
      // For all tenants together.
      keyOf: () => 0,
      // Keeps groups of long writes small: see insertWrites.
      sizeOf: ({ payload }) => payload.length,
      commit: (writes) => acknowledgeAll(db, writes),
      onSettled: wake,
    });
  }

  async acknowledge({ body, ...write }: Write): Promise<Acknowledgement> {
    // Others share the commit, and it belongs to none of their traces.
    const whole = { ...write, uuid: newTransactionUuid(), trace: currentTrace() ?? null };
    const { atOnce, handover } = this.shortcuts ?? {};
    const answer = (await atOnce?.add({ ...whole, body })) ?? 'waits';
    if (answer !== 'waits' && answer !== 'failed') return answer;
    const acknowledgement = await this.groups.add(whole);
    if (body !== undefined && answer === 'waits') handover?.put(write.tenantId, whole.uuid, body, write.payload.length);
    return acknowledgement;
  }

  /**
   * Acknowledges the write of a POST, at most once per Idempotency-Key. `check` throws if the write is refused;
   * a replay is not checked again.
   */
  async answer(
    call: { caller: Caller; idempotency: Idempotency | undefined },
    write: Omit<Write, 'tenantId'>,
    check?: (db: Runner) => Promise<void>,
  ): Promise<{ data: Acknowledgement; replayed?: boolean }> {
    const whole = { tenantId: call.caller.tenantId, ...write };
    if (!call.idempotency) {
      await check?.(this.db);
      return { data: await this.acknowledge(whole) };
    }
    const answer = await answerOnce(this.db, call, async (tx) => {
      await check?.(tx);
      return acknowledgeIn(tx, { ...whole, uuid: newTransactionUuid() });
    });
    this.wake();
    return answer;
  }

  /** The same for a write whose parts are stored already, under its id. `check` runs when it is acknowledged. */
  async answerStaged(
    call: { caller: Caller; idempotency: Idempotency | undefined },
    write: NewWrite,
    check: (tx: Transaction) => Promise<void>,
  ): Promise<{ data: Acknowledgement; replayed?: boolean }> {
    const answer = await answerOnce(this.db, call, async (tx) => {
      await check(tx);
      return acknowledgeIn(tx, write);
    });
    this.wake();
    return answer;
  }

  /** Queues writes inside a transaction: they exist if and only if it commits. */
  async enqueue(tx: Transaction, writes: readonly Write[]): Promise<void> {
    if (writes.length === 0) return;
    for (let from = 0; from < writes.length; from += mostInGroup) {
      const group = writes.slice(from, from + mostInGroup);
      await insertWrites(
        tx,
        group.map((write) => ({ ...write, uuid: newTransactionUuid() })),
      );
    }
    // Writes that gather others are found at the next poll.
    if (writes.some(({ gatherMs }) => gatherMs === undefined)) tx.afterCommit(this.wake);
  }

  /**
   * Whether a write that is queued now would be the next to be applied. Then it may be applied in this transaction instead, and no write that
   * changes contacts is applied until it ends. `passed`: kinds of writes that it may overtake, as the caller knows. Ask once per transaction: it
   * must not overtake what was queued later. The caller sees to it that a tenant has one such transaction at a time.
   */
  async mayApply(tx: Transaction, tenantId: number, passed: readonly string[]): Promise<boolean> {
    // First without the lock: if the queue is not empty, the worker that applies it must not be delayed.
    if (!(await isIdle(tx, tenantId, passed))) return false;
    if (!(await shareTenantSoon(tx, tenantId, locks.writes, longestWaitMs))) return false;
    // A worker that found the lock taken would look again only at the next poll.
    tx.afterCommit(this.wake);
    return isIdle(tx, tenantId, passed);
  }
}

async function acknowledgeAll(db: Runner, writes: readonly NewWrite[]): Promise<Acknowledgement[]> {
  const rows = await insertWrites(db, writes);
  const times = new Map(rows.map((row) => [row.uuid, row.createdAt]));
  return writes.map((write) => toAcknowledgement(write, times.get(write.uuid) as string));
}

// Inside the transaction that holds the Idempotency-Key.
async function acknowledgeIn(tx: Runner, write: NewWrite): Promise<Acknowledgement> {
  const [acknowledged] = await acknowledgeAll(tx, [write]);
  return acknowledged as Acknowledgement;
}
