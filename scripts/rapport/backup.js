// `npm run rapport -- backup <file>`: everything in the database as of one moment, while the service goes on.
import { stat } from 'node:fs/promises';
import { readConfig } from '../../server/dist/config.js';
import { endLine, headerLine, tableLine, writeBackup } from './backup-file.js';
import { onExistingData, withClient } from './database.js';
import { holdMonths } from './months.js';
import { counted, sayNowAndThen } from './progress.js';
import { readApplied, readSequences, readTables } from './tables.js';

// Rows are fetched by weight, because a waiting import chunk is a megabyte and a token a hundred bytes.
const fetchBytes = 4 * 1024 * 1024;
const firstFetch = 16;
const largestFetch = 1000;

/**
 * @param {string} file
 * @param {{ env?: NodeJS.ProcessEnv, say?: (line: string) => void }} [options]
 */
export async function backup(file, { env = process.env, say = console.log } = {}) {
  const rows = {};
  await onExistingData(readConfig(env), (connection) =>
    withClient(connection, (client) => writeBackup(file, backupLines(client, rows, say))),
  );
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  const { size } = await stat(file);
  say(
    `${counted(total, 'row')} of ${counted(Object.keys(rows).length, 'table')} are in ${file} (${counted(size, 'byte')}).`,
  );
}

async function* backupLines(client, rows, say) {
  // One snapshot for all tables: what is written meanwhile is not in the file, in no part of it.
  await client.query('begin isolation level repeatable read, read only');
  const migrations = await readApplied(client);
  if (migrations.length === 0)
    throw new Error('Rapport has never been started on this database: there is nothing to back up.');
  const tables = await readTables(client);
  await holdMonths(client, tables);
  await client.query(`lock table ${tables.map(({ quoted }) => quoted).join(', ')} in access share mode`);
  const { rows: found } = await client.query(
    `select set_config('timezone', 'UTC', true), set_config('bytea_output', 'hex', true),
       set_config('intervalstyle', 'iso_8601', true), set_config('datestyle', 'ISO', true),
       current_setting('server_version') as postgres, to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "createdAt"`,
  );
  const { postgres, createdAt } = found[0];
  yield headerLine({ createdAt, postgres, migrations });
  for (const table of tables) yield* tableLines(client, table, rows, say);
  // Read after the rows, so that no row is ahead of its sequence.
  const sequences = await readSequences(client);
  await client.query('commit');
  yield endLine({ rows, sequences });
}

async function* tableLines(client, { name, quoted, columns }, rows, say) {
  rows[name] = 0;
  yield tableLine(
    name,
    columns.map((column) => column.name),
  );
  const asText = columns.map((column) => `${column.quoted}::text`).join(', ');
  await client.query(
    `declare rapport_backup no scroll cursor for select row_to_json(r)::text as json from (select ${asText} from ${quoted}) r`,
  );
  const progress = sayNowAndThen(say, () => `${name}: ${counted(rows[name], 'row')} so far`);
  try {
    for (let count = firstFetch; ; ) {
      const fetched = await client.query(`fetch ${count} from rapport_backup`);
      if (fetched.rows.length === 0) break;
      const text = `${fetched.rows.map((row) => row.json).join('\n')}\n`;
      rows[name] += fetched.rows.length;
      yield text;
      const average = text.length / fetched.rows.length;
      count = Math.max(1, Math.min(Math.floor(fetchBytes / average), count * 4, largestFetch));
    }
  } finally {
    progress.stop();
  }
  await client.query('close rapport_backup');
}
