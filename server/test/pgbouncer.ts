// A real PgBouncer in front of a real database, in the requested mode.
import { spawn, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Connection } from '../src/db/connect.js';

const version = /PgBouncer (\d+)\.(\d+)/.exec(String(spawnSync('pgbouncer', ['--version']).stdout));

/** Undefined if it is not installed: then tests that need it are skipped. */
export const pgBouncer = version
  ? { keepsStatements: Number(version[1]) * 1000 + Number(version[2]) >= 1021 }
  : undefined;

export interface BouncerOptions {
  mode: 'session' | 'transaction' | 'statement';
  poolSize?: number;
  /** If the version supports it. */
  preparedStatements?: number;
  /** The port to listen on; any free one by default. */
  port?: number | undefined;
}

export interface Bouncer {
  port: number;
  url: string;
  connection: Connection;
  stop(): Promise<void>;
}

export async function startPgBouncer(real: Connection, options: BouncerOptions): Promise<Bouncer> {
  const { host, port, user = '', password, database = '' } = new pg.Client(real);
  const folder = await mkdtemp(join(tmpdir(), 'rapport-pgbouncer-'));
  await chmod(folder, 0o755);
  const near = options.port ?? (await freePort());
  const known = pgBouncer?.keepsStatements ? [`max_prepared_statements = ${options.preparedStatements ?? 0}`] : [];
  const file = join(folder, 'pgbouncer.ini');
  const settings = [
    '[databases]',
    `* = host=${host} port=${port} user=${user} password=${password}`,
    '[pgbouncer]',
    ...['listen_addr = 127.0.0.1', `listen_port = ${near}`, 'unix_socket_dir =', 'auth_type = any'],
    ...[`pool_mode = ${options.mode}`, `default_pool_size = ${options.poolSize ?? 20}`, 'max_client_conn = 200'],
    ...['ignore_startup_parameters = extra_float_digits', ...known],
  ];
  await writeFile(file, `${settings.join('\n')}\n`, { mode: 0o644 });
  // It does not run as root, and must be able to enter the folder of the database's socket.
  const { uid, gid } = await stat(host.startsWith('/') ? host : folder);
  const as = userInfo().uid === 0 ? { uid: uid || 65_534, gid: gid || 65_534 } : {};
  const child = spawn('pgbouncer', ['-q', file], { stdio: ['ignore', 'ignore', 'pipe'], ...as });
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  while (!(await answers(near))) {
    if (child.exitCode !== null) throw new Error(`PgBouncer ended: ${said}`);
    await sleep(10);
  }
  return {
    port: near,
    url: `postgres://${user}:${password}@127.0.0.1:${near}/${database}`,
    connection: { host: '127.0.0.1', port: near, user, password: String(password ?? ''), database },
    stop: async () => {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
