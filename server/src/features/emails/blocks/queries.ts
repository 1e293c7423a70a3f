import type { Block } from '@rapport/contract';
import type { Database, Runner, Transaction } from '../../../db/database.js';
import { type Page, type PageOf, paged } from '../../../db/paged.js';
import { bytes, type Sql, sql } from '../../../db/sql.js';

export interface StoredBlocks {
  blockId: string;
  blocks: Block[];
  revision: number;
}
export interface SavedBlock extends StoredBlocks {
  name: string;
  createdAt: string;
  updatedAt: string;
  /** How many live emails use it, through other saved blocks too. */
  usedBy: number;
}
interface Content {
  name: string;
  blocks: readonly Block[];
  uses: readonly string[];
}

// Columns of `b`, a saved block.
const columns = sql`b.block_id as "blockId", b.name, b.blocks, b.revision, b.created_at as "createdAt", b.updated_at as "updatedAt"`;

/** The ids of `b` and of all saved blocks that use it, in hex: rows of `users`. */
const usersOf = (tenantId: number) => sql`
  with recursive users (id) as (
    select encode(b.block_id, 'hex')
    union
    select encode(p.block_id, 'hex') from users u
      join saved_block p on p.tenant_id = ${tenantId} and p.uses @> array[u.id]
  )`;
/** Live emails that use any of the `users`. */
const emailsOf = (tenantId: number): Sql => sql`
  e.tenant_id = ${tenantId} and e.deleted_at is null and e.uses <> '{}' and e.uses && (select array_agg(id) from users)`;
const shown = (tenantId: number) => sql`
  ${columns}, (${usersOf(tenantId)} select count(*) from email e where ${emailsOf(tenantId)}) as "usedBy"`;

export async function insertBlock(
  tx: Transaction,
  { tenantId, accountId }: { tenantId: number; accountId: number },
  blockId: string,
  { name, blocks, uses }: Content,
): Promise<SavedBlock> {
  const row = await tx.row(sql<SavedBlock>`
    insert into saved_block as b (tenant_id, block_id, name, blocks, uses, created_by, updated_by)
    values (${tenantId}, ${bytes(blockId)}, ${name}, ${JSON.stringify(blocks)}::jsonb, ${uses}::text[], ${accountId}, ${accountId})
    returning ${columns}, 0 as "usedBy"`);
  return row as SavedBlock;
}

export function findBlock(db: Runner, tenantId: number, blockId: string): Promise<SavedBlock | undefined> {
  return db.row(sql<SavedBlock>`
    select ${shown(tenantId)} from saved_block b where b.tenant_id = ${tenantId} and b.block_id = ${bytes(blockId)}`);
}

export function selectBlocks(db: Database, tenantId: number, { limit, offset }: PageOf): Promise<Page<SavedBlock>> {
  const total = sql`(select count(*) from saved_block where tenant_id = ${tenantId})`;
  const rows = sql<SavedBlock>`
    select ${shown(tenantId)} from saved_block b where b.tenant_id = ${tenantId}
    order by b.created_at desc, b.block_id desc limit ${limit} offset ${offset}`;
  return paged(db, tenantId, { limit, offset }, { total, rows });
}

/** These, and all that they use. */
export function selectBlocksDeep(db: Runner, tenantId: number, ids: readonly string[]): Promise<StoredBlocks[]> {
  return db.rows(sql<StoredBlocks>`
    with recursive reached (block_id) as (
      select block_id::bytea from saved_block where tenant_id = ${tenantId} and block_id = any(${ids.map(bytes)}::bytea[])
      union
      select decode(used.id, 'hex') from reached r
        join saved_block b on b.tenant_id = ${tenantId} and b.block_id = r.block_id
        cross join lateral unnest(b.uses) used (id) where length(used.id) = 24
    )
    select b.block_id as "blockId", b.blocks, b.revision from reached r
      join saved_block b on b.tenant_id = ${tenantId} and b.block_id = r.block_id`);
}

/**
 * The revisions of these, which can be neither changed nor deleted until the transaction ends. Locks on saved blocks come first of all, in
 * the order of ids, then those on files, folders and topics, then those on emails.
 */
export async function holdBlocks(
  tx: Transaction,
  tenantId: number,
  ids: readonly string[],
  isToChange = false,
): Promise<Map<string, number>> {
  if (ids.length === 0) return new Map();
  const lock = isToChange ? sql`for update` : sql`for share`;
  const rows = await tx.rows(sql<{ blockId: string; revision: number }>`
    select block_id as "blockId", revision from saved_block
    where tenant_id = ${tenantId} and block_id = any(${ids.map(bytes)}::bytea[]) order by block_id ${lock}`);
  return new Map(rows.map(({ blockId, revision }) => [blockId, revision]));
}

/** The same without a lock. */
export async function selectRevisions(
  db: Runner,
  tenantId: number,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.rows(sql<{ blockId: string; revision: number }>`
    select block_id as "blockId", revision from saved_block
    where tenant_id = ${tenantId} and block_id = any(${ids.map(bytes)}::bytea[])`);
  return new Map(rows.map(({ blockId, revision }) => [blockId, revision]));
}

export async function updateBlockRow(
  tx: Transaction,
  { tenantId, accountId }: { tenantId: number; accountId: number },
  blockId: string,
  { name, blocks, uses }: Content,
): Promise<void> {
  await tx.run(sql`
    update saved_block set name = ${name}, blocks = ${JSON.stringify(blocks)}::jsonb, uses = ${uses}::text[],
      revision = revision + 1, updated_by = ${accountId}, updated_at = now()
    where tenant_id = ${tenantId} and block_id = ${bytes(blockId)}`);
}

export async function deleteBlockRow(tx: Transaction, tenantId: number, blockId: string): Promise<void> {
  await tx.run(sql`delete from saved_block where tenant_id = ${tenantId} and block_id = ${bytes(blockId)}`);
}

/** The ids of the live emails that use a saved block, through others too, in order. */
export async function selectEmailsUsing(db: Runner, tenantId: number, blockId: string): Promise<string[]> {
  const rows = await db.rows(sql<{ id: string }>`
    with recursive users (id) as (
      select ${blockId}::text
      union
      select encode(p.block_id, 'hex') from users u
        join saved_block p on p.tenant_id = ${tenantId} and p.uses @> array[u.id]
    )
    select e.email_id as id from email e where ${emailsOf(tenantId)} order by e.email_id`);
  return rows.map(({ id }) => id);
}

/** The name of a saved block that names this one, or a file, by itself. */
export async function findBlockUsing(db: Runner, tenantId: number, used: string): Promise<string | undefined> {
  const row = await db.row(sql<{ name: string }>`
    select name from saved_block where tenant_id = ${tenantId} and uses @> array[${used}::text] order by block_id limit 1`);
  return row?.name;
}

/** The name of a saved block with a condition about this topic or list. */
export async function findBlockAsking(db: Runner, tenantId: number, id: string): Promise<string | undefined> {
  const row = await db.row(sql<{ name: string }>`
    select name from saved_block where tenant_id = ${tenantId} and position(${id} in blocks::text) > 0 order by block_id limit 1`);
  return row?.name;
}
