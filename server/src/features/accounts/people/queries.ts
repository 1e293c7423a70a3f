import type { Runner } from '../../../db/database.js';
import { type Sql, sql } from '../../../db/sql.js';
import { normalizeEmail } from '../../../lib/text.js';
import { activeAccounts } from '../../tenants/index.js';

/** Tables that features above may read; only this one writes them: see scripts/table-owners.js. */
export const personTable = sql`person`;

/** The address that a person signs in with, inside another statement. */
export const addressOfPerson = (personId: Sql) =>
  sql`(select p.email_folded from person p where p.person_id = ${personId})`;

export interface PersonRow {
  personId: number;
  email: string;
  name: string;
  /** Null: none was set, so no password matches. */
  passwordHash: string | null;
  /** Sealed, hex. In force if `totpSince` is set. */
  totpSecret: string | null;
  totpSince: string | null;
  /** When they showed that the address is theirs. */
  provenAt: string | null;
}
const personColumns = sql`
  person_id as "personId", email, name, password_hash as "passwordHash", totp_secret as "totpSecret", totp_since as "totpSince",
  proven_at as "provenAt"`;

export function findPerson(db: Runner, personId: number): Promise<PersonRow | undefined> {
  return db.row(sql<PersonRow>`select ${personColumns} from person where person_id = ${personId}`);
}

export function findPersonByEmail(db: Runner, email: string): Promise<PersonRow | undefined> {
  return db.row(sql<PersonRow>`select ${personColumns} from person where email_folded = ${normalizeEmail(email)}`);
}

interface NewPerson {
  email: string;
  name: string;
  passwordHash?: string | null;
}

/** Undefined if the address is taken. */
export function insertPerson(
  db: Runner,
  { email, name, passwordHash = null }: NewPerson,
): Promise<PersonRow | undefined> {
  return db.row(sql<PersonRow>`
    insert into person (email, email_folded, name, password_hash)
    values (${email.trim()}, ${normalizeEmail(email)}, ${name}, ${passwordHash})
    on conflict (email_folded) do nothing returning ${personColumns}`);
}

export async function updatePassword(db: Runner, personId: number, passwordHash: string): Promise<void> {
  await db.run(sql`update person set password_hash = ${passwordHash} where person_id = ${personId}`);
}

/** They showed that the address is theirs. Returns whether that is new. */
export async function markProven(db: Runner, personId: number): Promise<boolean> {
  return (
    (await db.run(sql`update person set proven_at = now() where person_id = ${personId} and proven_at is null`)) === 1
  );
}

/** Whether a person may sign in: to a workspace where they are active, or to join one that invited them. */
export async function isWelcome(db: Runner, personId: number): Promise<boolean> {
  const row = await db.row(sql<{ isWelcome: boolean }>`
    select exists (select from ${activeAccounts} a where a.person_id = ${personId})
      or exists (select from person p join invitation i using (email_folded)
        where p.person_id = ${personId} and i.accepted_at is null and i.revoked_at is null and i.expires_at > now()) as "isWelcome"`);
  return row?.isWelcome ?? false;
}

/** Whether there is anyone who could ever sign in. */
export async function hasPeople(db: Runner): Promise<boolean> {
  return (await db.row(sql<{ has: boolean }>`select exists (select from person) as has`))?.has ?? false;
}
