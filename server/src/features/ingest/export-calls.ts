// What was said about a person's users and could not be applied, for the right of access: everything that forgetUsers removes.
import type { Runner } from '../../db/database.js';
import { inPages } from '../../db/in-pages.js';
import { exporter } from '../contacts/index.js';
import { selectUsersAfter, type UserOfContact } from '../users/index.js';
import { type NumberedRefusal, selectRefusalsOf, selectWaiting } from './queries.js';

function usersOf(db: Runner, tenantId: number, contactId: string): AsyncIterable<UserOfContact> {
  return inPages(100, (after, size) => selectUsersAfter(db, tenantId, contactId, after?.userNo, size));
}

export const callSections = [
  exporter('waitingTraits', async function* (db, tenantId, { id }) {
    for await (const { userId } of usersOf(db, tenantId, id)) yield* await selectWaiting(db, tenantId, [userId]);
  }),
  exporter('refusedCalls', async function* (db, tenantId, { id }) {
    for await (const { userId } of usersOf(db, tenantId, id))
      yield* inPages(500, (after: NumberedRefusal | undefined, size) =>
        selectRefusalsOf(db, tenantId, userId, after?.refusalNo, size),
      );
  }),
];
