import pg from 'pg';
import { instantFromPostgres } from '../lib/instant.js';

export type Connection =
  | { connectionString: string }
  | { host: string; port: number; user: string; password: string; database: string };

// OIDs from PostgreSQL's catalogue, the same in every version.
const parsers = new Map<number, (text: string) => unknown>([
  [17, (text) => text.slice(2)], // bytea: ids are bytes in the table and hex everywhere else
  [20, Number], // int8: counts and numbers stay far below 2^53
  [1184, instantFromPostgres], // timestamptz
  [2950, (text) => text.replaceAll('-', '')], // uuid: contact ids are 32 hex digits
]);

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format as 'text'),
};

export function clientConfig(connection: Connection): pg.ClientConfig {
  return {
    ...connection,
    types: types as unknown as pg.CustomTypesConfig,
    application_name: 'rapport',
    keepAlive: true,
    connectionTimeoutMillis: 10_000,
  };
}

const connectionClasses = new Set(['08', '57']);
const socketErrors = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND']);

/** True when the database could not be reached or went away, as opposed to refusing the statement. */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string') return socketErrors.has(code) || connectionClasses.has(code.slice(0, 2));
  return /Connection terminated|timeout exceeded when trying to connect|not queryable|timeout expired/.test(
    error.message,
  );
}

// Rolled back for others' sake, out of resources, locked, stopped, the disk: classes that say nothing about the statement.
const passingClasses = new Set(['40', '53', '55', '57', '58']);

/** True for trouble that goes away without anybody changing the statement or its values. */
export function passesByWaiting(error: unknown): boolean {
  if (isConnectionError(error)) return true;
  const { code } = error as { code?: unknown };
  // 25006: a standby, or a server that was set read-only.
  return typeof code === 'string' && code.length === 5 && (passingClasses.has(code.slice(0, 2)) || code === '25006');
}

/** True when somebody else had what was wanted for longer than `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return (error as { code?: string }).code === '55P03';
}

/** The name of the violated unique constraint or index, if that is what went wrong. */
export function violatedUnique(error: unknown): string | undefined {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23505' ? constraint : undefined;
}
