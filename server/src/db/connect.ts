import type { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import pg from 'pg';
import { Hosts } from '../lib/database-hosts.js';
import { instantFromPostgres } from '../lib/instant.js';
import { parseJson } from '../lib/parse-json.js';

export type Connection =
  /** `isReplica`: a read-only host is enough. */
  | { connectionString: string; isReplica?: boolean }
  | { host: string; port: number; user: string; password: string; database: string };

// OIDs from PostgreSQL's catalogue, the same in every version.
const parsers = new Map<number, (text: string) => unknown>([
  [17, (text) => text.slice(2)], // bytea: ids are bytes in the table and hex everywhere else
  [20, Number], // int8: our numbers stay far below 2^53
  [114, parseJson], // json
  [1184, instantFromPostgres], // timestamptz
  [2950, (text) => text.replaceAll('-', '')], // uuid: contact ids are 32 hex digits
  [3802, parseJson], // jsonb
]);

const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    (format !== 'binary' && parsers.get(oid)) || pg.types.getTypeParser(oid, format as 'text'),
};

/** Milliseconds to connect. */
export const connectMs = 3000;

const hosts = new WeakMap<Connection, Hosts>();

function hostsOf(connection: Connection): Hosts | undefined {
  if (!('connectionString' in connection)) return undefined;
  const known = hosts.get(connection) ?? new Hosts(connection.connectionString, connection.isReplica);
  hosts.set(connection, known);
  return known;
}

export function clientConfig(connection: Connection): pg.ClientConfig {
  return {
    ...connection,
    types: types as unknown as pg.CustomTypesConfig,
    application_name: 'rapport',
    keepAlive: true,
    connectionTimeoutMillis: connectMs,
  };
}

/** The host is read-only, but a writable one is needed. */
class ReadOnlyHost extends Error {
  readonly code = '25006';
}

/**
 * A client for the host that last accepted writes. Connecting fails if it does not respond or has become a standby; the next client
 * tries the next host.
 */
export class DatabaseClient extends pg.Client {
  private readonly leaveHost: () => void;
  private readonly hasOtherHosts: boolean;
  private refusal: ReadOnlyHost | undefined;

  constructor(connection: Connection, options: pg.ClientConfig & { pipeline?: boolean | undefined } = {}) {
    const known = hostsOf(connection);
    const address = known?.current;
    const target = address === undefined ? connection : { connectionString: address };
    super({ ...clientConfig(target), ...options } as pg.ClientConfig);
    this.leaveHost = () => known?.leave(address ?? '');
    this.hasOtherHosts = known?.isSeveral ?? false;
    let isReady = false;
    this.once('connect', () => {
      isReady = true;
    });
    this.once('end', () => {
      if (!isReady) this.leaveHost();
    });
    if (known?.onlyWritable) this.refuseReadOnly();
  }

  /** Whether a new connection may succeed after this error: this one lacks our named statements, or its host no longer accepts writes. */
  isSpoiltBy(error: unknown): boolean {
    if ((error as { code?: string }).code !== '25006' || !this.hasOtherHosts) return isStatementLost(error);
    this.leaveHost();
    return true;
  }

  /** PostgreSQL itself reports whether it accepts writes, and reports it again when that changes. */
  private refuseReadOnly(): void {
    const { connection } = this as unknown as { connection: EventEmitter };
    connection.on('parameterStatus', ({ parameterName, parameterValue }: Record<string, string>) => {
      if (parameterValue !== 'on' || !readOnlyWhen.has(parameterName ?? '')) return;
      this.leaveHost();
      this.refusal = new ReadOnlyHost('the host can only be read');
      socketOf(this).destroy(this.refusal);
    });
  }

  override connect(): Promise<this>;
  override connect(callback: (error?: Error) => void): void;
  override connect(callback?: (error?: Error) => void): Promise<this> | undefined {
    // The greeting may be read completely before the socket is gone.
    const connecting = super.connect().then(() => {
      if (this.refusal) throw this.refusal;
      return this;
    });
    if (!callback) return connecting;
    connecting.then(
      () => process.nextTick(callback),
      (error: Error) => process.nextTick(callback, error),
    );
    return undefined;
  }
}

const readOnlyWhen = new Set(['in_hot_standby', 'default_transaction_read_only']);

/** The socket below a client; pg's types do not name it. Replaced once the connection is encrypted, so never kept. */
export function socketOf(client: pg.Client): Duplex {
  return (client as unknown as { connection: { stream: Duplex } }).connection.stream;
}

const away = 'the database does not answer; try again';
const narrower = 'narrow the search or ask for an earlier page';

/** The database did not respond within one of our limits, or there was no connection. It passes by waiting. */
export class DatabaseBusy extends Error {
  override readonly name = 'DatabaseBusy';

  private constructor(
    /** For the caller: what happened, and what to do. */
    readonly reason: string,
    readonly retryAfter: number,
    options?: ErrorOptions,
  ) {
    super(reason, options);
  }

  static away(options?: ErrorOptions): DatabaseBusy {
    return new DatabaseBusy(away, 1, options);
  }

  static crowded(what: string): DatabaseBusy {
    return new DatabaseBusy(`${what}; try again`, 5);
  }

  static tooSlow(limitMs: number, options?: ErrorOptions, advice = narrower): DatabaseBusy {
    const reason = `the read took longer than ${limitMs / 1000} s; ${advice}, then try again`;
    return new DatabaseBusy(reason, 5, options);
  }
}

const socketErrors = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'EAGAIN'],
  // An unreachable network or an unresolvable name, such as that of a stopped container.
  ...['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL'],
]);
const lostConnection =
  /Connection terminated|timeout exceeded when trying to connect|not queryable|timeout expired|Cannot use a pool after/;

/** What the caller is told about an error that passes by waiting, and after how many seconds to retry. */
interface Unavailability {
  reason: string;
  retryAfter: number;
}

const lost: Unavailability = { reason: 'the database cannot be reached; try again', retryAfter: 1 };
const contended: Unavailability = {
  reason: 'another request is changing the same thing right now; try again',
  retryAfter: 1,
};
const mixedUp: Unavailability = { reason: 'the connection to the database was mixed up; try again', retryAfter: 1 };
// By SQLSTATE, or by its class of two characters.
const passing: Record<string, Unavailability> = {
  '08': lost,
  '57': lost,
  '57014': { reason: 'the database took too long; try again', retryAfter: 5 },
  '53': { reason: 'the database has no room for this now; try again', retryAfter: 5 },
  '25006': { reason: 'the database takes no writes now; try again', retryAfter: 5 },
  '40001': contended,
  '40P01': contended,
  '55P03': contended,
  // A pooler gave us another client's connection, or took ours: it is not the statement's fault.
  '25': mixedUp,
  '26': mixedUp,
  '34': mixedUp,
  '42P03': mixedUp,
  '42P05': mixedUp,
  // Disk errors.
  '58': { reason: 'the database has a problem; try again', retryAfter: 5 },
};

/** The one place that decides which errors pass by waiting. */
export function whyUnavailable(error: unknown): Unavailability | undefined {
  if (error instanceof DatabaseBusy) return error;
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return lostConnection.test(error.message) ? lost : undefined;
  if (socketErrors.has(code)) return lost;
  if (isStatementLost(error)) return mixedUp;
  return passing[code] ?? passing[code.slice(0, 2)];
}

/**
 * True if a connection does not have the named statements that we gave it, or has them in another form (a column was changed
 * meanwhile): the same statement may succeed on a new connection.
 */
export function isStatementLost(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  if (code === '0A000') return message?.includes('cached plan') ?? false;
  return code === '26000' || code === '42P05';
}

/** True if the same statement may succeed later, unchanged. */
export function passesByWaiting(error: unknown): boolean {
  return whyUnavailable(error) !== undefined;
}

/** True if a lock was not free within `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return (error as { code?: string }).code === '55P03';
}

/** The name of the violated unique constraint or index, if that is what went wrong. */
export function violatedUnique(error: unknown): string | undefined {
  const { code, constraint } = error as { code?: string; constraint?: string };
  return code === '23505' ? constraint : undefined;
}
