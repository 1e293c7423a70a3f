import type { Runner } from '../../db/database.js';
import { bytes, sql } from '../../db/sql.js';

/** Which request an effect belongs to, when the caller sent an Idempotency-Key. */
export interface KeyScope {
  tenantId: number;
  route: string;
  key: string;
  bodyHash: string;
}

/** Takes the key, or returns false if it is taken. Waits for a concurrent duplicate to commit or fail. */
export async function claimKey(tx: Runner, { tenantId, route, key, bodyHash }: KeyScope): Promise<boolean> {
  // A key older than a day counts as never used, whether or not the sweeper has been by.
  const claimed = await tx.run(sql`
    insert into idempotency_key as k (tenant_id, route, key, body_hash)
    values (${tenantId}, ${route}, ${key}, ${bytes(bodyHash)})
    on conflict (tenant_id, route, key) do update
      set body_hash = excluded.body_hash, response = null, created_at = now()
      where k.created_at < now() - interval '24 hours'`);
  return claimed === 1;
}

export interface FirstUse {
  bodyHash: string;
  /** Null while the first request is still being carried out, or when it was interrupted. */
  response: string | null;
  /** Has been claimed for longer than any request takes. */
  isOverdue: boolean;
}

export function findKey(tx: Runner, { tenantId, route, key }: KeyScope): Promise<FirstUse | undefined> {
  return tx.row(sql<FirstUse>`
    select body_hash as "bodyHash", response, response is null and created_at < now() - interval '2 minutes' as "isOverdue"
    from idempotency_key where tenant_id = ${tenantId} and route = ${route} and key = ${key}`);
}

/** Releases a claimed key: what it was claimed for did not happen. */
export async function freeKey(db: Runner, { tenantId, route, key, bodyHash }: KeyScope): Promise<void> {
  await db.run(sql`
    delete from idempotency_key
    where tenant_id = ${tenantId} and route = ${route} and key = ${key} and body_hash = ${bytes(bodyHash)} and response is null`);
}

export async function storeResponse(tx: Runner, { tenantId, route, key }: KeyScope, response: string): Promise<void> {
  await tx.run(sql`
    update idempotency_key set response = ${response}
    where tenant_id = ${tenantId} and route = ${route} and key = ${key}`);
}

/** Forgets the answers of these routes, where they may hold data of a person who is erased. */
export async function forgetKeys(tx: Runner, tenantId: number, routes: readonly string[]): Promise<void> {
  await tx.run(sql`delete from idempotency_key where tenant_id = ${tenantId} and route = any(${routes}::text[])`);
}

/** Removes keys that no longer count, a few at a time. Returns how many. */
export function sweepKeys(db: Runner, atMost: number): Promise<number> {
  return db.run(sql`
    /* all tenants */ delete from idempotency_key where (tenant_id, route, key) in (
      select tenant_id, route, key from idempotency_key where created_at < now() - interval '24 hours'
      order by created_at limit ${atMost})`);
}
