// `npm run rapport -- backup <file>`: everything in the database as of one moment, while the service goes on.
import { stat } from 'node:fs/promises';
import { type DatabaseClient, onExistingData, readConfig, withClient } from '@rapport/server/operator';
import { Complaint } from '../complaint.js';
import { writeBackup } from './backup-file.js';
import { endLine, headerLine, tableLine } from './backup-lines.js';
import { holdMonths } from './months.js';
import { counted, sayNowAndThen, sum } from './progress.js';
import { listOf, readApplied, readSequences, readTables, type Table } from './tables.js';

// Rows are fetched by weight, because a waiting import chunk is a megabyte and a token a hundred bytes.
const fetchBytes = 4 * 1024 * 1024;
const firstFetch = 16;
const largestFetch = 1000;

type Say = (line: string) => void;

export async function backup(file: string, env: NodeJS.ProcessEnv, say: Say): Promise<void> {
  const rows = new Map<string, number>();
  await onExistingData(readConfig(env), (connection) =>
    withClient(connection, (client) => writeBackup(file, backupLines(client, rows, say))),
  );
  const { size } = await stat(file);
  const what = `${counted(sum(rows.values()), 'row')} of ${counted(rows.size, 'table')}`;
  say(`${what} are in ${file} (${counted(size, 'byte')}).`);
}

/** Fills `rows` with the number of rows of each table, for the last line and the summary. */
async function* backupLines(client: DatabaseClient, rows: Map<string, number>, say: Say): AsyncGenerator<string> {
  // One snapshot for all tables: what is written meanwhile is not in the file, in no part of it.
  await client.query('begin isolation level repeatable read, read only');
  const migrations = await readApplied(client);
  if (migrations.length === 0)
    throw new Complaint('Rapport has never been started on this database: there is nothing to back up.');
  const tables = await readTables(client);
  await holdMonths(client, tables);
  await client.query(`lock table ${listOf(tables)} in access share mode`);
  yield headerLine({ ...(await readCircumstances(client)), migrations });
  for (const table of tables) yield* tableLines(client, table, rows, say);
  // Read after the rows, so that no row is ahead of its sequence.
  const sequences = await readSequences(client);
  await client.query('commit');
  yield endLine({ rows: Object.fromEntries(rows), sequences });
}

/** Also sets how values are written, the same whatever the server's settings. */
async function readCircumstances(client: DatabaseClient): Promise<{ postgres: string; createdAt: string }> {
  const { rows } = await client.query<{ postgres: string; createdAt: string }>(
    `select set_config('timezone', 'UTC', true), set_config('bytea_output', 'hex', true),
       set_config('intervalstyle', 'iso_8601', true), set_config('datestyle', 'ISO', true),
       current_setting('server_version') as postgres,
       to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "createdAt"`,
  );
  const { postgres = '', createdAt = '' } = rows[0] ?? {};
  return { postgres, createdAt };
}

async function* tableLines(
  client: DatabaseClient,
  { name, quoted, columns, keptRows }: Table,
  rows: Map<string, number>,
  say: Say,
): AsyncGenerator<string> {
  let done = 0;
  rows.set(name, done);
  yield tableLine(
    name,
    columns.map((column) => column.name),
  );
  const asText = columns.map((column) => `${column.quoted}::text`).join(', ');
  await client.query(
    `declare rapport_backup no scroll cursor for
     select row_to_json(r)::text as json from (select ${asText} from ${quoted} where ${keptRows}) r`,
  );
  const progress = sayNowAndThen(say, () => `${name}: ${counted(done, 'row')} so far`);
  try {
    for (let count = firstFetch; ; ) {
      const fetched = await client.query<{ json: string }>(`fetch ${count} from rapport_backup`);
      if (fetched.rows.length === 0) break;
      const text = `${fetched.rows.map((row) => row.json).join('\n')}\n`;
      done += fetched.rows.length;
      rows.set(name, done);
      yield text;
      const average = text.length / fetched.rows.length;
      count = Math.max(1, Math.min(Math.floor(fetchBytes / average), count * 4, largestFetch));
    }
  } finally {
    progress.stop();
  }
  await client.query('close rapport_backup');
}
