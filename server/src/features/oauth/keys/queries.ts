import type { Runner, Transaction } from '../../../db/database.js';
import { locks } from '../../../db/locks.js';
import { bytes, sql } from '../../../db/sql.js';
import type { Drawer } from '../../sending/index.js';

export type Purpose = 'sign' | 'cookie';

export interface KeyRow {
  keyId: string;
  purpose: Purpose;
  /** Hex. */
  sealed: string;
  /** Seconds. */
  age: number;
}

/** The newest first. Their age is by the database's clock, which is the same for all nodes. */
export function selectKeys(db: Runner): Promise<KeyRow[]> {
  return db.rows(sql<KeyRow>`
    select key_id as "keyId", purpose, sealed, extract(epoch from now() - created_at)::float8 as age
    from oauth_key order by created_at desc, key_id`);
}

/** One node renews keys at a time. */
export async function holdKeys(tx: Transaction): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(${locks.oauthKeys}::bigint)`);
}

export async function insertKey(tx: Transaction, keyId: string, purpose: Purpose, sealed: string): Promise<void> {
  await tx.run(sql`insert into oauth_key (key_id, purpose, sealed) values (${keyId}, ${purpose}, ${bytes(sealed)})`);
}

export async function deleteKeys(tx: Transaction, keyIds: readonly string[]): Promise<void> {
  await tx.run(sql`delete from oauth_key where key_id = any(${keyIds}::text[])`);
}

/** So that all secrets can move to a new key. */
export const oauthDrawers: readonly Drawer[] = [
  { kind: 'oauth-key', table: sql`oauth_key`, tenant: sql`0::bigint`, name: sql`key_id`, column: sql`sealed` },
];
