// GET …/explain: why a contact did or did not enter, stands where it stands, did or did not get each email.

import type { Runner } from '../../../db/database.js';
import { ApiError, notFound } from '../../../http/api-error.js';
import { isAssetId, isContactId } from '../../../lib/ids.js';
import { daySayer } from '../../../lib/say-day.js';
import { selectContactsByIds } from '../../contacts/index.js';
import { FilterFaults } from '../../filter-language/index.js';
import { selectToContact } from '../../messages/index.js';
import { timeZoneOf } from '../../tenants/index.js';
import type { Authoring } from '../authoring.js';
import { readDefinition } from '../definition/read.js';
import type { Json } from '../queries.js';
import { selectDefinitions } from '../versions/queries.js';
import { entryReasons, journeyReason } from './entry-reasons.js';
import { messageReasons } from './message-reasons.js';
import { findTold, selectToldEnrolments, type ToldJourney } from './queries.js';
import { type Case, type Explanation, type ReadVersion, reason } from './reason.js';
import { topicsFor } from './topic-reasons.js';
import { wayReasons } from './way-reasons.js';

const mostEnrolments = 20;
const mostMessages = 200;

export async function explainJourney(
  authoring: Authoring,
  tenantId: number,
  id: string,
  contactId: string,
): Promise<Explanation> {
  const db = authoring.db.slow(tenantId);
  const journey = isAssetId(id) ? await findTold(db, tenantId, id) : undefined;
  if (!journey) throw notFound('journey');
  const [contact] = isContactId(contactId) ? await selectContactsByIds(db, tenantId, [contactId]) : [];
  if (!contact) throw new ApiError('BAS-E-002');
  const enrolments = await selectToldEnrolments(db, tenantId, journey.journeyNo, contactId, mostEnrolments);
  const versions = await readVersions(
    db,
    tenantId,
    journey,
    enrolments.map(({ version }) => version),
    authoring,
  );
  const entered =
    journey.version === null ? readVersion(journey.definition, journey, authoring) : versions.get(journey.version);
  const first = journeyReason(journey);
  if (!entered) {
    const detail = 'The journey is not complete: activate it to see what is missing.';
    return { entered: enrolments.length > 0, reasons: [first, reason('entry', false, detail)], messages: [] };
  }
  const now = Date.parse(journey.now);
  const timeZone = await timeZoneOf(db, tenantId);
  const one: Case = {
    tenantId,
    contactId,
    journey,
    entered,
    enrolments,
    properties: contact.properties,
    timeZone,
    now,
  };
  const reasons = [first, ...(await entryReasons(db, one))];
  for (const enrolment of enrolments)
    reasons.push(...(await wayReasons(db, one, enrolment, versions.get(enrolment.version)?.definition)));
  const messages = await selectToContact(db, tenantId, journey.journeyId, contactId, mostMessages);
  const [last] = enrolments;
  const shown = (last && versions.get(last.version)) ?? entered;
  const day = daySayer(timeZone, new Date(now));
  const topics = await topicsFor(db, tenantId, contactId, shown.definition, messages, day);
  return {
    entered: enrolments.length > 0,
    reasons: [...reasons, ...topics.reasons],
    messages: messageReasons(messages, last, shown.definition, now, topics.keepBack),
  };
}

async function readVersions(
  db: Runner,
  tenantId: number,
  journey: ToldJourney,
  numbers: readonly number[],
  authoring: Authoring,
): Promise<Map<number, ReadVersion>> {
  const wanted = new Set([...numbers, ...(journey.version === null ? [] : [journey.version])]);
  const found = await selectDefinitions(db, tenantId, journey.journeyNo, [...wanted]);
  return new Map(
    [...found].flatMap(([version, json]) => {
      const read = readVersion(json, journey, authoring);
      return read ? [[version, read] as const] : [];
    }),
  );
}

/** Nothing for a draft that is not complete. */
function readVersion(json: Json | null, { type }: ToldJourney, { subjects }: Authoring): ReadVersion | undefined {
  if (json === null) return undefined;
  try {
    return { json, definition: readDefinition(json, type, subjects) };
  } catch (error) {
    if (error instanceof FilterFaults) return undefined;
    throw error;
  }
}
