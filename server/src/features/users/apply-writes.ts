import type { Transaction } from '../../db/database.js';
import { ContactBook } from '../contacts/index.js';
import type { Applier, PendingWrite, WriteOutcome } from '../transactions/index.js';
import { failure, readRequest, UserPlanner } from './plan-writes.js';
import { presentUserWrite } from './present-write.js';
import { insertUserWrites } from './queries.js';
import { lockDrafts, storeDrafts } from './store-drafts.js';

export const userWriteKind = 'user.upsert';

/** Applies product-user writes. Every statement is set-based, so a run of writes costs a handful of round trips. */
export const userApplier: Applier = {
  kinds: [userWriteKind],
  concernsUsers: true,
  apply: applyRun,
  refuse: (write, reason) => failure(readIfPossible(write), undefined, reason),
  present: presentUserWrite,
};

/** Reading the write may be what fails. It must end all the same, or its tenant would wait behind it forever. */
function readIfPossible(write: PendingWrite): Parameters<typeof failure>[0] {
  try {
    return readRequest(write);
  } catch {
    return { email: null, orgIds: [] };
  }
}

async function applyRun(
  tx: Transaction,
  tenantId: number,
  writes: readonly PendingWrite[],
  now: string,
): Promise<WriteOutcome[]> {
  const requests = writes.map(readRequest);
  const emails = requests.map((request) => request.email);
  const userIds = requests.map((request) => request.userId);
  const links = requests.flatMap(({ userId, orgIds }) => orgIds.map((orgId) => ({ orgId, userId })));
  const contacts = await ContactBook.open(tx, tenantId, emails);
  const users = await lockDrafts(tx, tenantId, userIds, links);
  const planner = new UserPlanner(users, contacts);
  const outcomes = requests.map((request) => planner.plan(request));
  await contacts.store(tx, tenantId, now);
  await storeDrafts(tx, tenantId, users, now);
  await insertUserWrites(tx, tenantId, planner.writes);
  return outcomes;
}
