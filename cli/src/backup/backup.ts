// `npm run rapport -- backup <file>`: everything in the database as of one moment, while the service goes on.
import { stat } from 'node:fs/promises';
import { type Connection, type DatabaseClient, onExistingData, readConfig, withClient } from '@rapport/server/operator';
import { Complaint } from '../complaint.js';
import { progressBar, rows as rowsOf } from '../progress-bar.js';
import { writeBackup } from './backup-file.js';
import { Checksum, endLine, headerLine, tableLine } from './backup-lines.js';
import { counted, sum } from './counted.js';
import { holdMonths } from './months.js';
import { estimateRows, listOf, readApplied, readSequences, readTables, type Table } from './tables.js';

// Rows are fetched by weight, because a waiting import chunk is a megabyte and a token a hundred bytes.
const fetchBytes = 4 * 1024 * 1024;
const firstFetch = 16;
const largestFetch = 1000;

type Say = (line: string) => void;
type ProgressBar = ReturnType<typeof progressBar>;

/** `fromReplica`: reads the database in DATABASE_REPLICA_URL, so that the primary has no work with it. */
export async function backup(
  file: string,
  env: NodeJS.ProcessEnv,
  say: Say,
  { fromReplica = false } = {},
): Promise<void> {
  const rows = new Map<string, number>();
  const bar = progressBar({ label: 'Backup', unit: rowsOf });
  const write = (connection: Connection) =>
    withClient(connection, (client) => writeBackup(file, backupLines(client, rows, bar)));
  const config = readConfig(env);
  let sha256: string;
  try {
    sha256 = await (fromReplica ? write(replicaOf(config)) : onExistingData(config, write));
  } catch (error) {
    bar.abandon();
    throw error;
  }
  const { size } = await stat(file);
  const what = `${counted(sum(rows.values()), 'row')} of ${counted(rows.size, 'table')}`;
  say(`${what} are in ${file} (${counted(size, 'byte')}, SHA-256 ${sha256}).`);
}

function replicaOf({ databaseReplicaUrl }: { databaseReplicaUrl: string | undefined }): Connection {
  if (databaseReplicaUrl === undefined)
    throw new Complaint('--from-replica needs DATABASE_REPLICA_URL. Set it to the replica, or leave the option out.');
  return { connectionString: databaseReplicaUrl, isReplica: true };
}

/** Fills `rows` with the number of rows of each table, for the last line and the summary. */
async function* backupLines(
  client: DatabaseClient,
  rows: Map<string, number>,
  bar: ProgressBar,
): AsyncGenerator<string> {
  const checksum = new Checksum();
  // One snapshot for all tables: what is written meanwhile is not in the file, in no part of it.
  await client.query('begin isolation level repeatable read, read only');
  const migrations = await readApplied(client);
  if (migrations.length === 0)
    throw new Complaint('Rapport has never been started on this database: there is nothing to back up.');
  const tables = await readTables(client);
  await holdMonths(client, tables);
  await client.query(`lock table ${listOf(tables)} in access share mode`);
  yield checksum.add(headerLine({ ...(await readCircumstances(client)), migrations }));
  const expected = await estimateRows(client, tables);
  for (const table of tables) {
    for await (const text of tableLines(client, table, rows)) {
      yield checksum.add(text);
      const done = sum(rows.values());
      bar.update(done, Math.max(expected, done));
    }
  }
  // Read after the rows, so that no row is ahead of its sequence.
  const sequences = await readSequences(client);
  await client.query('commit');
  yield endLine({ rows: Object.fromEntries(rows), sequences, sha256: checksum.value() });
  const done = sum(rows.values());
  bar.finish(done, done);
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
  await client.query('close rapport_backup');
}
