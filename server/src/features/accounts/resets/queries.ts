import type { Runner, Transaction } from '../../../db/database.js';
import { bytes, sql } from '../../../db/sql.js';
import { activeAccounts, holdTokensOf, members, revokeTokens } from '../../tenants/index.js';

/**
 * Makes a link for the person with this address, if they are active or invited somewhere. Returns one of their workspaces, under which the mail
 * is queued, or undefined.
 */
export async function insertResetLink(
  db: Runner,
  emailFolded: string,
  linkHash: string,
  seconds: number,
): Promise<{ tenantId: number; email: string } | undefined> {
  return db.row(sql<{ tenantId: number; email: string }>`
    with found as (
      select p.person_id, p.email, min(w.tenant_id) as tenant_id from person p cross join lateral (
        select tenant_id from ${activeAccounts} a where a.person_id = p.person_id
        union all
        select tenant_id from invitation i
        where i.email_folded = p.email_folded and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()
      ) w where p.email_folded = ${emailFolded} group by p.person_id
    ), made as (
      insert into one_time_link (link_hash, kind, person_id, expires_at)
      select ${bytes(linkHash)}, 'reset', person_id, now() + make_interval(secs => ${seconds}) from found
    )
    select tenant_id as "tenantId", email from found`);
}

/**
 * Ends the tokens that were made in a person's name. Those older than the person stay: an operator made them for a program, whose account
 * became theirs. The grants of apps have ended before: see `endGrants` in index.ts.
 */
export async function endTokensOf(tx: Transaction, personId: number): Promise<void> {
  await holdTokensOf(tx, personId);
  const isTheirs = sql`exists (select from ${members} o join person p using (person_id)
    where o.tenant_id = a.tenant_id and o.account_id = a.account_id and p.person_id = ${personId} and a.created_at >= p.created_at)`;
  await revokeTokens(tx, isTheirs);
}
