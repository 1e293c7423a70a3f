import type { Transaction } from '../../../db/database.js';
import { locks, waitForTenant } from '../../../db/locks.js';
import { ApiError, errorItem, notFound } from '../../../http/api-error.js';
import type { Caller } from '../../../http/endpoint.js';
import { isAssetId, isContactId } from '../../../lib/ids.js';
import { selectAccountNames } from '../../tenants/index.js';
import type { Interests } from '../news/interests.js';
import type { Cause } from '../timeline/fact.js';
import { Company } from '../work/company.js';
import { groundOf } from '../work/ground.js';
import { pastOfEntries } from '../work/past.js';
import { storeCompany } from '../work/store/store.js';
import { findEntered } from './queries.js';

const refused = 'may not enter now: the journey says who may enter again, and when';

type Enroller = Pick<Caller, 'tenantId' | 'accountId' | 'tokenKind'>;

/** Who did it, and how. A token that was pasted into the console looks like one of a program. */
async function causeOf(tx: Transaction, { tenantId, accountId, tokenKind }: Enroller): Promise<Cause> {
  const by = (await selectAccountNames(tx, tenantId, [accountId])).get(accountId);
  const via = tokenKind === 'session' || tokenKind === 'app' ? tokenKind : 'token';
  return { code: 'byHand', via, ...(by === undefined ? {} : { by }) };
}

/**
 * Enrols contacts by hand. Under the lock of whoever moves enrolments, so that nobody enters twice and the answer is exact; the first
 * step is taken by the worker.
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
  const ground = await groundOf(interests, tx, tenantId, now);
  const found = isAssetId(journeyId) ? await findEntered(tx, tenantId, journeyId) : undefined;
  if (!found) throw notFound('journey');
  const journey = ground.journeys.get(found.journeyNo);
  const definition = journey && (await ground.definitionOf(journey.journeyNo, journey.version));
  if (!journey?.isActive || !definition || found.type !== 'trigger')
    throw new ApiError('INVALID_STATE', {
      reason: 'Contacts can be enrolled only in an active trigger journey. Activate it first.',
    });
  const wanted = [...new Set(given)];
  const { journeyNo } = journey;
  const company = new Company(ground);
  const pairs = wanted.filter(isContactId).map((contactId) => ({ journeyNo, contactId }));
  await company.gather(await pastOfEntries(ground, pairs));
  await company.meet(pairs.map(({ contactId }) => contactId));
  const entering = { words: {}, chain: 0, cause: await causeOf(tx, caller) };
  const known = pairs.filter(({ contactId }) => company.personOf(contactId));
  const entered = known.filter(({ contactId }) => company.enter(journey, definition, contactId, entering));
  await storeCompany(ground, company, []);
  const isKnown = new Set(known.map(({ contactId }) => contactId));
  const hasEntered = new Set(entered.map(({ contactId }) => contactId));
  const errors = wanted.flatMap((contactId) => {
    if (!isKnown.has(contactId)) return [errorItem('CONTACTS_NOT_FOUND', { contactId }, contactId)];
    if (hasEntered.has(contactId)) return [];
    return [errorItem('INVALID_STATE', { reason: `The contact ${contactId} ${refused}.` }, contactId)];
  });
  return { data: { enrolled: entered.length, skipped: known.length - entered.length }, errors };
}
