import type { Runner } from '../../../db/database.js';
import { bytes, sql } from '../../../db/sql.js';
import type { Drawer } from '../../sending/index.js';

/** Where this feature keeps sealed secrets of people, so that all of them can move to a new key. */
export const personDrawers: readonly Drawer[] = [
  {
    ...{ kind: 'totp', table: sql`person`, tenant: sql`0::bigint` },
    ...{ name: sql`person_id::text`, column: sql`totp_secret` },
  },
];

/** Uses up the 30-second step of a code: false if it, or a later one, was used before. */
export async function takeStep(db: Runner, personId: number, step: number): Promise<boolean> {
  const touched = await db.run(sql`
    update person set totp_step = ${step}
    where person_id = ${personId} and totp_since is not null and (totp_step is null or totp_step < ${step})`);
  return touched === 1;
}

/** Stores a secret that is not in force until a code of it is entered. Changes nothing if a second factor is in force. */
export async function updateTrialSecret(db: Runner, personId: number, sealed: string): Promise<boolean> {
  const touched = await db.run(sql`
    update person set totp_secret = ${bytes(sealed)}, totp_step = null where person_id = ${personId} and totp_since is null`);
  return touched === 1;
}

/** From now on it is asked for. The entered code is used up. */
export async function updateInForce(db: Runner, personId: number, sealed: string, step: number): Promise<boolean> {
  const touched = await db.run(sql`
    update person set totp_since = now(), totp_step = ${step}
    where person_id = ${personId} and totp_since is null and totp_secret = ${bytes(sealed)}`);
  return touched === 1;
}

export async function clearSecondFactor(db: Runner, personId: number): Promise<boolean> {
  await deleteRecoveryCodes(db, personId);
  // A secret that is only being tried goes too: the next person must not be shown it.
  const row = await db.row(sql<{ wasInForce: boolean }>`
    update person p set totp_secret = null, totp_since = null, totp_step = null
    from (select person_id, totp_since from person where person_id = ${personId} for update) b
    where p.person_id = b.person_id returning b.totp_since is not null as "wasInForce"`);
  return row?.wasInForce ?? false;
}

export async function deleteRecoveryCodes(db: Runner, personId: number): Promise<void> {
  await db.run(sql`delete from recovery_code where person_id = ${personId}`);
}

export async function insertRecoveryCodes(db: Runner, personId: number, hashes: readonly string[]): Promise<void> {
  await db.run(sql`
    insert into recovery_code (person_id, code_hash)
    select ${personId}, decode(h, 'hex') from unnest(${[...hashes]}::text[]) h`);
}

/** Uses up a code: false if it is unknown or was used. */
export async function takeRecoveryCode(db: Runner, personId: number, codeHash: string): Promise<boolean> {
  const touched = await db.run(sql`
    update recovery_code set used_at = now()
    where person_id = ${personId} and code_hash = ${bytes(codeHash)} and used_at is null`);
  return touched === 1;
}

export async function countRecoveryCodes(db: Runner, personId: number): Promise<number> {
  const row = await db.row(sql<{ left: number }>`
    select count(*) as left from recovery_code where person_id = ${personId} and used_at is null`);
  return row?.left ?? 0;
}
