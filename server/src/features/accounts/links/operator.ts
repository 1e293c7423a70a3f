// A sign-in link from an operator, who can reach the database: for people who forgot the password where no mail can be sent.
import type { Database } from '../../../db/database.js';
import { recordAudit } from '../../audit/index.js';
import { selectMemberships } from '../../tenants/index.js';
import { findPersonByEmail } from '../people/queries.js';
import { removeSecondFactor } from '../second-factor/second-factor.js';
import { makeLink, signInUrl } from './links.js';

export interface OperatorLink {
  url: string;
  name: string;
  /** They will still be asked for a code. */
  hasSecondFactor: boolean;
}

/** Undefined if the address is unknown, or its owner is active in no workspace. It is logged in the audit log of each of their workspaces. */
export function makeOperatorLink(
  db: Database,
  { email, baseUrl, endsSecondFactor }: { email: string; baseUrl: string; endsSecondFactor: boolean },
): Promise<OperatorLink | undefined> {
  return db.transaction(async (tx) => {
    const person = await findPersonByEmail(tx, email);
    const accounts = person ? await selectMemberships(tx, person.personId) : [];
    if (!person || !accounts.some(({ isActive }) => isActive)) return undefined;
    const wasRemoved = endsSecondFactor && (await removeSecondFactor(tx, person.personId));
    const url = signInUrl(baseUrl, await makeLink(tx, person.personId));
    for (const { tenantId, accountId } of accounts) {
      const operator = { tenantId, accountId: null, address: null };
      if (wasRemoved) await recordAudit(tx, operator, 'second-factor.removed', accountId);
      await recordAudit(tx, operator, 'sign-in.link-made', accountId);
    }
    return { url, name: person.name, hasSecondFactor: person.totpSince !== null && !wasRemoved };
  });
}
