import type { createUser as contract, UserAcknowledgement } from '@rapport/contract';
import type { Static } from 'typebox';
import type { Call } from '../../http/endpoint.js';
import { withoutInfinity } from '../../lib/finite.js';
import { parseTransactionId } from '../../lib/ids.js';
import { requireOrganizations } from '../organizations/index.js';
import type { Acknowledger } from '../transactions/index.js';
import { userWriteKind } from './apply-writes.js';
import { generatedUserId } from './plan-writes.js';
import { pendingItems } from './present-write.js';

export async function createUser(
  acknowledger: Acknowledger,
  call: Call<typeof contract>,
): Promise<{ data: Static<typeof UserAcknowledgement>; replayed?: boolean }> {
  const { tenantId } = call.caller;
  const { email, userId, properties = {} } = call.body;
  const orgIds = [...new Set(call.body.orgIds)];
  const payload = JSON.stringify({ email, userId, orgIds, properties }, withoutInfinity);
  const write = { kind: userWriteKind, items: Math.max(1, orgIds.length), payload };
  const answer = await acknowledger.answer(call, write, (db) => requireOrganizations(db, tenantId, orgIds));
  const uuid = parseTransactionId(tenantId, answer.data.transactionId) as string;
  const results = pendingItems({ userId: userId ?? generatedUserId(uuid), orgIds });
  return { ...answer, data: { ...answer.data, results } };
}
