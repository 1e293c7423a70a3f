import type { Runner, Transaction } from '../../db/database.js';
import {
  type Applier,
  type Outcome,
  type PendingWrite,
  type PresentedWrite,
  selectFailures,
} from '../transactions/index.js';
import type { UsersMade } from '../users/index.js';
import { claimKeys, keyOf } from './event-keys.js';
import { KnownPeople } from './known-people.js';
import { EventRefusal, eventNumber, type PlacedEvent, placeEvent } from './plan-events.js';
import { holdFloor } from './queries.js';
import { type EventItem, type ReadEvent, readEvent } from './read-event.js';
import { type EventOutcome, packResults, type StoredEventResults, unpackResults } from './results.js';
import { storeEvents } from './store-events.js';

export const eventWriteKind = 'event.batch';

/** Who hears of what a run of events did. */
export interface EventNews {
  /** Events were stored in these months. */
  onMonths(months: Iterable<number>): void;
  onUsersMade: readonly UsersMade[];
}

/** Applies batches of events. Every statement is set-based: a run of batches costs a handful of round trips. */
export function eventApplier(news: EventNews): Applier {
  return {
    kinds: [eventWriteKind],
    apply: (tx, tenantId, writes, now) => applyRun(tx, tenantId, writes, now, news),
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
  { onMonths, onUsersMade }: EventNews,
): Promise<Outcome[]> {
  const batches = writes.map(readBatch);
  const events = batches.flat().flatMap(({ read }) => (read.ok ? [read.event] : []));
  const floor = await holdFloor(tx);
  const people = await KnownPeople.open(tx, tenantId, events);
  const placed = new Map<EventItem, PlacedEvent | EventRefusal>();
  for (const { read, eventNo } of batches.flat())
    if (read.ok) placed.set(read.event, place(people, read.event, eventNo, floor));
  const sound = [...placed.values()].filter((event) => !(event instanceof EventRefusal)) as PlacedEvent[];
  const repeats = await findRepeats(tx, tenantId, sound, now);
  await people.store(tx, tenantId, now, onUsersMade);
  const months = await storeEvents(
    tx,
    tenantId,
    sound.filter((event) => !repeats.has(event)),
  );
  tx.afterCommit(() => onMonths(months));
  return batches.map((batch) => packResults(batch.map(({ read }) => outcomeOf(read, placed, repeats))));
}

function readBatch({ payload, seq, createdAt }: PendingWrite): Ticket[] {
  const { events } = JSON.parse(payload) as { events: unknown[] };
  return events.map((item, i) => ({ read: readEvent(item, createdAt), eventNo: eventNumber(seq, i) }));
}

function place(people: KnownPeople, event: EventItem, eventNo: number, floor: number): PlacedEvent | EventRefusal {
  try {
    return placeEvent(people, event, eventNo, floor);
  } catch (error) {
    if (error instanceof EventRefusal) return error;
    throw error;
  }
}

/** Events whose id was stored before, here or earlier. */
async function findRepeats(
  tx: Transaction,
  tenantId: number,
  events: readonly PlacedEvent[],
  now: string,
): Promise<Set<PlacedEvent>> {
  const repeats = new Set<PlacedEvent>();
  const firstOf = new Map<string, PlacedEvent>();
  for (const event of events) {
    if (event.eventId === null) continue;
    const key = keyOf(event.eventId);
    if (firstOf.has(key)) repeats.add(event);
    else firstOf.set(key, event);
  }
  const fresh = await claimKeys(tx, tenantId, [...firstOf.keys()], now);
  for (const [key, event] of firstOf) if (!fresh.has(key)) repeats.add(event);
  return repeats;
}

function outcomeOf(
  read: ReadEvent,
  placed: ReadonlyMap<EventItem, PlacedEvent | EventRefusal>,
  repeats: ReadonlySet<PlacedEvent>,
): EventOutcome {
  if (!read.ok) return { eventId: read.eventId, status: 'FAILED', error: read.error };
  const event = placed.get(read.event) as PlacedEvent | EventRefusal;
  const { eventId } = read.event;
  if (event instanceof EventRefusal) return { eventId, status: 'FAILED', error: event.message };
  return { eventId, status: repeats.has(event) ? 'DUPLICATE' : 'STORED' };
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
