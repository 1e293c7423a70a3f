import type { Transaction } from '../../db/database.js';
import { ContactBook } from '../contacts/index.js';
import { insertMemberships, selectMemberships } from '../organizations/index.js';
import type { Applier, Outcome, PendingWrite } from '../transactions/index.js';
import { failure, readRequest, UserPlanner, type UserRequest } from './plan-writes.js';
import { presentUserWrite } from './present-write.js';
import { insertUsers, insertUserWrites, lockUsers, updateUsers } from './queries.js';

export const userWriteKind = 'user.upsert';

/** Applies product-user writes. Every statement is set-based: a run of writes costs a handful of round trips. */
export function userApplier(): Applier {
  return {
    kinds: [userWriteKind],
    apply: applyRun,
    refuse: (write, reason) => failure(readRequest(write), undefined, reason),
    present: presentUserWrite,
  };
}

async function applyRun(
  tx: Transaction,
  tenantId: number,
  writes: readonly PendingWrite[],
  now: string,
): Promise<Outcome[]> {
  const requests = writes.map(readRequest);
  const contacts = await ContactBook.open(
    tx,
    tenantId,
    requests.map((request) => request.email),
  );
  const planner = await openPlanner(tx, tenantId, requests, contacts);
  const outcomes = requests.map((request) => planner.plan(request));
  await contacts.store(tx, tenantId, now);
  await insertUsers(tx, tenantId, planner.added, now);
  await updateUsers(tx, tenantId, planner.changed, now);
  await insertMemberships(tx, tenantId, planner.joined, now);
  await insertUserWrites(tx, tenantId, planner.writes);
  return outcomes;
}

// Users are locked first: from then on nobody deletes them, and the memberships that are read next stay theirs.
async function openPlanner(
  tx: Transaction,
  tenantId: number,
  requests: readonly UserRequest[],
  contacts: ContactBook,
): Promise<UserPlanner> {
  const stored = await lockUsers(tx, tenantId, [...new Set(requests.map((request) => request.userId))]);
  const isStored = new Set(stored.map((user) => user.userId));
  const links = requests
    .filter(({ userId }) => isStored.has(userId))
    .flatMap(({ userId, orgIds }) => orgIds.map((orgId) => ({ orgId, userId })));
  return new UserPlanner(stored, links.length === 0 ? [] : await selectMemberships(tx, tenantId, links), contacts);
}
