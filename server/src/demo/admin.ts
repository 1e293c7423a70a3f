// A person who may look at the demo tenant in the console: signed in by a link, because no password should be the same everywhere.
import { hash } from 'node:crypto';
import type { Database } from '../db/database.js';
import { dropLinks, findPersonByEmail, insertPerson, makeLink, signInUrl } from '../features/accounts/index.js';
import { adoptAccount, findLiveToken, selectMemberships } from '../features/tenants/index.js';

const admin = { email: 'admin@example.com', name: 'Demo Admin' };

/** A new link for each start; earlier unused ones end. Undefined if the account was deactivated. */
export function demoLink(db: Database, demoToken: string, baseUrl: string): Promise<string | undefined> {
  return db.transaction(async (tx) => {
    const account = await findLiveToken(tx, hash('sha256', demoToken));
    if (!account) return undefined;
    const person = (await insertPerson(tx, admin)) ?? (await findPersonByEmail(tx, admin.email));
    if (!person) return undefined;
    await adoptAccount(tx, account, person);
    const { personId } = person;
    const accounts = await selectMemberships(tx, personId);
    if (!accounts.some(({ tenantId, isActive }) => isActive && tenantId === account.tenantId)) return undefined;
    await dropLinks(tx, personId, 'sign-in');
    return signInUrl(baseUrl, await makeLink(tx, personId));
  });
}
