import type { getUserTransaction, UserResult } from '@rapport/contract';
import type { Static } from 'typebox';
import type { Runner } from '../../db/database.js';
import { presentContactWrite } from '../contacts/index.js';
import type { PresentedWrite, ShownBy } from '../transactions/index.js';
import { linksOf, readRequest, type UserRequest, type UserResults } from './plan-writes.js';
import { findWrittenUser } from './queries.js';

type Item = Static<typeof UserResult>;
const operation = 'UPSERT_PRODUCT_USER';

/** What a poll shows: the user's items, and once DONE the contact beside them. */
export async function presentUserWrite(
  db: Runner,
  tenantId: number,
  write: PresentedWrite,
): Promise<ShownBy<typeof getUserTransaction>> {
  if (write.status === 'PENDING') {
    return { results: pendingItems(readRequest({ uuid: write.uuid, payload: write.payload as string })) };
  }
  const { contact, users } = write.results as UserResults;
  const [shown, userId = null] = await Promise.all([
    presentContactWrite(db, tenantId, { ...write, results: contact }),
    findWrittenUser(db, tenantId, write.uuid),
  ]);
  const { error, ignoredProperties } = shown.data?.results[0] ?? {};
  const results: Item[] = users.map(({ orgId, status }) => ({
    userId,
    orgId,
    operation,
    status,
    ...(error === undefined ? {} : { error }),
    ...(ignoredProperties === undefined ? {} : { ignoredProperties }),
  }));
  return { results, ...shown };
}

export function pendingItems({ userId, orgIds }: Pick<UserRequest, 'userId' | 'orgIds'>): Item[] {
  return linksOf(orgIds).map((orgId) => ({ userId, orgId, operation, status: 'PENDING' }));
}
