import type { Runner } from '../../../db/database.js';
import { bytes, sql } from '../../../db/sql.js';

/**
 * A link for whoever has this address and is active somewhere, or invited. Answers the workspace under which its mail is queued, any of
 * theirs; undefined where nobody is found.
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
