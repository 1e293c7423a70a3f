// Writes are acknowledged first and applied later: waiting until they are.
import { type DataValue, getContactTransaction, getEventTransaction } from '@rapport/contract';
import type { Clock } from './clock.js';
import type { Call } from './paging.js';
import { stopperOf } from './stopper.js';

/** Where each kind of write is polled. Imports are contact writes. */
const polls = { contacts: getContactTransaction, users: getContactTransaction, events: getEventTransaction };
export type WriteKind = keyof typeof polls;
export type Transaction<K extends WriteKind> = DataValue<(typeof polls)[K]>;
export type DoneTransaction<K extends WriteKind> = Transaction<K> & { status: 'DONE' };

export interface WaitOptions<K extends WriteKind> {
  /** What was written; contacts unless told. */
  kind?: K | undefined;
  signal?: AbortSignal | undefined;
  /** How long to wait at most: a minute unless told. The write goes on in any case. */
  patienceMs?: number | undefined;
  /** Pauses between two polls: they begin with the first, 50 ms, and grow by half up to the longest, a second. */
  firstPauseMs?: number | undefined;
  longestPauseMs?: number | undefined;
  /** Called with what each poll answers. */
  onProgress?: ((transaction: Transaction<K>) => void) | undefined;
}

export interface Transactions {
  /** Polls until the write is applied. Its items may have failed all the same: look at the results. */
  wait<K extends WriteKind = 'contacts'>(transactionId: string, options?: WaitOptions<K>): Promise<DoneTransaction<K>>;
}

/** There is no such transaction, or it takes longer than somebody wanted to wait. */
export class TransactionFailure extends Error {
  override readonly name = 'TransactionFailure';
  readonly transactionId: string;
  readonly status: 'PENDING' | 'NOT_EXIST';

  constructor(transactionId: string, status: 'PENDING' | 'NOT_EXIST', message: string) {
    super(message);
    this.transactionId = transactionId;
    this.status = status;
  }
}

export function transactions(call: Call, clock: Clock): Transactions {
  return {
    wait: async <K extends WriteKind = 'contacts'>(transactionId: string, options: WaitOptions<K> = {}) => {
      const { kind = 'contacts', signal, patienceMs = 60_000, longestPauseMs = 1000, onProgress } = options;
      const giveUpAt = clock.now() + patienceMs;
      let seen = false;
      for (let pause = options.firstPauseMs ?? 50; ; pause = Math.min(pause * 1.5, longestPauseMs)) {
        const poll = (until: AbortSignal) => call(polls[kind], { params: { transactionId }, signal: until });
        const answer = await withinPatience(poll, giveUpAt - clock.now(), signal);
        if (!answer) throw seen ? stillPending(transactionId, patienceMs) : notTold(transactionId, patienceMs);
        seen = true;
        // The route's own word for what it answers, as in every call.
        const transaction = answer.data as Transaction<K>;
        if (transaction.status === 'NOT_EXIST') throw unknownTransaction(transactionId, kind);
        onProgress?.(transaction);
        if (isDone(transaction)) return transaction;
        if (clock.now() + pause > giveUpAt) throw stillPending(transactionId, patienceMs);
        await clock.sleep(pause, signal);
      }
    },
  };
}

const outOfPatience = new Error('The patience is over.');

/** Nothing when the time is over before there is an answer: a call alone would go on for as long as a call may. */
async function withinPatience<T>(
  poll: (signal: AbortSignal) => Promise<T>,
  leftMs: number,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  const stopper = stopperOf(signal);
  stopper.stopAfter(leftMs, outOfPatience);
  try {
    return await poll(stopper.signal);
  } catch (error) {
    if (error === outOfPatience) return undefined;
    throw error;
  } finally {
    stopper.letGo();
  }
}

function isDone<K extends WriteKind>(transaction: Transaction<K>): transaction is DoneTransaction<K> {
  return transaction.status === 'DONE';
}

function unknownTransaction(transactionId: string, kind: WriteKind): TransactionFailure {
  const hint =
    kind === 'events'
      ? 'Only event writes are here: leave kind out for others.'
      : "For an event write, say kind: 'events'.";
  const message =
    `There is no transaction ${transactionId} among the writes of ${kind}. ` +
    `Check the id and the token's tenant. ${hint}`;
  return new TransactionFailure(transactionId, 'NOT_EXIST', message);
}

function notTold(transactionId: string, patienceMs: number): TransactionFailure {
  const message =
    `The service did not say within ${patienceMs / 1000} seconds whether transaction ${transactionId} is applied. ` +
    'It is not lost: wait for it again.';
  return new TransactionFailure(transactionId, 'PENDING', message);
}

function stillPending(transactionId: string, patienceMs: number): TransactionFailure {
  const message =
    `Transaction ${transactionId} is still pending after ${patienceMs / 1000} seconds. ` +
    'It is not lost: wait for it again.';
  return new TransactionFailure(transactionId, 'PENDING', message);
}
