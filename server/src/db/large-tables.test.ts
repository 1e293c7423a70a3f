import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { withDatabase } from '../../test/database-server.js';
import { migrate, readMigrations } from './migrate.js';

/** Tables that have millions of rows somewhere. Partitioned ones by their default partition. */
const large = [
  ...['contact', 'contact_change', 'contact_topic', 'list_member', 'product_user', 'org_membership', 'organization'],
  ...['event_elsewhen', 'event_count', 'marketing_activity_elsewhen', 'marketing_activity_count'],
  ...['message', 'message_event', 'message_attempt', 'message_link', 'suppression', 'email_version', 'email_activity'],
  ...['enrolment', 'enrolment_turn', 'enrolment_event', 'form_submission', 'consent_log'],
];
/** Before this one, tables were rewritten: docs/operations.md says how long that takes. */
const first = 30;
/** Built when the table was a day old. */
const exempt = 'consent_log_by_topic';

let name = '';
let client: pg.Client;
const connection = () => ({ connectionString: withDatabase(inject('serverUrl'), name) });

beforeEach(async () => {
  name = `rapport_large_${process.pid}_${randomBytes(4).toString('hex')}`;
  await onServer(`create database ${name} template template0`);
  client = new pg.Client(connection());
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await onServer(`drop database ${name} with (force)`);
});

async function onServer(statement: string): Promise<void> {
  const server = new pg.Client({ connectionString: inject('serverUrl') });
  await server.connect();
  await server.query(statement).finally(() => server.end());
}

interface Held {
  table: string;
  file: number;
  indexes: Record<string, number>;
  checks: string[];
}

/** The files that the large tables and their indexes lie in: a new one means that all rows were read. */
async function heldNow(): Promise<Held[]> {
  const { rows } = await client.query<Held>(
    `select c.relname as table, c.relfilenode::integer as file,
       (select coalesce(json_object_agg(i.relname, i.relfilenode::integer), '{}') from pg_index x join pg_class i on i.oid = x.indexrelid
        where x.indrelid = c.oid) as indexes,
       (select coalesce(array_agg(k.conname::text), '{}') from pg_constraint k where k.conrelid = c.oid and k.convalidated
        and k.contype in ('c', 'f')) as checks
     from pg_class c where c.relname = any($1) order by c.relname`,
    [large],
  );
  return rows;
}

describe('a migration', () => {
  it('reads no large table from end to end while others wait', async () => {
    const faults: string[] = [];
    for (const migration of await readMigrations()) {
      const before = new Map((await heldNow()).map((held) => [held.table, held]));
      await migrate(connection(), { upTo: migration.version });
      if (migration.version < first || /^-- Online: /.test(migration.text)) continue;
      for (const { table, file, indexes, checks } of await heldNow()) {
        const was = before.get(table);
        if (!was) continue;
        if (file !== was.file) faults.push(`${migration.name} rewrites ${table}`);
        for (const [index, place] of Object.entries(indexes))
          if (was.indexes[index] !== place && index !== exempt) faults.push(`${migration.name} builds ${index}`);
        for (const check of checks)
          if (!was.checks.includes(check)) faults.push(`${migration.name} validates ${check} of ${table}`);
      }
    }
    expect(faults).toEqual([]);
    // So that a renamed table is noticed.
    expect((await heldNow()).map(({ table }) => table)).toEqual([...large].sort());
  });
});
