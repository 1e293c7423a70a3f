import type { Runner } from '../../../db/database.js';
import { bytes, sql } from '../../../db/sql.js';

/**
 * A link for whoever has this address and is active somewhere. Answers the workspace under which its mail is queued, any of theirs;
 * undefined where nobody is found.
 */
export async function insertResetLink(
  db: Runner,
  emailFolded: string,
  linkHash: string,
  seconds: number,
): Promise<{ tenantId: number; email: string } | undefined> {
  return db.row(sql<{ tenantId: number; email: string }>`
    with found as (
      select p.person_id, p.email, min(a.tenant_id) as tenant_id from person p join account a using (person_id)
      where p.email_folded = ${emailFolded} and a.deactivated_at is null group by p.person_id
    ), made as (
      insert into one_time_link (link_hash, kind, person_id, expires_at)
      select ${bytes(linkHash)}, 'reset', person_id, now() + make_interval(secs => ${seconds}) from found
    )
    select tenant_id as "tenantId", email from found`);
}
