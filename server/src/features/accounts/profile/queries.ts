import type { Runner } from '../../../db/database.js';
import { sql } from '../../../db/sql.js';

/** Whether a session began with an operator's link, not long ago: its holder forgot the password, and may set another. */
export async function cameByLink(db: Runner, personId: number, createdAt: string, now: string): Promise<boolean> {
  // The code of a second factor may be asked for in between, and two clocks may differ a little.
  const row = await db.row(sql<{ byLink: boolean }>`
    select ${createdAt}::timestamptz > ${now}::timestamptz - interval '1 hour' and exists (
      select from one_time_link where person_id = ${personId} and kind = 'sign-in'
        and used_at between ${createdAt}::timestamptz - interval '15 minutes' and ${createdAt}::timestamptz + interval '1 minute') as "byLink"`);
  return row?.byLink ?? false;
}

/** Accounts that were called as the person was are called so again; another name was given by an admin. */
export async function updateName(db: Runner, personId: number, name: string): Promise<void> {
  await db.run(sql`
    update account a set name = ${name} from person p
    where p.person_id = ${personId} and a.person_id = p.person_id and a.name = p.name`);
  await db.run(sql`update person set name = ${name} where person_id = ${personId}`);
}
