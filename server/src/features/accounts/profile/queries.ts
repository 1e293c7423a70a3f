import type { Runner } from '../../../db/database.js';
import { sql } from '../../../db/sql.js';

/** Accounts that were called as the person was are called so again; another name was given by an admin. */
export async function updateName(db: Runner, personId: number, name: string): Promise<void> {
  await db.run(sql`
    update account a set name = ${name} from person p
    where p.person_id = ${personId} and a.person_id = p.person_id and a.name = p.name`);
  await db.run(sql`update person set name = ${name} where person_id = ${personId}`);
}
