import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/**
 * A migration that says so in its first line is applied without a transaction, a statement at a time: indexes are built beside reads and
 * writes, which a lock would stop for as long as it takes. Each statement can be repeated, so one that was cut off goes on the next time.
 */
export function isOnline(text: string): boolean {
  return /^-- Online: /.test(text);
}

const attempts = 5;

/** `say`: what it is at, for a log. */
export async function applyOnline(client: pg.Client, text: string, say: (doing: string) => void): Promise<void> {
  for (const statement of statementsOf(text)) {
    say(statement.replace(/\s+/g, ' '));
    for (let attempt = 1; ; attempt++) {
      await dropHalfBuilt(client, statement);
      try {
        await client.query(statement);
        break;
      } catch (error) {
        // With a process of an older build, which waits for its turn to migrate in a way that this statement has to wait for.
        if ((error as { code?: string }).code !== '40P01' || attempt === attempts) throw error;
        await sleep(1000);
      }
    }
  }
}

/** Comments left out. These migrations have no semicolons but between statements. */
export function statementsOf(text: string): string[] {
  const code = text.replace(/^--.*$/gm, '');
  return code
    .split(';')
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '');
}

/** An index whose building was cut off stays, is kept up and never read; `if not exists` would be content with it. */
async function dropHalfBuilt(client: pg.Client, statement: string): Promise<void> {
  const name = /^create (?:unique )?index concurrently if not exists (\w+)/.exec(statement)?.[1];
  if (name === undefined) return;
  const { rows } = await client.query(
    'select from pg_index i where i.indexrelid = to_regclass($1) and not i.indisvalid',
    [name],
  );
  if (rows.length > 0) await client.query(`drop index concurrently if exists ${name}`);
}
