// What makes a contact enter, for each kind of entry, and whether that came.

import { consentSources, topicStateWords } from '@rapport/contract';
import type { Runner } from '../../../db/database.js';
import { assertNever } from '../../../lib/assert-never.js';
import { instantOf } from '../../../lib/instant.js';
import { selectTopicLog, selectTopicNames } from '../../consent/index.js';
import { selectChangesOf } from '../../contacts/index.js';
import { findJoined } from '../../dynamic-lists/index.js';
import { selectNewestNamed } from '../../events/index.js';
import { quote, sayScalar } from '../../filter-language/index.js';
import { nextDate, zoneOf } from '../definition/calendar.js';
import type { Entry } from '../definition/definition.js';
import { equalsScalar } from '../news/match-property.js';
import { type Case, type Reason, reason } from './reason.js';
import { failingPart } from './where.js';

/** Events of a name, and changes of a property, that are looked at. */
const mostLooked = 100;

export async function entryReason(db: Runner, one: Case, entry: Entry): Promise<Reason> {
  switch (entry.kind) {
    case 'event':
      return eventReason(db, one, entry);
    case 'batch':
      return batchReason(db, one, entry);
    case 'joined':
      return joinedReason(db, one, entry);
    case 'left':
      return leftReason(db, one, entry);
    case 'property':
      return propertyReason(db, one, entry);
    case 'form':
      return one.enrolments.length > 0
        ? reason('entry', true, 'They submitted the form.', one.enrolments[0]?.enteredAt)
        : reason(
            'entry',
            false,
            'They have not submitted the form since the journey was activated, or have not confirmed it.',
          );
    case 'topic':
      return topicReason(db, one, entry);
    case 'date':
      return dateReason(one, entry);
    case 'api':
      return one.enrolments.length > 0
        ? reason('entry', true, 'They were enrolled manually.', one.enrolments[0]?.enteredAt)
        : reason(
            'entry',
            false,
            'Contacts enter when they are enrolled manually or through the API, and this one was not.',
          );
    default:
      return assertNever(entry);
  }
}

type Of<Kind extends Entry['kind']> = Extract<Entry, { kind: Kind }>;

async function eventReason(db: Runner, one: Case, { eventName }: Of<'event'>): Promise<Reason> {
  const { tenantId, contactId, journey, entered } = one;
  const did = `did ${quote(eventName)}`;
  const events = await selectNewestNamed(db, tenantId, contactId, eventName, mostLooked);
  const [newest] = events;
  if (!newest) return reason('entry', false, `They never ${did}.`);
  const fits = events.map((event) => ({ event, part: failingPart(entered.json, event) }));
  const since = journey.activatedAt;
  const inTime = since === null ? [] : fits.filter(({ event }) => event.eventDate >= since);
  const counted = inTime.find(({ part }) => part === undefined);
  if (counted) return reason('entry', true, `They ${did}.`, counted.event.eventDate);
  // Its date is the sender's word: one that entered by it came in time, and one that does not fit would not have started at any time.
  const started = one.enrolments.find(
    ({ cause }) => cause?.code === 'eventCame' && cause.subjects?.eventName === eventName,
  );
  if (started) return reason('entry', true, `They ${did}.`, started.enteredAt);
  const refused = inTime[0] ?? (fits.every(({ part }) => part !== undefined) ? fits[0] : undefined);
  if (refused) return reason('entry', false, `They ${did}, but ${refused.part} was not met.`, refused.event.eventDate);
  if (since === null)
    return reason('entry', false, `They ${did} before the journey was ever activated.`, newest.eventDate);
  return reason('entry', false, `They ${did} before the journey was activated on ${since}.`, newest.eventDate);
}

async function batchReason(db: Runner, one: Case, { audience }: Of<'batch'>): Promise<Reason> {
  const { journey, enrolments } = one;
  const joined = await findJoined(db, one.tenantId, audience, one.contactId);
  const [last] = enrolments;
  if (last && (journey.ranAt === null || last.enteredAt >= journey.ranAt))
    return reason('entry', true, 'They were in the audience when the journey ran.', last.enteredAt);
  const next = journey.nextRunAt === null ? 'no run is scheduled' : `the next run is on ${journey.nextRunAt}`;
  if (joined === undefined)
    return reason('entry', false, `They are not in the audience; ${next}.`, journey.ranAt, audience);
  if (journey.ranAt === null)
    return reason('entry', false, `They are in the audience, but the journey has not run: ${next}.`);
  if (joined > journey.ranAt)
    return reason('entry', false, `They joined the audience after the run on ${journey.ranAt}; ${next}.`, joined);
  return reason('entry', false, `They did not enter in the run on ${journey.ranAt}; ${next}.`, joined);
}

async function joinedReason(db: Runner, one: Case, { list }: Of<'joined'>): Promise<Reason> {
  const joined = await findJoined(db, one.tenantId, list, one.contactId);
  const since = one.journey.activatedAt;
  if (joined === undefined) return reason('entry', false, 'They are not in the list.', null, list);
  if (since === null || joined < since)
    return reason(
      'entry',
      false,
      `They joined the list before the journey was activated${since ? ` on ${since}` : ''}.`,
      joined,
    );
  return reason('entry', true, 'They joined the list.', joined);
}

async function leftReason(db: Runner, one: Case, { dynamicListId }: Of<'left'>): Promise<Reason> {
  const joined = await findJoined(db, one.tenantId, { dynamicListId }, one.contactId);
  if (joined !== undefined) return reason('entry', false, 'They are still in the list.', joined);
  const [last] = one.enrolments;
  if (last) return reason('entry', true, 'They left the list.', last.enteredAt);
  return reason('entry', false, 'They have not left the list since the journey was activated.');
}

async function propertyReason(db: Runner, one: Case, entry: Of<'property'>): Promise<Reason> {
  const { from, to, property } = entry;
  const since = one.journey.activatedAt;
  const name = `The property ${quote(property)}`;
  const changes = await selectChangesOf(db, one.tenantId, one.contactId, property, mostLooked);
  const isMeant = (change: { oldValue: unknown; newValue: unknown }) =>
    (from === undefined || equalsScalar(change.oldValue, from)) &&
    (to === undefined || equalsScalar(change.newValue, to));
  const inTime = changes.filter(({ at }) => since !== null && at >= since);
  const counted = inTime.find(isMeant);
  if (counted) return reason('entry', true, `${name} changed.`, counted.at);
  const wanted = [
    from === undefined ? '' : ` from ${sayScalar(from)}`,
    to === undefined ? '' : ` to ${sayScalar(to)}`,
  ].join('');
  if (inTime[0]) return reason('entry', false, `${name} changed, but not${wanted}.`, inTime[0].at);
  if (changes[0]) return reason('entry', false, `${name} changed before the journey was activated.`, changes[0].at);
  return reason('entry', false, `${name} has not changed since the contact was created.`);
}

async function topicReason(db: Runner, one: Case, { topicId, becomes }: Of<'topic'>): Promise<Reason> {
  const { tenantId, contactId, journey } = one;
  const since = journey.activatedAt;
  const topic = quote((await selectTopicNames(db, tenantId, [topicId])).get(topicId) ?? topicId);
  const became = `became ${topicStateWords[becomes]} the topic ${topic}`;
  const log = await selectTopicLog(db, tenantId, contactId, topicId, mostLooked);
  const meant = log.filter(({ state }) => state === becomes);
  const counted = meant.find(({ at }) => since !== null && at >= since);
  if (counted) return reason('entry', true, `They ${became} (${consentSources[counted.source]}).`, counted.at);
  // The log has the time of the form, and a confirmation comes later.
  const started = one.enrolments.find(({ cause }) => cause?.code === 'topicBecame');
  if (started) return reason('entry', true, `They ${became}.`, started.enteredAt);
  if (meant[0]) return reason('entry', false, `They ${became} before the journey was activated.`, meant[0].at);
  return reason('entry', false, `They never ${became}.`, log[0]?.at);
}

function dateReason(one: Case, entry: Of<'date'>): Reason {
  const { properties, timeZone, now, journey, enrolments } = one;
  const key = quote(entry.property);
  const zone = zoneOf(properties, timeZone);
  const next = nextDate(entry, properties, zone, now);
  if (next !== null) return reason('entry', false, `The date in ${key} is still ahead.`, instantOf(next));
  const [last] = enrolments;
  if (last) return reason('entry', true, `The date in ${key} arrived.`, last.enteredAt);
  const ever = nextDate(entry, properties, zone, Number.NEGATIVE_INFINITY);
  if (ever === null) return reason('entry', false, `They have no date in ${key}.`);
  const since = journey.activatedAt ? Date.parse(journey.activatedAt) : now;
  const words =
    ever <= since ? `The date in ${key} had passed when the journey was activated.` : `The date in ${key} has passed.`;
  return reason('entry', false, words, instantOf(ever));
}
