// Events that the platform itself emits, for appliers of other features, such as a step of a journey.
import type { Transaction } from '../../db/database.js';
import { selectExisting } from '../contacts/index.js';
import type { EventNews } from './news.js';
import { eventNumber, roomForItems } from './plan-events.js';
import { holdFloor } from './queries.js';
import { packProperties } from './read-event.js';
import { EventStore } from './store-events.js';

export interface OwnEvent {
  readonly contactId: string;
  readonly eventName: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly chain: number;
  readonly fromEnrolment: string;
  /** When its write was acknowledged; this is also its date. */
  readonly acknowledgedAt: string;
}

interface OwnEventsStored {
  /** Why each was not stored, in order; null if it was. */
  readonly errors: readonly (string | null)[];
  /** The months of the events: for the keeper of months, after the commit. */
  readonly months: ReadonlySet<number>;
}

/**
 * Stores, counts and announces them like any event. Under the tenant's lock, in the write with this `seq`: one write has room for 4,096 of them,
 * over all calls with the same `seq`.
 */
export async function storeOwnEvents(
  tx: Transaction,
  tenantId: number,
  events: readonly OwnEvent[],
  seq: number,
  now: string,
): Promise<OwnEventsStored> {
  if (events.length > roomForItems) throw new Error(`A write has at most ${roomForItems} events; split it.`);
  if (events.length === 0) return { errors: [], months: new Set() };
  await holdFloor(tx);
  const known = await selectExisting(tx, tenantId, [...new Set(events.map(({ contactId }) => contactId))]);
  const placed: EventNews[] = [];
  const errors = events.map((event, i) => {
    if (!known.has(event.contactId)) return 'The contact was deleted before this event was stored.';
    const properties = packProperties(event.properties);
    if ('error' in properties) return properties.error;
    placed.push(placedOf(event, properties.json, eventNumber(seq, i)));
    return null;
  });
  const store = new EventStore(tx, tenantId);
  await store.run(async () => store.add(placed));
  return { errors, months: await store.finish(now) };
}

function placedOf({ properties: _, ...event }: OwnEvent, properties: string | null, eventNo: number): EventNews {
  const noIds = { eventId: null, userId: null, email: null, orgId: null };
  return { ...event, ...noIds, properties, eventNo, eventDate: event.acknowledgedAt };
}
