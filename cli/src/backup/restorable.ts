// Whether a backup is whole and a database is one that it may go into: asked before anything is changed.
import type { DatabaseClient } from '@rapport/server/operator';
import { Complaint } from '../complaint.js';
import { readBackup } from './backup-file.js';
import type { Header } from './backup-lines.js';
import { sum } from './counted.js';
import { type AppliedMigration, readApplied, readTables, type Table } from './tables.js';

export async function inspect(file: string): Promise<{ header: Header; total: number }> {
  const counts = new Map<string, number>();
  let header: Header | undefined;
  let table = '';
  for await (const part of readBackup(file)) {
    if (part.kind === 'header') header = part.header;
    else if (part.kind === 'table') {
      table = part.name;
      counts.set(table, 0);
    } else if (part.kind === 'row') counts.set(table, (counts.get(table) ?? 0) + 1);
    else if (JSON.stringify(part.rows) !== JSON.stringify(Object.fromEntries(counts))) {
      throw new Complaint(
        `${file} is not whole: its rows are not those that it counts. Nothing was restored; use another backup.`,
      );
    }
  }
  if (!header) throw new Error('A backup was read to its end and had no beginning.');
  return { header, total: sum(counts.values()) };
}

/** The file's migrations must be the first ones of this build's. */
export function requireKnown(inFile: AppliedMigration[], inBuild: AppliedMigration[]): void {
  for (const { version, name, checksum } of inFile) {
    const known = inBuild.find((migration) => migration.version === version);
    if (!known)
      throw new Complaint(
        `A newer build made this backup: it has migration ${name}. Restore it with that build or a newer one.`,
      );
    if (known.checksum !== checksum) {
      throw new Complaint(
        `Another build made this backup: its migration ${name} is not the one of this build. ` +
          'Restore it with that build.',
      );
    }
  }
}

export async function requireEmptyAndOld(client: DatabaseClient, inFile: AppliedMigration[]): Promise<void> {
  await requireEmpty(client, await readTables(client));
  const applied = await readApplied(client);
  const ahead = applied.find(({ version }) => !inFile.some((migration) => migration.version === version));
  if (ahead) {
    throw new Complaint(
      `The database is ahead of the backup: ${ahead.name} has run on it. ` +
        'Restore into a database on which no service was started.',
    );
  }
}

export async function requireEmpty(client: DatabaseClient, tables: Table[]): Promise<void> {
  for (const { name, quoted, startsFilled } of tables) {
    if (startsFilled) continue;
    const { rows } = await client.query<{ filled: boolean }>(`select exists (select from ${quoted}) as filled`);
    if (rows[0]?.filled)
      throw new Complaint(
        `The database is not empty: there are rows in ${name}. Restore needs an empty one; nothing was changed.`,
      );
  }
}
