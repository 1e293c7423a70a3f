import type { Transaction } from '../../db/database.js';
import { mapInTurns, Turn } from '../../lib/turns.js';
import { EventIds, EventStore, eventNumber, holdFloor } from '../events/index.js';
import { type Applier, bodyOf, type PendingWrite, type WriteOutcome } from '../transactions/index.js';
import type { Fields } from './fields.js';
import { IngestBook } from './ingest-book.js';
import { MessagePlanner, namesOf, refusalOf, type Ticket } from './plan-messages.js';
import { insertRefusals } from './queries.js';
import { readMessage } from './read-message.js';

export const segmentWriteKind = 'segment.batch';

/** What a request leaves for the worker. */
interface Payload {
  /** The type of a single message, by its route; null for a batch. */
  type: string | null;
  body: Fields;
}

/** Applies Segment's calls. They are not polled: what is refused is in the log. */
export function segmentApplier(onMonths: (months: Iterable<number>) => void): Applier {
  return {
    kinds: [segmentWriteKind],
    concernsUsers: true,
    apply: (tx, tenantId, writes, now) => applyRun(tx, tenantId, writes, now, onMonths),
    refuse: async (write, reason, tx, tenantId) => {
      await insertRefusals(tx, tenantId, await refusalsOf(write, reason));
      return nothing;
    },
  };
}

const nothing: WriteOutcome = { results: null };

async function applyRun(
  tx: Transaction,
  tenantId: number,
  writes: readonly PendingWrite[],
  now: string,
  onMonths: (months: Iterable<number>) => void,
): Promise<WriteOutcome[]> {
  const read: Ticket[][] = [];
  for (const write of writes) read.push(await readTickets(write));
  const tickets = await withoutRepeats(tx, tenantId, read.flat(), now);
  const floor = await holdFloor(tx);
  const book = await IngestBook.open(tx, tenantId, namesOf(tickets), now);
  const planner = new MessagePlanner(book, floor);
  const turn = new Turn();
  for (const ticket of tickets) {
    if (turn.isOver) await turn.next();
    planner.plan(ticket);
  }
  await book.store(tx, tenantId);
  await insertRefusals(tx, tenantId, book.refusals);
  const store = new EventStore(tx, tenantId);
  await store.run(async () => store.add(planner.events));
  const months = await store.finish(now);
  tx.afterCommit(() => onMonths(months));
  return writes.map(() => nothing);
}

/** None if reading the write is what fails. It must end all the same, or its tenant would wait behind it forever. */
async function refusalsOf(write: PendingWrite, reason: string) {
  try {
    return (await readTickets(write)).map((ticket) => refusalOf(ticket, reason));
  } catch {
    return [];
  }
}

async function readTickets(write: PendingWrite): Promise<Ticket[]> {
  const { type, body } = await bodyOf<Payload>(write);
  const { seq, createdAt } = write;
  const { context, sentAt, batch } = body;
  const messages = type === null ? (batch as unknown[]) : [body];
  const around = { type, context, sentAt, arrivedAt: createdAt };
  return mapInTurns(messages, (message, i) => ({
    message: readMessage(message, around),
    eventNo: eventNumber(seq, i),
    arrivedAt: createdAt,
  }));
}

/** Clients repeat messages that they got no answer to: a message that came before is skipped, even if it was refused. */
async function withoutRepeats(
  tx: Transaction,
  tenantId: number,
  tickets: readonly Ticket[],
  now: string,
): Promise<Ticket[]> {
  const named = tickets.flatMap(({ message }) => message.messageId ?? []);
  const ids = await EventIds.learn(tx, tenantId, named, now);
  const fresh = tickets.filter(({ message }) => {
    if (ids.isUsed(message.messageId)) return false;
    ids.use(message.messageId);
    return true;
  });
  await ids.store(tx, tenantId, now);
  return fresh;
}
