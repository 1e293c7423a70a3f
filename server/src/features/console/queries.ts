import type { Background, Runner } from '../../db/database.js';
import { bytes, sql } from '../../db/sql.js';

interface StoredFile {
  /** Hex. */
  content: string;
  isGzipped: boolean;
}

export async function selectNames(db: Runner, names: readonly string[]): Promise<Set<string>> {
  const rows = await db.rows(sql<{ name: string }>`select name from console_file where name = any(${names}::text[])`);
  return new Set(rows.map((row) => row.name));
}

/** Another node may have stored the same meanwhile. */
export async function insertFile(db: Runner, name: string, { content, isGzipped }: StoredFile): Promise<void> {
  await db.run(sql`
    insert into console_file (name, content, is_gzipped) values (${name}, ${bytes(content)}, ${isGzipped})
    on conflict (name) do nothing`);
}

/** Notes that a node still has these in its build. Once an hour is enough. In the order of names, so that nodes cannot deadlock. */
export async function touchFiles(db: Runner, names: readonly string[]): Promise<void> {
  await db.run(sql`
    with stale as (
      select name from console_file where name = any(${names}::text[]) and seen_at < now() - interval '1 hour'
      order by name for update
    )
    update console_file f set seen_at = now() from stale where f.name = stale.name`);
}

export function findFile(db: Runner, name: string): Promise<StoredFile | undefined> {
  return db.row(sql<StoredFile>`select content, is_gzipped as "isGzipped" from console_file where name = ${name}`);
}

/** Returns how many were deleted. */
export async function sweepFiles(db: Background, days: number, atMost: number): Promise<number> {
  const row = await db.row(sql<{ gone: number }>`
    with old as (
      select name from console_file where seen_at < now() - ${days}::integer * interval '1 day'
      order by name limit ${atMost} for update skip locked
    ), gone as (
      delete from console_file f using old where f.name = old.name returning 1
    )
    select count(*) as gone from gone`);
  return row?.gone ?? 0;
}
