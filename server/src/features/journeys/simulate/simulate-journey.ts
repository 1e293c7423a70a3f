// POST …/simulate: reads what is wanted, puts the stage up in a transaction that is rolled back, and lets the clock run.
import type { BodyValue, DataValue, simulateJourney as route } from '@rapport/contract';
import type { Transaction } from '../../../db/database.js';
import { invalid, notFound } from '../../../http/api-error.js';
import { notReady } from '../../../http/error-handler.js';
import { isAssetId } from '../../../lib/ids.js';
import { instantOf } from '../../../lib/instant.js';
import { selectNamedEvents } from '../../events/index.js';
import { timeZoneOf } from '../../tenants/index.js';
import { type Authoring, refuseUnfit } from '../authoring.js';
import { checkDefinition } from '../check-definition.js';
import type { Definition } from '../definition/definition.js';
import { readReentry } from '../definition/read.js';
import { readsOfDefinition, referencesOf } from '../definition/references.js';
import type { WonArm } from '../engine/types.js';
import { revealHeaders } from '../headers/hide.js';
import { findJourney, type HeldJourney } from '../queries.js';
import { type LiveJourney, selectWinners } from '../turn/queries.js';
import { answerOf } from './answer.js';
import { Elsewhere } from './elsewhere.js';
import { type Period, readEvents, readPeriod } from './period.js';
import { type NewEvent, readNow, selectPast, selectStartable } from './queries.js';
import { Simulation } from './simulation.js';
import { Stage } from './stage.js';
import { getContacts, sample, usualSample } from './who.js';

type Body = BodyValue<typeof route>;
export type SimulatedType = HeldJourney['type'];
export type SimulatedBody = Body & { definition: NonNullable<Body['definition']> };
type SimulationAnswer = DataValue<typeof route>;

const advice = 'simulate fewer contacts, or an earlier until';
/** Recorded events that come again. */
const mostEvents = 50_000;

export async function simulateJourney(
  authoring: Authoring,
  tenantId: number,
  id: string,
  body: Body,
): Promise<SimulationAnswer> {
  const journey = isAssetId(id) ? await findJourney(authoring.db, tenantId, id) : undefined;
  if (!journey) throw notFound('journey');
  return simulate(authoring, tenantId, journey, body);
}

/** A definition that no journey has yet. */
export function simulateDefinition(
  authoring: Authoring,
  tenantId: number,
  type: SimulatedType,
  body: SimulatedBody,
): Promise<SimulationAnswer> {
  const journeyId = '0'.repeat(24);
  return simulate(authoring, tenantId, { journeyId, journeyNo: 0, type, version: null, definition: null }, body);
}

/** What a simulation needs to know of a journey. */
type Simulated = Pick<HeldJourney, 'journeyId' | 'journeyNo' | 'type' | 'version' | 'definition'>;

async function simulate(
  authoring: Authoring,
  tenantId: number,
  journey: Simulated,
  body: Body,
): Promise<SimulationAnswer> {
  const { db } = authoring;
  if (body.contactIds && body.sample !== undefined)
    throw invalid('sample', 'and contactIds exclude one another: give one');
  if (body.definition) refuseUnfit(body.definition);
  const json = body.definition ? revealHeaders(body.definition, journey.definition) : journey.definition;
  if (!json) throw invalid('definition', 'is required: the journey has none yet');
  const known = await authoring.templateFaults(tenantId, json);
  const definition = await checkDefinition(db, tenantId, json, journey.type, authoring.subjects, known);
  const period = readPeriod(body, await readNow(db));
  const given = readEvents(body.events ?? [], period);
  try {
    return await db.rehearse(
      tenantId,
      (tx) => rehearse(tx, tenantId, { journey, definition, period, given, body }),
      advice,
    );
  } catch (error) {
    throw explained(error);
  }
}

interface Wanted {
  readonly journey: Simulated;
  readonly definition: Definition;
  readonly period: Period;
  readonly given: readonly NewEvent[];
  readonly body: Body;
}

async function rehearse(tx: Transaction, tenantId: number, wanted: Wanted): Promise<SimulationAnswer> {
  const { journey, definition, period, given } = wanted;
  const contactIds = await whoTakesPart(tx, tenantId, wanted);
  const named = referencesOf(definition);
  const found = await selectStartable(tx, tenantId, idsOf(named.triggerJourney));
  const startable = new Map(found.map(({ journeyId, reentry }) => [journeyId, readReentry(reentry, 'reentry')]));
  const others = [...idsOf(named.triggerJourney), ...idsOf(named.journey)];
  const elsewhere = new Elsewhere(startable, await selectPast(tx, tenantId, others, contactIds));
  const simulation = new Simulation({ journey: liveOf(journey), definition, elsewhere });
  const winners = await winnersOf(tx, tenantId, wanted);
  const timeZone = await timeZoneOf(tx, tenantId);
  const recorded = await recordedEvents(tx, tenantId, wanted, contactIds);
  const stage = new Stage({ tx, tenantId, timeZone, definition, winners }, () => simulation.enrolments);
  await stage.set(contactIds, period.from, given);
  if (definition.entry.kind !== 'event')
    for (const contactId of contactIds) simulation.add(period.from, { kind: 'enter', contactId });
  for (const { contactId, eventName, at, ...event } of [...recorded, ...given])
    simulation.add(at, {
      kind: 'event',
      contactId,
      eventName,
      event: { ...noUser, eventDate: instantOf(at), at, ...event },
      chain: 0,
    });
  await simulation.run(stage, period.until);
  return answerOf(definition, contactIds, simulation.ways);
}

const noUser = { userId: null, orgId: null };
const idsOf = (references: readonly { id: string }[]) => references.map(({ id }) => id);

/** A sample includes the contacts that have events. */
async function whoTakesPart(tx: Transaction, tenantId: number, { definition, period, given, body }: Wanted) {
  const withEvents = given.map(({ contactId }) => contactId);
  if (body.contactIds) {
    const contactIds = await getContacts(tx, tenantId, body.contactIds, 'contactIds');
    const place = withEvents.findIndex((contactId) => !contactIds.includes(contactId));
    if (place >= 0) throw invalid(`events[${place}].contactId`, 'is none of the contacts that take part');
    return contactIds;
  }
  const named = await getContacts(tx, tenantId, withEvents, 'events');
  const count = Math.max(0, (body.sample ?? usualSample) - named.length);
  const recorded = { from: period.from, to: Math.min(period.until, period.now) };
  return [...named, ...(await sample(tx, tenantId, definition, count, recorded, named))];
}

/** A definition that was never active has no winners yet. */
async function winnersOf(tx: Transaction, tenantId: number, { journey, body }: Wanted): Promise<Map<string, WonArm>> {
  if (body.definition || journey.version === null) return new Map();
  const own = `${journey.journeyNo}:${journey.version}:`;
  const all = await selectWinners(tx, tenantId);
  return new Map([...all].flatMap(([key, won]) => (key.startsWith(own) ? [[key.slice(own.length), won]] : [])));
}

/** What the journey listens to, of the part of the period that is over. */
async function recordedEvents(
  tx: Transaction,
  tenantId: number,
  { definition, period }: Wanted,
  contactIds: readonly string[],
) {
  if (period.from > period.now) return [];
  const { entry } = definition;
  const names = new Set([
    ...(entry.kind === 'event' ? [entry.eventName] : []),
    ...readsOfDefinition(definition).waitsFor,
  ]);
  const span = { from: instantOf(period.from), to: instantOf(Math.min(period.until, period.now)) };
  const events = await selectNamedEvents(tx, tenantId, contactIds, [...names], span, mostEvents + 1);
  if (events.length > mostEvents)
    throw invalid(
      'from',
      `that is later, or fewer contacts are wanted: more than ${mostEvents.toLocaleString('en')} events come again`,
    );
  return events.map(({ contactId, eventName, eventDate, userId, orgId, properties }) => ({
    ...{ contactId, eventName, at: Date.parse(eventDate), eventDate, userId, orgId, properties: properties ?? {} },
  }));
}

/** As if it were active: what contacts enter. */
function liveOf({ journeyNo, journeyId, type, version }: Simulated): LiveJourney {
  return {
    ...{ journeyNo, journeyId, type, isActive: true, isPaused: false, isStopping: false, version: version ?? 1 },
    ...{ activatedAt: 0, nextRunAt: null, moves: [], datesTo: null, datesBuilt: true, isBroadcast: false },
  };
}

/** The database is read-only, or does not allow temporary tables. */
function explained(error: unknown): unknown {
  const { code } = error as { code?: string };
  if (code !== '25006' && code !== '42501') return error;
  const reason =
    'a simulation needs temporary tables, and the database allows none now; try again, or allow them (TEMPORARY)';
  return notReady({ reason, retryAfter: 5 });
}
