import type pg from 'pg';
import { randomToken } from '../lib/random.js';
import { type Connection, DatabaseClient, isStatementLost, socketOf } from './connect.js';

// While other clients are active, a pooler may hand out the same connection twice by chance.
const rounds = 5;
// Milliseconds for all rounds. A check that takes longer does not keep the service from starting.
const patienceMs = 5000;

/**
 * Throws an explanation if a pooler in front of the database gives every transaction another connection and does not carry named
 * statements along (PgBouncer in transaction mode before 1.21): then a statement is randomly unknown, or already known.
 */
export async function checkNamedStatements(connection: Connection): Promise<void> {
  const [ours, other] = [new DatabaseClient(connection), new DatabaseClient(connection)];
  for (const client of [ours, other]) client.on('error', () => undefined);
  const timer = setTimeout(() => {
    for (const client of [ours, other]) socketOf(client).destroy();
  }, patienceMs);
  try {
    await Promise.all([ours.connect(), other.connect()]);
    for (let round = 0; round < rounds; round++) await lookOnce(ours, other);
  } catch (error) {
    if (isStatementLost(error)) throw new Error(lostStatements, { cause: error });
    if (/statement pooling/.test((error as Error).message)) throw new Error(noTransactions, { cause: error });
    // Any other error is reported by the next statement that meets it.
  } finally {
    clearTimeout(timer);
    await Promise.all([ours, other].map((client) => client.end().catch(() => undefined)));
  }
}

/** One client names a statement; another holds a transaction, and with it the connection that the first one had; then the first uses it again. */
async function lookOnce(ours: pg.Client, other: pg.Client): Promise<void> {
  const name = randomToken('rapport_probe_');
  const backend = { name, text: 'select pg_backend_pid() as pid' };
  const pidOf = async (client: pg.Client) => (await client.query<{ pid: number }>(backend)).rows[0]?.pid;
  const first = await pidOf(ours);
  await other.query('begin');
  try {
    // Fails if this is another connection that does not know the name. If it is the same one, a pool of one would keep the first client waiting.
    const second = await pidOf(other);
    if (second !== first) await pidOf(ours);
  } finally {
    await other.query('rollback').catch(() => undefined);
  }
}

const whatToDo = 'Set DATABASE_URL to PostgreSQL itself, or pool by session (pool_mode = session)';

const lostStatements =
  'DATABASE_URL leads to a pooler that loses named statements between transactions (PgBouncer in transaction mode does before version 1.21, ' +
  `and later without max_prepared_statements): acknowledged writes would fail by chance. ${whatToDo}, or use PgBouncer 1.21 or newer with max_prepared_statements = 200.`;

const noTransactions = `DATABASE_URL leads to a pooler that allows no transactions (pool_mode = statement). ${whatToDo}.`;
