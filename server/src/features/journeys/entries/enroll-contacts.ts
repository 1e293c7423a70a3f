import type { Hand } from '@rapport/contract';
import type { Transaction } from '../../../db/database.js';
import { locks, waitForTenant } from '../../../db/locks.js';
import { ApiError, errorItem, notFound } from '../../../http/api-error.js';
import type { Caller } from '../../../http/endpoint.js';
import { isAssetId, isContactId } from '../../../lib/ids.js';
import { selectAccountNames } from '../../tenants/index.js';
import type { Interests } from '../news/interests.js';
import { turnContextOf } from '../turn/context.js';
import { TurnEnrolments } from '../turn/enrolments.js';
import { pastOfEntries } from '../turn/past.js';
import { storeEnrolments } from '../turn/store/store.js';
import { findEntered } from './queries.js';

const refused = 'may not enter now: the journey says who may enter again, and when';

export type Enroller = Pick<Caller, 'tenantId' | 'accountId' | 'tokenKind'>;

/** Who did it, and how. A token that was pasted into the console looks like one of a program. */
export async function handOf(tx: Transaction, { tenantId, accountId, tokenKind }: Enroller): Promise<Hand> {
  const by = (await selectAccountNames(tx, tenantId, [accountId])).get(accountId);
  const via = tokenKind === 'session' || tokenKind === 'app' ? tokenKind : 'token';
  return { via, ...(by === undefined ? {} : { by }) };
}

/**
 * Enrols contacts by hand. Takes the lock of the worker, so that no contact enters twice and the answer is exact; the worker takes the
 * first step.
 */
export async function enrollContacts(
  tx: Transaction,
  caller: Enroller,
  journeyId: string,
  given: readonly string[],
  interests: Interests,
) {
  const { tenantId } = caller;
  const now = await waitForTenant(tx, tenantId, locks.journeyWork);
  const context = await turnContextOf(interests, tx, tenantId, now);
  const found = isAssetId(journeyId) ? await findEntered(tx, tenantId, journeyId) : undefined;
  if (!found) throw notFound('journey');
  const journey = context.journeys.get(found.journeyNo);
  const definition = journey && (await context.definitionOf(journey.journeyNo, journey.version));
  if (!journey?.isActive || !definition || found.type !== 'trigger')
    throw new ApiError('INVALID_STATE', {
      reason: 'Contacts can only be enrolled in an active trigger journey. Activate it first.',
    });
  const wanted = [...new Set(given)];
  const { journeyNo } = journey;
  const enrolments = new TurnEnrolments(context);
  const pairs = wanted.filter(isContactId).map((contactId) => ({ journeyNo, contactId }));
  await enrolments.gather(await pastOfEntries(context, pairs));
  await enrolments.meet(pairs.map(({ contactId }) => contactId));
  const entering = { words: {}, chain: 0, cause: { code: 'byHand', ...(await handOf(tx, caller)) } as const };
  const known = pairs.filter(({ contactId }) => enrolments.personOf(contactId));
  const entered = known.filter(({ contactId }) => enrolments.enter(journey, definition, contactId, entering));
  await storeEnrolments(context, enrolments, []);
  const isKnown = new Set(known.map(({ contactId }) => contactId));
  const hasEntered = new Set(entered.map(({ contactId }) => contactId));
  const errors = wanted.flatMap((contactId) => {
    if (!isKnown.has(contactId)) return [errorItem('CONTACTS_NOT_FOUND', { contactId }, contactId)];
    if (hasEntered.has(contactId)) return [];
    return [errorItem('INVALID_STATE', { reason: `The contact ${contactId} ${refused}.` }, contactId)];
  });
  return { data: { enrolled: entered.length, skipped: known.length - entered.length }, errors };
}
