// A database that can stop responding without going away, like one whose disk hangs: a relay that stops relaying.
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Connection } from '../src/db/connect.js';

export interface Stallable {
  connection: Connection;
  stall(): void;
  goOn(): void;
  close(): Promise<void>;
}

export async function stallable(real: Connection): Promise<Stallable> {
  const { host, port, user = '', password, database = '' } = new pg.Client(real);
  const folder = await mkdtemp(join(tmpdir(), 'rapport-relay-'));
  const sockets = new Set<Socket>();
  let isStalled = false;
  const server = createServer((near) => {
    const far = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (chunk) => to.write(chunk));
      from.on('error', () => undefined);
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      if (isStalled) from.pause();
    }
  });
  await new Promise<void>((resolve) => server.listen(join(folder, '.s.PGSQL.5432'), resolve));
  return {
    connection: { host: folder, port: 5432, user, password: String(password ?? ''), database },
    stall: () => {
      isStalled = true;
      for (const socket of sockets) socket.pause();
    },
    goOn: () => {
      isStalled = false;
      for (const socket of sockets) socket.resume();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
