// Journeys that begin on a date of the contact: when each one's next date is, found along the contacts once and kept by changes.
import { nextDate, zoneOf } from '../definition/calendar.js';
import type { TurnContext } from '../turn/context.js';
import type { TurnEnrolments } from '../turn/enrolments.js';
import type { LiveJourney, Pair } from '../turn/queries.js';
import { type DatedContact, endDateStep, putDates, selectContactsAfter } from './queries.js';

/** Finds when the next date of these contacts is. `after`: dates up to then have been, or were before the activation. */
export async function redate(
  context: TurnContext,
  enrolments: TurnEnrolments,
  pairs: readonly (Pair & { after?: number })[],
): Promise<void> {
  const dates: DatedContact[] = [];
  for (const { journeyNo, contactId, after } of pairs) {
    const journey = context.journeys.get(journeyNo);
    const definition = journey && (await context.definitionOf(journeyNo, journey.version));
    const person = enrolments.personOf(contactId);
    if (!journey || definition?.entry.kind !== 'date' || !person) {
      dates.push({ journeyNo, contactId, dueAt: null });
      continue;
    }
    const zone = zoneOf(person.properties, context.timeZone);
    const from = Math.max(after ?? context.now, journey.activatedAt);
    dates.push({ journeyNo, contactId, dueAt: nextDate(definition.entry, person.properties, zone, from) });
  }
  // Of two news about one contact the last word counts, and it is the same.
  await putDates(context.tx, context.tenantId, [
    ...new Map(dates.map((d) => [`${d.journeyNo}:${d.contactId}`, d])).values(),
  ]);
}

/** A step along the contacts, for a journey that was activated. Returns how many it came by. */
export async function buildDates(
  context: TurnContext,
  enrolments: TurnEnrolments,
  { journeyNo, datesTo, activatedAt }: LiveJourney,
  atMost: number,
): Promise<number> {
  const { tx, tenantId } = context;
  const contactIds = await selectContactsAfter(tx, tenantId, datesTo, atMost);
  await enrolments.meet(contactIds);
  await redate(
    context,
    enrolments,
    contactIds.map((contactId) => ({ journeyNo, contactId, after: activatedAt })),
  );
  await endDateStep(tx, tenantId, journeyNo, contactIds.length < atMost ? null : (contactIds.at(-1) ?? null));
  return contactIds.length;
}
