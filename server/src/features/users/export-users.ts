// What is kept about a person's users, for the right of access: everything that eraseUsers removes.
import { inPages } from '../../db/in-pages.js';
import { formatTransactionId } from '../../lib/ids.js';
import { exporter } from '../contacts/index.js';
import { type OrganizationOfUser, selectOrganizationsOf } from '../organizations/index.js';
import { selectUsersAfter, selectWritesAfter } from './queries.js';

export const userSections = [
  exporter('productUsers', async function* (db, tenantId, { id }) {
    for await (const user of inPages(200, (after: UserPage | undefined, size) =>
      selectUsersAfter(db, tenantId, id, after?.userNo, size),
    )) {
      const organizations: OrganizationOfUser[] = [];
      for await (const organization of inPages(500, (after: OrganizationOfUser | undefined, size) =>
        selectOrganizationsOf(db, tenantId, user.userId, after?.membershipNo, size),
      ))
        organizations.push(organization);
      yield { ...user, organizations };
    }
  }),
  exporter('productUserWrites', async function* (db, tenantId, { id }) {
    for await (const { uuid, userId } of inPages(500, (after: WritePage | undefined, size) =>
      selectWritesAfter(db, tenantId, id, after?.uuid, size),
    ))
      yield { transactionId: formatTransactionId(tenantId, uuid), userId };
  }),
];
type UserPage = Awaited<ReturnType<typeof selectUsersAfter>>[number];
type WritePage = Awaited<ReturnType<typeof selectWritesAfter>>[number];
