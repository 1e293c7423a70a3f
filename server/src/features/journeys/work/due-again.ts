import type { Transaction } from '../../../db/database.js';
import { instantOf } from '../../../lib/instant.js';
import { selectContactsByIds } from '../../contacts/index.js';
import type { Leaving } from '../../messages/index.js';
import { timeZoneOf } from '../../tenants/index.js';
import { nextInWindow, zoneOf } from '../definition/calendar.js';
import type { SendWindow } from '../definition/definition.js';
import type { Interests } from '../news/interests.js';
import { selectMoment, selectVersionsOf } from '../turn/queries.js';

/**
 * When messages may leave: now, or when the window of their journey opens next. That of the version which their contact is on, or was on
 * last: its journey may be over. Transactional ones pass over windows.
 */
export async function dueAgain(
  interests: Interests,
  tx: Transaction,
  tenantId: number,
  messages: readonly Leaving[],
): Promise<string[]> {
  const windows = await windowsOf(interests, tx, tenantId, messages);
  if (windows.size === 0) return messages.map(({ dueAt }) => dueAt);
  const now = Date.parse(await selectMoment(tx));
  const timeZone = await timeZoneOf(tx, tenantId);
  const contactIds = [...new Set(messages.flatMap(({ contactId }) => contactId ?? []))];
  const contacts = new Map(
    (await selectContactsByIds(tx, tenantId, contactIds)).map((one) => [one.id, one.properties]),
  );
  return messages.map(({ contactId, enrolmentId, dueAt, kind }) => {
    const window = kind === 'transactional' ? undefined : windows.get(enrolmentId ?? '');
    if (!window) return dueAt;
    const zone = window.timeZone ?? zoneOf(contacts.get(contactId ?? '') ?? {}, timeZone);
    return instantOf(nextInWindow(window, zone, Math.max(Date.parse(dueAt), now)));
  });
}

/** By enrolment; only of those whose version has one. */
async function windowsOf(
  interests: Interests,
  tx: Transaction,
  tenantId: number,
  messages: readonly Leaving[],
): Promise<Map<string, SendWindow>> {
  const windows = new Map<string, SendWindow>();
  const enrolmentIds = [...new Set(messages.flatMap(({ enrolmentId }) => enrolmentId ?? []))];
  for (const { enrolmentId, journeyNo, version } of await selectVersionsOf(tx, tenantId, enrolmentIds)) {
    const window = (await interests.definitionOf(tx, tenantId, journeyNo, version))?.window;
    if (window) windows.set(enrolmentId, window);
  }
  return windows;
}
