import type { Runner } from '../../../db/database.js';
import { sql } from '../../../db/sql.js';

/** Whether a session began recently with an operator's link: its holder forgot the password, and may set another. */
export async function cameByLink(db: Runner, personId: number, createdAt: string, now: string): Promise<boolean> {
  // In between, a second factor may have been asked for, and two clocks may differ a little.
  const row = await db.row(sql<{ byLink: boolean }>`
    select ${createdAt}::timestamptz > ${now}::timestamptz - interval '1 hour' and exists (
      select from one_time_link where person_id = ${personId} and kind = 'sign-in'
        and used_at between ${createdAt}::timestamptz - interval '15 minutes' and ${createdAt}::timestamptz + interval '1 minute') as "byLink"`);
  return row?.byLink ?? false;
}

export async function updateName(db: Runner, personId: number, name: string): Promise<string | undefined> {
  const row = await db.row(sql<{ before: string }>`
    update person p set name = ${name} from (select person_id, name from person where person_id = ${personId} for update) old
    where p.person_id = old.person_id returning old.name as before`);
  return row?.before;
}
