// What keeps the service from starting, in one sentence that says what to do. Anything else is a bug and needs its stack.
import { mkdir, open, unlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { ConfigError } from './config.js';
import { whyUnavailable } from './db/connect.js';
import { DataDirInUseError, NoBinariesError } from './db/embedded/index.js';

/** Checked before anything starts: a database that was started in vain takes long to stop. */
export async function checkPort(host: string, port: number, variable = 'PORT'): Promise<void> {
  if (port === 0) return;
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject);
      probe.listen({ host, port }, resolve);
    });
  } catch (error) {
    throw portError(error, host, port, variable);
  }
  await new Promise((resolve) => probe.close(resolve));
}

/** `variable`: the setting that the port comes from. */
export function portError(error: unknown, host: string, port: number, variable: string): ConfigError {
  return new ConfigError(whyNotListening(error as NodeJS.ErrnoException, host, port, variable), { cause: error });
}

function whyNotListening(
  { code, message }: NodeJS.ErrnoException,
  host: string,
  port: number,
  variable: string,
): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is taken: another program listens there. Stop it, or set ${variable} to a free port. (Set ${variable}=0 for any.)`;
    case 'EACCES':
      return `Port ${port} may not be used by this user. Set ${variable} to one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is no address of this machine. Check HOST; 127.0.0.1 and 0.0.0.0 always work.`;
    default:
      return `Cannot listen on port ${port} of ${host}: ${message}. Check HOST and ${variable}.`;
  }
}

/** Makes the data folder. `isWritten`: tries to write there, because the embedded database will. */
export async function checkDataDir(dataDir: string, isWritten: boolean): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true });
    if (!isWritten) return;
    const file = join(dataDir, `.write-test-${process.pid}`);
    const handle = await open(file, 'w', 0o600);
    try {
      await handle.writeFile('x');
    } finally {
      await handle.close();
      await unlink(file);
    }
  } catch (error) {
    throw new ConfigError(`DATA_DIR is wrong: ${whyNoFile(error as NodeJS.ErrnoException, dataDir)}`, { cause: error });
  }
}

function whyNoFile({ code, message }: NodeJS.ErrnoException, path: string): string {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `the disk of ${path} is full. Make room and start again.`;
    case 'EROFS':
      return `${path} is on a disk that can only be read. Name a folder that can be written.`;
    case 'EACCES':
    case 'EPERM':
      return `this user may not write to ${path}. Give it the folder (chown), or name another.`;
    case 'ENOTDIR':
    case 'EEXIST':
      return `${path} is no folder, or is inside something that is not one.`;
    default:
      return `${message}.`;
  }
}

const ofFiles = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'ENOTDIR']);

export function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof DataDirInUseError || error instanceof NoBinariesError)
    return error.message;
  if (!(error instanceof Error)) return String(error);
  const { code, message, path, syscall } = error as NodeJS.ErrnoException & { port?: number; address?: string };
  if (syscall === 'listen' || syscall === 'getaddrinfo') {
    const { address = 'HOST', port = 0 } = error as { port?: number; address?: string };
    return whyNotListening(error, address, port, 'PORT');
  }
  if (ofFiles.has(code ?? '')) {
    const why = whyNoFile(error, path ?? 'DATA_DIR');
    return `${why.charAt(0).toUpperCase()}${why.slice(1)} Check DATA_DIR.`;
  }
  if (whyUnavailable(error))
    return `The database went away while the service started: ${message}. See that it runs and stays, check DATABASE_URL, and start again.`;
  // A bare Error is one of our own sentences; a TypeError and the like is a bug and needs its stack.
  if (error.constructor === Error && code === undefined) return message;
  return error.stack ?? message;
}
