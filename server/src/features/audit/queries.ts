import type { Runner } from '../../db/database.js';
import { bytes, sql } from '../../db/sql.js';

export interface NewEntry {
  tenantId: number;
  at: string;
  accountId: number | null;
  action: string;
  subject: string | null;
  /** JSON. */
  detail: string;
  address: string | null;
}

/**
 * Appends in one statement: whoever comes second waits for the row of the head, and goes on from what it says then. `first` is the
 * hash before the first entry; `text` is what the hash of this one covers beside its number and the hash before.
 */
export async function insertEntry(db: Runner, entry: NewEntry, first: string, text: string): Promise<void> {
  const { tenantId, at, accountId, action, subject, detail, address } = entry;
  await db.run(sql`
    with head as (
      insert into audit_head as h (tenant_id, entry_no, hash)
      values (${tenantId}, 1, sha256(${bytes(first)}::bytea || convert_to('1' || chr(10) || ${text}::text, 'UTF8')))
      on conflict (tenant_id) do update set entry_no = h.entry_no + 1,
        hash = sha256(h.hash || convert_to((h.entry_no + 1)::text || chr(10) || ${text}::text, 'UTF8'))
      returning entry_no, hash)
    insert into audit_entry (tenant_id, entry_no, at, account_id, action, subject, detail, address, hash)
    select ${tenantId}, entry_no, ${at}::timestamptz, ${accountId}::bigint, ${action}, ${subject}, ${detail}, ${address}, hash
    from head`);
}

export interface EntryRow extends NewEntry {
  entryNo: number;
  /** Hex. */
  hash: string;
}

/** A tenant's entries in order, a few at a time. */
export function selectEntriesAfter(db: Runner, tenantId: number, entryNo: number, limit: number): Promise<EntryRow[]> {
  return db.rows(sql<EntryRow>`
    select tenant_id as "tenantId", entry_no as "entryNo", at, account_id as "accountId", action, subject, detail, address, hash
    from audit_entry where tenant_id = ${tenantId} and entry_no > ${entryNo} order by entry_no limit ${limit}`);
}

export interface HeadRow {
  tenantId: number;
  entryNo: number;
  hash: string;
}

export function selectHeads(db: Runner): Promise<HeadRow[]> {
  return db.rows(sql<HeadRow>`
    select tenant_id as "tenantId", entry_no as "entryNo", hash from audit_head order by tenant_id`);
}
