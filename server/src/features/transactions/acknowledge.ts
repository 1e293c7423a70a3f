import { passesByWaiting } from '../../db/connect.js';
import type { Database, Runner, Transaction } from '../../db/database.js';
import { locks, lockTenantSoon } from '../../db/locks.js';
import type { Caller, Idempotency } from '../../http/endpoint.js';
import { formatTransactionId, newTransactionUuid } from '../../lib/ids.js';
import { answerOnce } from '../idempotency/index.js';
import { isIdle } from './pending/queries.js';
import { insertWrites, type NewWrite } from './queries.js';

export interface Acknowledgement {
  transactionId: string;
  status: 'PENDING';
  createdAt: string;
}
export type Write = Omit<NewWrite, 'uuid'>;

interface Waiting {
  write: NewWrite;
  resolve(acknowledged: Acknowledgement): void;
  reject(error: unknown): void;
}

// Enough that 64 callers share one trip, few enough that one statement stays short.
const mostInGroup = 256;
// A turn that applies writes takes as long or less.
const longestWaitMs = 900;
// So that a group of long writes has few: see insertWrites.
const mostBytesInGroup = 1024 * 1024;
// Two groups on the way: one is committing while the next gathers, and neither waits for the other's disk flush.
const mostTrips = 2;

/**
 * Group commit: writes that arrive while others are on their way to the disk go together in the next statement. An
 * idle service sends the first one at once. A write is acknowledged only after its commit.
 */
export class Acknowledger {
  private waiting: Waiting[] = [];
  private trips = 0;

  constructor(
    private readonly db: Database,
    private readonly wake: () => void,
  ) {}

  acknowledge(write: Write): Promise<Acknowledgement> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ write: { ...write, uuid: newTransactionUuid() }, resolve, reject });
      // One turn of the event loop gathers what came in the same read of the sockets.
      if (this.waiting.length === 1) setImmediate(() => this.send());
    });
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
   * instead, and until that ends nobody applies others. `passed`: kinds of writes that it may go before, for reasons that the caller
   * knows. Asked once a transaction: what was put in the queue since then must not be overtaken.
   */
  async mayApply(tx: Transaction, tenantId: number, passed: readonly string[]): Promise<boolean> {
    // First without the lock: where it is not idle, who applies those writes must not be kept from it.
    if (!(await isIdle(tx, tenantId, passed))) return false;
    if ((await lockTenantSoon(tx, tenantId, locks.writes, longestWaitMs)) === undefined) return false;
    // Whoever found the lock taken would look again only at the next poll.
    tx.afterCommit(this.wake);
    return isIdle(tx, tenantId, passed);
  }

  private send(): void {
    if (this.trips >= mostTrips || this.waiting.length === 0) return;
    const group = this.takeGroup();
    this.trips++;
    this.commit(group)
      .then(() => this.wake())
      .finally(() => {
        this.trips--;
        this.send();
      });
    this.send();
  }

  private takeGroup(): Waiting[] {
    let bytes = 0;
    let count = 0;
    while (count < this.waiting.length && count < mostInGroup && bytes < mostBytesInGroup) {
      bytes += (this.waiting[count] as Waiting).write.payload.length;
      count++;
    }
    const group = this.waiting.slice(0, count);
    this.waiting = this.waiting.slice(count);
    return group;
  }

  private async commit(group: Waiting[]): Promise<void> {
    try {
      settle(
        group,
        await insertWrites(
          this.db,
          group.map((one) => one.write),
        ),
      );
    } catch (error) {
      // A lost connection says nothing about the commit, and trying again would not tell either.
      if (group.length === 1 || passesByWaiting(error)) for (const one of group) one.reject(error);
      // One bad write must not take the others of its group down with it.
      else await Promise.all(group.map((one) => this.commit([one])));
    }
  }
}

function settle(group: Waiting[], rows: { uuid: string; createdAt: string }[]): void {
  const times = new Map(rows.map((row) => [row.uuid, row.createdAt]));
  for (const { write, resolve } of group) resolve(toAcknowledgement(write, times.get(write.uuid) as string));
}

function toAcknowledgement(write: NewWrite, createdAt: string): Acknowledgement {
  return { transactionId: formatTransactionId(write.tenantId, write.uuid), status: 'PENDING', createdAt };
}

// Inside the transaction that holds the Idempotency-Key.
async function acknowledgeIn(tx: Runner, write: NewWrite): Promise<Acknowledgement> {
  const [row] = await insertWrites(tx, [write]);
  return toAcknowledgement(write, row?.createdAt as string);
}
