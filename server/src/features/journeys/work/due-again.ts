import type { Transaction } from '../../../db/database.js';
import { instantOf } from '../../../lib/instant.js';
import { selectContactsByIds } from '../../contacts/index.js';
import type { PutBack } from '../../messages/index.js';
import { nextInWindow, zoneOf } from '../definition/calendar.js';
import type { Interests } from '../news/interests.js';
import { groundOf } from './ground.js';
import { selectMoment } from './queries.js';

/** Messages that a paused journey kept leave inside its window again. */
export async function dueAgain(
  interests: Interests,
  tx: Transaction,
  tenantId: number,
  journeyId: string,
  messages: readonly PutBack[],
): Promise<string[]> {
  const ground = await groundOf(interests, tx, tenantId, await selectMoment(tx));
  const journey = [...ground.journeys.values()].find((one) => one.journeyId === journeyId);
  const window = journey && (await ground.definitionOf(journey.journeyNo, journey.version))?.window;
  if (!window) return messages.map(({ dueAt }) => dueAt);
  const contactIds = messages.flatMap(({ contactId }) => contactId ?? []);
  const contacts = new Map(
    (await selectContactsByIds(tx, tenantId, contactIds)).map((one) => [one.id, one.properties]),
  );
  return messages.map(({ contactId, dueAt, kind }) => {
    if (kind === 'transactional') return dueAt;
    const zone = window.timeZone ?? zoneOf(contacts.get(contactId ?? '') ?? {}, ground.timeZone);
    return instantOf(nextInWindow(window, zone, Math.max(Date.parse(dueAt), ground.now)));
  });
}
