import type { Database, Runner, Transaction } from '../../db/database.js';
import { locks, shareTenantSoon } from '../../db/locks.js';
import type { Caller, Idempotency } from '../../http/endpoint.js';
import { formatTransactionId, newTransactionUuid } from '../../lib/ids.js';
import { GroupCommit, mostInGroup } from '../../work/group-commit.js';
import { answerOnce } from '../idempotency/index.js';
import type { Handover } from './handover.js';
import { isIdle } from './pending/queries.js';
import { insertWrites, type NewWrite } from './queries.js';

export interface Acknowledgement {
  transactionId: string;
  status: 'PENDING';
  createdAt: string;
}
/** `body`: what the payload says, where it has been parsed. The caller does not touch it any more. */
export type Write = Omit<NewWrite, 'uuid'> & { readonly body?: unknown };

// A turn that applies writes takes as long or less.
const longestWaitMs = 900;

/** A write is acknowledged only after its commit, which it shares with others that arrive at the same time. */
export class Acknowledger {
  private readonly groups: GroupCommit<NewWrite, Acknowledgement>;

  constructor(
    private readonly db: Database,
    private readonly wake: () => void,
    /** Where this process applies writes, too. */
    private readonly handover?: Handover,
  ) {
    this.groups = new GroupCommit({
      // Of all tenants together.
      keyOf: () => 0,
      // So that a group of long writes has few: see insertWrites.
      sizeOf: ({ payload }) => payload.length,
      commit: (writes) => acknowledgeAll(db, writes),
      onSettled: wake,
    });
  }

  async acknowledge({ body, ...write }: Write): Promise<Acknowledgement> {
    const uuid = newTransactionUuid();
    const acknowledgement = await this.groups.add({ ...write, uuid });
    if (body !== undefined) this.handover?.put(write.tenantId, uuid, body, write.payload.length);
    return acknowledgement;
  }

  /**
   * Acknowledges the write of a POST, at most once an Idempotency-Key. `check` throws what the write is refused with;
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

  /** The same for a write whose parts are stored already, under its id. `check` runs where it is acknowledged. */
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

  /** Puts writes in the queue from inside a transaction: they are there when it commits, and never when it does not. */
  async enqueue(tx: Transaction, writes: readonly Write[]): Promise<void> {
    if (writes.length === 0) return;
    for (let from = 0; from < writes.length; from += mostInGroup) {
      const group = writes.slice(from, from + mostInGroup);
      await insertWrites(
        tx,
        group.map((write) => ({ ...write, uuid: newTransactionUuid() })),
      );
    }
    // Those that gather others are found by the next look.
    if (writes.some(({ gatherMs }) => gatherMs === undefined)) tx.afterCommit(this.wake);
  }

  /**
   * Whether a write that would be put in the queue now would be the next to be applied: then it may be applied in this transaction
   * instead, and none that change contacts are applied until it ends. `passed`: kinds of writes that it may go before, for reasons that the caller
   * knows. Asked once per transaction: it must not overtake what was queued since then. One such transaction of a tenant at a time: the
   * caller sees to that.
   */
  async mayApply(tx: Transaction, tenantId: number, passed: readonly string[]): Promise<boolean> {
    // First without the lock: where it is not idle, who applies those writes must not be kept from it.
    if (!(await isIdle(tx, tenantId, passed))) return false;
    if (!(await shareTenantSoon(tx, tenantId, locks.writes, longestWaitMs))) return false;
    // A worker that found the lock taken would look again only at the next poll.
    tx.afterCommit(this.wake);
    return isIdle(tx, tenantId, passed);
  }
}

function toAcknowledgement(write: NewWrite, createdAt: string): Acknowledgement {
  return { transactionId: formatTransactionId(write.tenantId, write.uuid), status: 'PENDING', createdAt };
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
