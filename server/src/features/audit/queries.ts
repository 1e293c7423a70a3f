import type { Runner, Transaction } from '../../db/database.js';
import { bytes, sql } from '../../db/sql.js';

/** Tables that features above may read; only this one writes them: see scripts/table-owners.js. */
export const auditEntryTable = sql`audit_entry`;
export const auditHeadTable = sql`audit_head`;

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
 * Appends in one statement: a concurrent one waits for the row of the head, and continues from there. `first` is the hash before the first
 * entry; `text` is what the hash of this entry covers besides its number and the previous hash.
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

/** Locks the head of a tenant's log until the end, so that entries can be appended to it. `first` is the hash before the first entry. */
export async function lockHead(tx: Transaction, tenantId: number, first: string): Promise<HeadRow> {
  const row = await tx.row(sql<HeadRow>`
    insert into audit_head as h (tenant_id, entry_no, hash) values (${tenantId}, 0, ${bytes(first)})
    on conflict (tenant_id) do update set entry_no = h.entry_no returning h.entry_no as "entryNo", h.hash`);
  return row as HeadRow;
}

/** Appends entries of a tenant, and moves the head to the last of them. */
export async function insertEntries(tx: Transaction, tenantId: number, entries: readonly EntryRow[]): Promise<void> {
  const of = <T>(value: (entry: EntryRow) => T) => entries.map(value);
  const last = entries.at(-1) as EntryRow;
  await tx.run(sql`
    with moved as (
      update audit_head set entry_no = ${last.entryNo}, hash = ${bytes(last.hash)} where tenant_id = ${tenantId}
    )
    insert into audit_entry (tenant_id, entry_no, at, account_id, action, subject, detail, address, hash)
    select ${tenantId}, * from unnest(${of((e) => e.entryNo)}::bigint[], ${of((e) => e.at)}::timestamptz[],
      ${of((e) => e.accountId)}::bigint[], ${of((e) => e.action)}::text[], ${of((e) => e.subject)}::text[],
      ${of((e) => e.detail)}::text[], ${of((e) => e.address)}::text[], ${of((e) => bytes(e.hash))}::bytea[])`);
}

export interface EntryRow extends NewEntry {
  entryNo: number;
  /** Hex. */
  hash: string;
}

/** A tenant's entries in order, a few at a time. `at` is the text that was stored, even if it was tampered with. */
export function selectEntriesAfter(
  db: Runner,
  tenantId: number,
  entryNo: number,
  lastNo: number,
  limit: number,
): Promise<EntryRow[]> {
  return db.rows(sql<EntryRow>`
    select tenant_id as "tenantId", entry_no as "entryNo",
      case when at < '0001-01-01' then at::text else to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end as at,
      account_id as "accountId", action, subject, detail, address, hash
    from audit_entry where tenant_id = ${tenantId} and entry_no > ${entryNo} and entry_no <= ${lastNo}
    order by entry_no limit ${limit}`);
}

export interface HeadRow {
  entryNo: number;
  hash: string;
}

/** The head of a tenant's log and the number of its last entry, as of one moment: they are written together. */
export async function findEnds(db: Runner, tenantId: number): Promise<{ head: HeadRow | undefined; lastNo: number }> {
  const row = await db.row(sql<{ entryNo: number | null; hash: string; lastNo: number }>`
    select h.entry_no as "entryNo", h.hash,
      (select coalesce(max(e.entry_no), 0) from audit_entry e where e.tenant_id = w.tenant_id) as "lastNo"
    from (values (${tenantId}::bigint)) as w (tenant_id) left join audit_head h on h.tenant_id = w.tenant_id`);
  const { entryNo, hash, lastNo } = row ?? { entryNo: null, hash: '', lastNo: 0 };
  return { head: entryNo === null ? undefined : { entryNo, hash }, lastNo };
}

/** The next tenant that has a log, or any part of one. */
export async function findNextTenant(db: Runner, after: number): Promise<number | null> {
  const row = await db.row(sql<{ tenantId: number | null }>`
    /* all tenants */ select least((select min(tenant_id) from audit_head where tenant_id > ${after}),
      (select min(tenant_id) from audit_entry where tenant_id > ${after})) as "tenantId"`);
  return row?.tenantId ?? null;
}
