import type { Runner, Transaction } from '../../db/database.js';
import {
  type Applier,
  type Outcome,
  type PendingWrite,
  type PresentedWrite,
  selectFailures,
} from '../transactions/index.js';
import { claimKeys, keyOf } from './event-keys.js';
import { KnownPeople } from './known-people.js';
import { EventRefusal, eventNumber, type PlacedEvent, placeEvent } from './plan-events.js';
import { holdFloor } from './queries.js';
import { readEvent } from './read-event.js';
import { type EventOutcome, packResults, type StoredEventResults, unpackResults } from './results.js';
import { EventStore } from './store-events.js';

export const eventWriteKind = 'event.batch';

/** Applies batches of events. Every statement is set-based: a run of batches costs a handful of round trips. */
export function eventApplier(onMonths: (months: ReadonlySet<number>) => void): Applier {
  return {
    kinds: [eventWriteKind],
    apply: (tx, tenantId, writes, now) => applyRun(tx, tenantId, writes, now, onMonths),
    refuse: refuseAll,
    present: presentEventWrite,
  };
}

// Enough for a portion to be worth its statements, few enough that the next one is read while this one is stored.
const portionSize = 1000;

async function applyRun(
  tx: Transaction,
  tenantId: number,
  writes: readonly PendingWrite[],
  now: string,
  onMonths: (months: ReadonlySet<number>) => void,
): Promise<Outcome[]> {
  const floor = await holdFloor(tx);
  const people = new KnownPeople();
  const store = new EventStore(tx, tenantId);
  const outcomes: Outcome[] = [];
  const storing: Promise<void>[] = [];
  await settleAll(storing, async () => {
    for (const portion of portionsOf(writes)) {
      const batches = portion.map(readBatch);
      const tickets = batches.flat();
      await people.learn(tx, tenantId, eventsOf(tickets));
      for (const ticket of tickets) place(ticket, people, floor);
      await markRepeats(tx, tenantId, tickets, now);
      // Not awaited: the next portion is read while the database stores this one.
      storing.push(store.add(eventsOf(tickets.filter(({ outcome }) => outcome.status === 'STORED'))));
      for (const batch of batches) outcomes.push(packResults(batch.map(({ outcome }) => outcome)));
    }
  });
  await people.store(tx, tenantId, now);
  const months = await store.finish();
  tx.afterCommit(() => onMonths(months));
  return outcomes;
}

/** The error that came first counts: those after it only say that the transaction has failed. */
async function settleAll(storing: Promise<void>[], work: () => Promise<void>): Promise<void> {
  const failed = await work().then(
    () => undefined,
    (error: Error) => error,
  );
  await Promise.all(storing);
  if (failed) throw failed;
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

/** An event of a batch and what becomes of it: STORED until something speaks against that. */
interface Ticket {
  /** Unless it could not be read. */
  event: PlacedEvent | undefined;
  outcome: EventOutcome;
}

function readBatch({ payload, seq, createdAt }: PendingWrite): Ticket[] {
  const { events } = JSON.parse(payload) as { events: unknown[] };
  return events.map((item, i) => {
    const read = readEvent(item, createdAt);
    if (!read.ok) return { event: undefined, outcome: { eventId: read.eventId, status: 'FAILED', error: read.error } };
    const { event } = read;
    return {
      event: Object.assign(event, { contactId: '', eventNo: eventNumber(seq, i) }),
      outcome: { eventId: event.eventId, status: 'STORED' },
    };
  });
}

function eventsOf(tickets: readonly Ticket[]): PlacedEvent[] {
  const events: PlacedEvent[] = [];
  for (const { event } of tickets) if (event) events.push(event);
  return events;
}

function place({ event, outcome }: Ticket, people: KnownPeople, floor: number): void {
  if (!event) return;
  try {
    event.contactId = placeEvent(people, event, floor);
  } catch (error) {
    if (!(error instanceof EventRefusal)) throw error;
    outcome.status = 'FAILED';
    outcome.error = error.message;
  }
}

/** Events whose id was stored before, here or earlier. The id of an event that failed stays free. */
async function markRepeats(tx: Transaction, tenantId: number, tickets: readonly Ticket[], now: string): Promise<void> {
  const firstOf = new Map<string, EventOutcome>();
  for (const { outcome } of tickets) {
    if (outcome.eventId === null || outcome.status === 'FAILED') continue;
    const key = keyOf(outcome.eventId);
    if (firstOf.has(key)) outcome.status = 'DUPLICATE';
    else firstOf.set(key, outcome);
  }
  const fresh = await claimKeys(tx, tenantId, [...firstOf.keys()], now);
  for (const [key, outcome] of firstOf) if (!fresh.has(key)) outcome.status = 'DUPLICATE';
}

function refuseAll(write: PendingWrite, error: string): Outcome {
  return packResults(readBatch(write).map(({ outcome }) => ({ eventId: outcome.eventId, status: 'FAILED', error })));
}

async function presentEventWrite(
  db: Runner,
  tenantId: number,
  write: PresentedWrite,
): Promise<Record<string, unknown>> {
  if (write.status === 'PENDING') return {};
  const results = write.results as StoredEventResults;
  const failures = results.items.includes('F') ? await selectFailures(db, tenantId, write.uuid) : [];
  return { results: unpackResults(results, new Map(failures.map(({ item, error }) => [item, error]))) };
}
