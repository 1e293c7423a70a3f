import type { Runner, Transaction } from '../../db/database.js';
import {
  type Applier,
  type Outcome,
  type PendingWrite,
  type PresentedWrite,
  selectFailures,
} from '../transactions/index.js';
import { EventIds } from './event-keys.js';
import { KnownPeople } from './known-people.js';
import { EventRefusal, eventNumber, type PlacedEvent, placeEvent } from './plan-events.js';
import { holdFloor } from './queries.js';
import { type EventItem, type ReadEvent, readEvent } from './read-event.js';
import { type EventOutcome, packResults, type StoredEventResults, unpackResults } from './results.js';
import { storeEvents } from './store-events.js';

export const eventWriteKind = 'event.batch';

/** Applies batches of events. Every statement is set-based: a run of batches costs a handful of round trips. */
export function eventApplier(onMonths: (months: Iterable<number>) => void): Applier {
  return {
    kinds: [eventWriteKind],
    apply: (tx, tenantId, writes, now) => applyRun(tx, tenantId, writes, now, onMonths),
    refuse: refuseAll,
    present: presentEventWrite,
  };
}

interface Ticket {
  read: ReadEvent;
  eventNo: number;
}

async function applyRun(
  tx: Transaction,
  tenantId: number,
  writes: readonly PendingWrite[],
  now: string,
  onMonths: (months: Iterable<number>) => void,
): Promise<Outcome[]> {
  const batches = writes.map(readBatch);
  const events = batches.flat().flatMap(({ read }) => (read.ok ? [read.event] : []));
  const floor = await holdFloor(tx);
  const people = await KnownPeople.open(tx, tenantId, events);
  const ids = await EventIds.claim(tx, tenantId, namedIds(events), now);
  const fates = new Map<EventItem, Fate>();
  for (const { read, eventNo } of batches.flat())
    if (read.ok) fates.set(read.event, decide(people, ids, read.event, eventNo, floor));
  await ids.release(tx, tenantId);
  await people.store(tx, tenantId, now);
  const placed = [...fates.values()].filter((fate) => typeof fate === 'object' && 'contactId' in fate);
  const months = await storeEvents(tx, tenantId, placed);
  tx.afterCommit(() => onMonths(months));
  return batches.map((batch) => packResults(batch.map(({ read }) => outcomeOf(read, fates))));
}

function readBatch({ payload, seq, createdAt }: PendingWrite): Ticket[] {
  const { events } = JSON.parse(payload) as { events: unknown[] };
  return events.map((item, i) => ({ read: readEvent(item, createdAt), eventNo: eventNumber(seq, i) }));
}

type Fate = PlacedEvent | EventRefusal | 'DUPLICATE';

// A repeat is told first: it must not do anything, such as make a user that was deleted since.
function decide(people: KnownPeople, ids: EventIds, event: EventItem, eventNo: number, floor: number): Fate {
  if (ids.isUsed(event.eventId)) return 'DUPLICATE';
  try {
    const placed = placeEvent(people, event, eventNo, floor);
    ids.use(event.eventId);
    return placed;
  } catch (error) {
    if (error instanceof EventRefusal) return error;
    throw error;
  }
}

function namedIds(events: readonly EventItem[]): string[] {
  return events.flatMap(({ eventId }) => (eventId === null ? [] : [eventId]));
}

function outcomeOf(read: ReadEvent, fates: ReadonlyMap<EventItem, Fate>): EventOutcome {
  if (!read.ok) return { eventId: read.eventId, status: 'FAILED', error: read.error };
  const fate = fates.get(read.event) as Fate;
  const { eventId } = read.event;
  if (fate === 'DUPLICATE') return { eventId, status: fate };
  return fate instanceof EventRefusal
    ? { eventId, status: 'FAILED', error: fate.message }
    : { eventId, status: 'STORED' };
}

function refuseAll(write: PendingWrite, error: string): Outcome {
  return packResults(readBatch(write).map(({ read }) => outcomeOfRefusal(read, error)));
}

function outcomeOfRefusal(read: ReadEvent, error: string): EventOutcome {
  return { eventId: read.ok ? read.event.eventId : read.eventId, status: 'FAILED', error };
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
