// The schema can be sharded by tenant as it is: tenant_id leads every primary, unique and foreign key.
import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../test/database.js';
import { sql } from './sql.js';

const t = useDatabase();

/** A primary key, and the index of it. */
function both(key: string, why: string): [string, string][] {
  const [table, columns] = [key.slice(0, key.indexOf(' ')), key.slice(key.indexOf('('))];
  return [
    [`${table}: primary key ${columns}`, why],
    [`${table}: index ${columns}`, 'the index of that key'],
  ];
}

/** Exceptions, and why. */
const allowed = new Map<string, string>([
  ['schema_migration: primary key (version)', 'belongs to no tenant'],
  ['schema_migration: index (version)', 'belongs to no tenant'],
  ['access_token: primary key (token_hash)', 'a request arrives with a token and no tenant'],
  ['access_token: index (token_hash)', 'the index of that key'],
  ...[
    ...['person (person_id)', 'recovery_code (person_id, code_hash)', 'one_time_link (link_hash)'],
    ...['session (session_hash)', 'guess (guess_key)'],
  ].flatMap((key) => both(key, 'people belong to several tenants, and sign in before any is known')),
  ['person: unique (email_folded)', 'who signs in is found by the address alone'],
  ['person: index (email_folded)', 'the index of that key'],
  ['session: unique (session_id)', 'a session is of a person'],
  ['session: index (session_id)', 'the index of that key'],
  ['recovery_code: foreign key (person_id)', 'of a person'],
  ['one_time_link: foreign key (person_id)', 'of a person'],
  ['session: foreign key (person_id)', 'of a person'],
  ['account: foreign key (person_id)', 'one person has accounts in several tenants'],
  ['session: foreign key (in_tenant_id)', 'the tenant itself, under another name'],
  ['session: foreign key (sso_tenant_id)', 'the tenant itself, under another name'],
  ...both('sso_attempt (state_hash)', 'somebody comes back with a state and no tenant'),
  ...both('oauth_record (kind, id_hash)', 'a client, a code or a token arrives and no tenant'),
  ...both('oauth_key (key_id)', 'belongs to no tenant'),
  ...both('console_file (name)', 'the files of the console are the same for everybody'),
  ['event_floor: primary key (is_only)', 'one row for all tenants: months are dropped for everybody at once'],
  ['event_floor: index (is_only)', 'the index of that key'],
]);

interface Key {
  table_name: string;
  kind: string;
  columns: string[];
  referenced: string[] | null;
}
const isAllowed = (key: Key) => allowed.has(describeKey(key));
const describeKey = ({ table_name, kind, columns }: Key) => `${table_name}: ${kind} (${columns.join(', ')})`;

let constraints: Key[] = [];
let indexes: Key[] = [];
let tables: string[] = [];

beforeAll(async () => {
  constraints = await t.db.rows(sql<Key>`
    select r.relname::text as table_name,
      case c.contype when 'p' then 'primary key' when 'u' then 'unique' when 'x' then 'exclusion' else 'foreign key' end as kind,
      array(select a.attname::text from unnest(c.conkey) with ordinality k (n, i)
        join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k.n order by k.i) as columns,
      case when c.contype = 'f' then array(select a.attname::text from unnest(c.confkey) with ordinality k (n, i)
        join pg_attribute a on a.attrelid = c.confrelid and a.attnum = k.n order by k.i) end as referenced
    from pg_constraint c join pg_class r on r.oid = c.conrelid
    where r.relnamespace = 'public'::regnamespace and c.contype in ('p', 'u', 'f', 'x')`);
  indexes = await t.db.rows(sql<Key>`
    select r.relname::text as table_name, 'index' as kind, null as referenced,
      array(select coalesce(a.attname::text, '(an expression)') from unnest(i.indkey::int2[]) with ordinality k (n, at)
        left join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.n
        where k.at <= i.indnkeyatts order by k.at) as columns
    from pg_index i join pg_class r on r.oid = i.indrelid
    where r.relnamespace = 'public'::regnamespace and i.indisunique`);
  const found = await t.db.rows(sql<{ name: string }>`
    select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')`);
  tables = found.map((row) => row.name);
});

describe('the schema', () => {
  it('has tables', () => {
    expect(tables).toContain('static_list');
    expect(constraints.map(describeKey)).toContain('static_list: primary key (tenant_id, list_id)');
    expect(constraints.map(describeKey)).toContain('static_list: foreign key (tenant_id, folder_id)');
    expect(indexes.map(describeKey)).toContain('static_list: index (tenant_id, name)');
  });

  it('has tenant_id first in every primary and unique key', () => {
    const wrong = constraints.filter(
      (key) => key.kind !== 'foreign key' && key.columns[0] !== 'tenant_id' && !isAllowed(key),
    );
    expect(wrong.map(describeKey)).toEqual([]);
  });

  it('has tenant_id first on both sides of every foreign key', () => {
    const wrong = constraints.filter(
      (key) =>
        key.kind === 'foreign key' &&
        (key.columns[0] !== 'tenant_id' || key.referenced?.[0] !== 'tenant_id') &&
        !isAllowed(key),
    );
    expect(wrong.map(describeKey)).toEqual([]);
  });

  it('has tenant_id first in every unique index', () => {
    const wrong = indexes.filter((key) => key.columns[0] !== 'tenant_id' && !isAllowed(key));
    expect(wrong.map(describeKey)).toEqual([]);
  });

  it('has a primary key in every table', () => {
    const keyed = new Set(constraints.filter((key) => key.kind === 'primary key').map((key) => key.table_name));
    expect(tables.filter((table) => !keyed.has(table))).toEqual([]);
  });

  it('declares every tenant_id not null', async () => {
    const nullable = await t.db.rows(sql`
      select r.relname::text as name from pg_attribute a join pg_class r on r.oid = a.attrelid
      where r.relnamespace = 'public'::regnamespace and r.relkind in ('r', 'p') and a.attname = 'tenant_id' and not a.attnotnull`);
    expect(nullable).toEqual([]);
  });

  it('needs every exception in this list', () => {
    const present = new Set([...constraints, ...indexes].map(describeKey));
    expect([...allowed.keys()].filter((key) => !present.has(key))).toEqual([]);
  });
});
