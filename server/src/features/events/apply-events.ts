import { setImmediate as nextTurn } from 'node:timers/promises';
import type { getEventTransaction } from '@rapport/contract';
import type { Runner, Transaction } from '../../db/database.js';
import { together } from '../../lib/together.js';
import { mapInTurns } from '../../lib/turns.js';
import {
  type Applier,
  bodyOf,
  type PendingWrite,
  type PresentedWrite,
  type ShownBy,
  selectFailures,
  type WriteOutcome,
} from '../transactions/index.js';
import { EventIds } from './event-keys.js';
import { KnownPeople } from './known-people.js';
import { EventRefusal, eventNumber, type PlacedEvent, placeEvent } from './plan-events.js';
import { holdFloor } from './queries.js';
import { type ReadEvent, readEvent } from './read-event.js';
import { type EventOutcome, packResults, type StoredEventResults, unpackResults } from './results.js';
import { EventStore } from './store-events.js';

export const eventWriteKind = 'event.batch';

/**
 * Applies batches of events. Every statement is set-based, so a run of batches costs a handful of round trips. `onMonths` is called
 * after the commit with the months in which events were stored.
 */
export function eventApplier(onMonths: (months: Iterable<number>) => void): Applier {
  return {
    kinds: [eventWriteKind],
    concernsUsers: true,
    leavesContacts: true,
    isAppliedAtOnce: true,
    readAhead: async (body) => ReadEvents.of(body as EventBody),
    apply: (tx, tenantId, writes, now) => applyRun(tx, tenantId, writes, now, onMonths),
    refuse: refuseAll,
  };
}

// Enough for a portion to be worth its statements, few enough that the next one is read while the database stores this one.
const portionSize = 2000;
// The database stores one slice while the next is decided, and other requests are served in between.
const sliceSize = 1000;

async function applyRun(
  tx: Transaction,
  tenantId: number,
  writes: readonly PendingWrite[],
  now: string,
  onMonths: (months: Iterable<number>) => void,
): Promise<WriteOutcome[]> {
  const holding = holdFloor(tx);
  // Awaited below. Without a listener here, a lost connection would end the process.
  holding.catch(() => undefined);
  const people = new KnownPeople();
  const store = new EventStore(tx, tenantId);
  const outcomes: WriteOutcome[] = [];
  const months = await store.run(async () => {
    for (const portion of portionsOf(writes)) {
      const batches: Ticket[][] = [];
      for (const write of portion) batches.push(await readBatch(write));
      const tickets = batches.flat();
      const ids = await ask(tx, tenantId, eventsOf(tickets), people, now);
      const floor = await holding;
      for (let from = 0; from < tickets.length; from += sliceSize) {
        if (from > 0) await nextTurn();
        const slice = tickets.slice(from, from + sliceSize);
        for (const ticket of slice) decide(ticket, people, ids, floor);
        store.add(eventsOf(slice.filter(({ outcome }) => outcome.status === 'STORED')));
      }
      store.send(ids.store(tx, tenantId, now));
      for (const batch of batches) outcomes.push(packResults(batch.map(({ outcome }) => outcome)));
    }
    // Sent behind the events, without waiting for them.
    await people.store(tx, tenantId, now);
    return store.finish(now);
  });
  tx.afterCommit(() => onMonths(months));
  return outcomes;
}

function portionsOf(writes: readonly PendingWrite[]): PendingWrite[][] {
  const portions: PendingWrite[][] = [];
  let items = portionSize;
  for (const write of writes) {
    if (items >= portionSize) {
      portions.push([]);
      items = 0;
    }
    portions.at(-1)?.push(write);
    items += write.items;
  }
  return portions;
}

/** The people that these events name, and which of their ids are new. */
async function ask(
  tx: Transaction,
  tenantId: number,
  events: readonly PlacedEvent[],
  people: KnownPeople,
  now: string,
): Promise<EventIds> {
  const named = events.flatMap(({ eventId }) => (eventId === null ? [] : [eventId]));
  const [ids] = await together([EventIds.learn(tx, tenantId, named, now), people.learn(tx, tenantId, events)]);
  return ids;
}

/** An event of a batch and its outcome: STORED until it fails or turns out to be a repeat. */
interface Ticket {
  /** Undefined if it could not be read. */
  event: PlacedEvent | undefined;
  outcome: EventOutcome;
}

interface EventBody {
  events: unknown[];
}

/** The date of an event that has none, until its write has a time. */
const notKnownYet = '';

/** The events of a batch, read before it has its place in the queue. */
class ReadEvents {
  private constructor(readonly events: readonly ReadEvent[]) {}

  static async of({ events }: EventBody): Promise<ReadEvents> {
    return new ReadEvents(await mapInTurns(events, (item) => readEvent(item, notKnownYet)));
  }
}

async function readBatch(write: PendingWrite): Promise<Ticket[]> {
  const { seq, createdAt } = write;
  const { events } =
    write.body instanceof ReadEvents ? write.body : await ReadEvents.of(await bodyOf<EventBody>(write));
  return events.map((read, i): Ticket => {
    if (!read.ok) return { event: undefined, outcome: { eventId: read.eventId, status: 'FAILED', error: read.error } };
    const { event } = read;
    if (event.eventDate === notKnownYet) event.eventDate = createdAt;
    return {
      event: Object.assign(event, { contactId: '', eventNo: eventNumber(seq, i), acknowledgedAt: createdAt }),
      outcome: { eventId: event.eventId, status: 'STORED' },
    };
  });
}

function eventsOf(tickets: readonly Ticket[]): PlacedEvent[] {
  const events: PlacedEvent[] = [];
  for (const { event } of tickets) if (event) events.push(event);
  return events;
}

function decide({ event, outcome }: Ticket, people: KnownPeople, ids: EventIds, floor: number): void {
  if (!event) return;
  // Repeats are checked first: they must have no effect, such as creating a user that was deleted since.
  if (ids.isUsed(event.eventId)) {
    outcome.status = 'DUPLICATE';
    return;
  }
  try {
    event.contactId = placeEvent(people, event, floor);
    ids.use(event.eventId);
  } catch (error) {
    if (!(error instanceof EventRefusal)) throw error;
    outcome.status = 'FAILED';
    outcome.error = error.message;
  }
}

async function refuseAll(write: PendingWrite, error: string): Promise<WriteOutcome> {
  return packResults((await idsOf(write)).map((eventId) => ({ eventId, status: 'FAILED', error })));
}

/** Reading the write may be what fails. It must end all the same, or its tenant would wait behind it forever. */
async function idsOf(write: PendingWrite): Promise<(string | null)[]> {
  try {
    return (await readBatch(write)).map(({ outcome }) => outcome.eventId);
  } catch {
    return new Array(write.items).fill(null);
  }
}

export async function presentEventWrite(
  db: Runner,
  tenantId: number,
  write: PresentedWrite,
): Promise<ShownBy<typeof getEventTransaction>> {
  if (write.status === 'PENDING') return {};
  const results = write.results as StoredEventResults;
  const failures = results.items.includes('F') ? await selectFailures(db, tenantId, write.uuid) : [];
  return { results: unpackResults(results, new Map(failures.map(({ item, error }) => [item, error]))) };
}
