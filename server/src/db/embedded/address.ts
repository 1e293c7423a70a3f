import { createServer } from 'node:net';
import { join } from 'node:path';

/** Where the server listens: a socket in its own folder (mode 0700), or a port on the loopback interface. */
export type Address =
  | { readonly kind: 'socket'; readonly directory: string }
  | { readonly kind: 'port'; readonly port: number };

export interface Connection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly database: string;
}

const loopback = '127.0.0.1';
/** Only part of the socket's file name; nothing listens on this port. */
const socketNumber = 5432;
/** sockaddr_un: 108 bytes on Linux, 104 on macOS and the BSDs, one of them for the final zero. */
const longestSocketPath = process.platform === 'linux' ? 107 : 103;

export async function chooseAddress(cluster: string): Promise<Address> {
  const fits = Buffer.byteLength(socketPath(cluster)) <= longestSocketPath;
  if (fits && process.platform !== 'win32') return { kind: 'socket', directory: cluster };
  return { kind: 'port', port: await findFreePort() };
}

export function socketPath(directory: string): string {
  return join(directory, `.s.PGSQL.${socketNumber}`);
}

export function hostAndPort(address: Address): { host: string; port: number } {
  if (address.kind === 'socket') return { host: address.directory, port: socketNumber };
  return { host: loopback, port: address.port };
}

export function listenSettings(address: Address): Record<string, string> {
  if (address.kind === 'port') {
    return { listen_addresses: loopback, port: String(address.port), unix_socket_directories: '' };
  }
  // The setting is a list: quotes keep a comma or a blank in the path from splitting it.
  const quoted = `"${address.directory.replaceAll('"', '""')}"`;
  return { listen_addresses: '', port: String(socketNumber), unix_socket_directories: quoted };
}

async function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, loopback, () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
