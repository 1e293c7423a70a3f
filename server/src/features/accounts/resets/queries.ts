import type { Runner, Transaction } from '../../../db/database.js';
import { bytes, sql } from '../../../db/sql.js';

/**
 * A link for the person who has this address and is active somewhere, or invited. Answers the workspace under which its mail is queued, any of
 * theirs; undefined where there is none.
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
        select tenant_id from account a where a.person_id = p.person_id and a.deactivated_at is null
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
 * Ends what was made under somebody's name: tokens, and what apps were allowed. Not what is older than the person: an operator made that for
 * a program, whose account became theirs. The grants go first, in a statement of their own: a transaction that adds a token to one holds it, and
 * is seen by the statements after.
 */
export async function endTokensOf(tx: Transaction, personId: number): Promise<void> {
  const grants = await tx.rows(sql<{ hash: string }>`
    delete from oauth_record o using account a
    where o.kind = 'Grant' and o.of_tenant_id = a.tenant_id and o.account_id = a.account_id and a.person_id = ${personId}
    returning o.id_hash as hash`);
  const hashes = grants.map(({ hash }) => Buffer.from(hash, 'hex'));
  // A transaction that makes a token holds the one that it is made with, see holdMaker: the new one is seen by the statement after this.
  await tx.run(sql`
    select from access_token t join account a using (tenant_id, account_id) where a.person_id = ${personId}
    order by t.tenant_id, t.token_id for update of t`);
  await tx.run(sql`
    update access_token t set revoked_at = now() from account a join person p using (person_id)
    where t.tenant_id = a.tenant_id and t.account_id = a.account_id and p.person_id = ${personId}
      and t.created_at >= p.created_at and t.revoked_at is null`);
  await tx.run(sql`delete from oauth_record where grant_hash = any(${hashes}::bytea[])`);
}
