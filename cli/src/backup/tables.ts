// What there is to keep, read from the database's own catalogue: a new table needs no line here.
import type { DatabaseClient } from '@rapport/server/operator';

const bookkeeping = 'schema_migration';
// No sign of use, and emptied by a restore: a migration inserts a row, and opening the console stores its files.
const startFilled = ['event_floor', 'console_file'];

/**
 * Rows that a backup keeps, where not all: what lets somebody in for minutes or hours is left out. After a restore people sign in again, and
 * apps get new tokens for what they were allowed. A database of before has not all of these columns.
 */
const keptRows: Readonly<Record<string, { column?: string; rows: string }>> = {
  ...{
    session: { rows: 'false' },
    one_time_link: { rows: 'false' },
    sso_attempt: { rows: 'false' },
    guess: { rows: 'false' },
    // Every node has those of its own build.
    console_file: { rows: 'false' },
    // Traces are kept elsewhere, and are over.
    work_trace: { rows: 'false' },
  },
  access_token: { column: 'kind', rows: `kind = 'personal'` },
  oauth_record: { column: 'kind', rows: `kind in ('Client', 'Grant')` },
};

export interface Table {
  name: string;
  quoted: string;
  columns: { name: string; quoted: string; type: string }[];
  /** A new database has rows there. */
  startsFilled: boolean;
  /** What decides the partition, where there is one a month. */
  monthColumn: string | null;
  /** Which rows a backup has, as a condition. */
  keptRows: string;
}
type Found = Omit<Table, 'keptRows'> & { needs: string[] };

/** The tables of the schema, each after those that its foreign keys name. Partitions are part of their table. */
export async function readTables(client: DatabaseClient): Promise<Table[]> {
  const { rows } = await client.query<Found>(
    `select c.relname::text as name, format('public.%I', c.relname) as quoted,
       (select json_agg(json_build_object('name', a.attname, 'quoted', quote_ident(a.attname),
          'type', format_type(a.atttypid, a.atttypmod)) order by a.attnum)
        from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
       array(select distinct f.relname::text from pg_constraint k join pg_class f on f.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and f.oid <> c.oid) as needs,
       c.relname = any($2) as "startsFilled",
       (select a.attname::text from pg_partitioned_table p
          join pg_attribute a on a.attrelid = p.partrelid and a.attnum = p.partattrs[0]
        where p.partrelid = c.oid) as "monthColumn"
     from pg_class c
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relname <> $1
     order by c.relname`,
    [bookkeeping, startFilled],
  );
  return inOrder(rows);
}

function inOrder(tables: Found[]): Table[] {
  const done = new Set<string>();
  const ordered: Table[] = [];
  while (ordered.length < tables.length) {
    const next = tables.filter(({ name, needs }) => !done.has(name) && needs.every((needed) => done.has(needed)));
    if (next.length === 0) {
      const stuck = tables.filter(({ name }) => !done.has(name)).map(({ name }) => name);
      throw new Error(`Foreign keys go round in a circle: ${stuck.join(', ')}.`);
    }
    for (const { needs: _, ...table } of next) {
      done.add(table.name);
      ordered.push({ ...table, keptRows: keptRowsOf(table) });
    }
  }
  return ordered;
}

function keptRowsOf({ name, columns }: Pick<Table, 'name' | 'columns'>): string {
  const { column, rows } = keptRows[name] ?? { rows: 'true' };
  return column === undefined || columns.some((each) => each.name === column) ? rows : 'true';
}

/** As the list of a statement that takes many tables. */
export function listOf(tables: Table[]): string {
  return tables.map(({ quoted }) => quoted).join(', ');
}

/** About how many rows there are, as the planner thinks, partitions included. It may never have looked: then none. */
export async function estimateRows(client: DatabaseClient, tables: readonly Table[]): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select coalesce(sum(greatest(c.reltuples, 0)), 0)::float8 as count
     from unnest($1::text[]) as t (name) cross join lateral pg_partition_tree(t.name::regclass) p
       join pg_class c on c.oid = p.relid where p.isleaf`,
    [tables.map(({ quoted }) => quoted)],
  );
  return rows[0]?.count ?? 0;
}

/** The last value of every sequence that has been used, as text. Identity columns have sequences too. */
export async function readSequences(client: DatabaseClient): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string; value: string }>(
    `select sequencename::text as name, last_value::text as value from pg_sequences
     where schemaname = 'public' and last_value is not null order by sequencename`,
  );
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

export interface AppliedMigration {
  version: number;
  name: string;
  checksum: string;
}

/** The migrations that have run here; none on a database that Rapport never saw. */
export async function readApplied(client: DatabaseClient): Promise<AppliedMigration[]> {
  const { rows } = await client.query<{ known: boolean }>('select to_regclass($1) is not null as known', [
    `public.${bookkeeping}`,
  ]);
  if (!rows[0]?.known) return [];
  const applied = await client.query<AppliedMigration>(
    `select version, name, checksum from public.${bookkeeping} order by version`,
  );
  return applied.rows;
}
