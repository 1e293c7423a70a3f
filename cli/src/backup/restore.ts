// `npm run rapport -- restore <file>`: a backup into an empty database, all of it or nothing.
import {
  checkDataDir,
  type DatabaseClient,
  migrate,
  onOwnDatabase,
  readConfig,
  readMigrations,
  withClient,
} from '@rapport/server/operator';
import { Complaint } from '../complaint.js';
import { progressBar, rows } from '../progress-bar.js';
import { readBackup } from './backup-file.js';
import type { Part } from './backup-lines.js';
import { counted } from './counted.js';
import { makeMonths } from './months.js';
import { inspect, requireEmpty, requireEmptyAndOld, requireKnown } from './restorable.js';
import { listOf, readTables, type Table } from './tables.js';

const batchRows = 1000;
const batchBytes = 4 * 1024 * 1024;

type Say = (line: string) => void;

export async function restore(file: string, env: NodeJS.ProcessEnv, say: Say): Promise<void> {
  // Reads all of it once before anything is touched: a file that breaks off must leave no trace.
  const { header, total } = await inspect(file);
  requireKnown(header.migrations, await readMigrations());
  say(`The backup is of ${header.createdAt}, from PostgreSQL ${header.postgres}: ${counted(total, 'row')}.`);
  const config = readConfig(env);
  if (config.databaseUrl === undefined) await checkDataDir(config.dataDir, true);
  await onOwnDatabase(config, async (connection) => {
    await withClient(connection, (client) => requireEmptyAndOld(client, header.migrations));
    await migrate(connection, { upTo: header.migrations.at(-1)?.version });
    await withClient(connection, (client) => fill(client, file, total));
    const applied = await migrate(connection);
    if (applied.length > 0) say(`Brought up to this build: ${applied.join(', ')}.`);
    await withClient(connection, analyze);
  });
  say(`${counted(total, 'row')} are restored.`);
}

async function fill(client: DatabaseClient, file: string, total: number): Promise<void> {
  let done = 0;
  const bar = progressBar({ label: 'Restore', unit: rows });
  try {
    await client.query('begin');
    const tables = await readTables(client);
    const months = new Map(tables.map(({ name }) => [name, new Set<number>()]));
    // A service that was started meanwhile waits, and then finds everything.
    await client.query(`lock table ${listOf(tables)} in exclusive mode`);
    await requireEmpty(client, tables);
    for (const { quoted } of tables.filter((table) => table.startsFilled)) await client.query(`delete from ${quoted}`);
    for await (const step of batches(file)) {
      if (step.kind === 'end') await setSequences(client, step.sequences);
      else done += await insert(client, tables, months, step);
      bar.update(done, total);
    }
    if (done !== total) throw new Complaint(`Only ${done} of ${total} rows could be restored. Nothing was changed.`);
    await client.query('commit');
    bar.finish(done, total);
  } catch (error) {
    bar.abandon();
    throw error;
  }
}

type EndPart = Extract<Part, { kind: 'end' }>;
interface Batch {
  kind: 'batch';
  name: string;
  columns: string[];
  lines: string[];
}

/** Neighbouring rows of a table, as many as one statement takes well. */
async function* batches(file: string): AsyncGenerator<Batch | EndPart> {
  let table = { name: '', columns: [''] };
  let lines: string[] = [];
  let bytes = 0;
  for await (const part of readBackup(file)) {
    const isFull = lines.length >= batchRows || bytes >= batchBytes;
    if (lines.length > 0 && (isFull || part.kind !== 'row')) {
      yield { kind: 'batch', ...table, lines };
      lines = [];
      bytes = 0;
    }
    if (part.kind === 'row') {
      lines.push(part.json);
      bytes += part.json.length;
    } else if (part.kind === 'table') table = part;
    else if (part.kind === 'end') yield part;
  }
}

async function insert(
  client: DatabaseClient,
  tables: Table[],
  months: Map<string, Set<number>>,
  { name, columns, lines }: Batch,
): Promise<number> {
  const table = tables.find((known) => known.name === name);
  if (!table || JSON.stringify(table.columns.map((column) => column.name)) !== JSON.stringify(columns)) {
    throw new Complaint(`The table ${name} of the backup is not the one of this build. Nothing was changed.`);
  }
  await makeMonths(client, table, months.get(name) ?? new Set(), lines);
  const quoted = table.columns.map((column) => column.quoted);
  const typed = table.columns.map((column) => `r.${column.quoted}::${column.type}`);
  const { rowCount } = await client.query(
    `insert into ${table.quoted} (${quoted.join(', ')}) overriding system value
     select ${typed.join(', ')}
     from json_to_recordset($1::json) as r (${quoted.map((column) => `${column} text`).join(', ')})`,
    [`[${lines.join(',')}]`],
  );
  return rowCount ?? 0;
}

async function setSequences(client: DatabaseClient, sequences: Record<string, string>): Promise<void> {
  for (const [name, value] of Object.entries(sequences)) {
    await client.query(`select setval(format('public.%I', $1::text)::regclass, $2::bigint)`, [name, value]);
  }
}

/** The planner's statistics are not in a backup, and a database without them is slow. */
async function analyze(client: DatabaseClient): Promise<void> {
  await client.query(`analyze ${listOf(await readTables(client))}`);
}
