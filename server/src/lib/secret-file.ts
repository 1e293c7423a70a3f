import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';

export async function readSecret(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, 'utf8')).trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Writes a secret that only the owner may read; atomically, even if the power fails. */
export async function writeSecret(file: string, secret: string): Promise<void> {
  await rename(await writeBeside(file, secret), file);
}

/** The secret in the file, or a new one. Two processes that start together agree on one. */
export async function keepSecret(file: string, make: () => string): Promise<string> {
  const known = await readSecret(file);
  if (known) return known;
  const draft = await writeBeside(file, make());
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  return (await readSecret(file)) as string;
}

async function writeBeside(file: string, secret: string): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(`${secret}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return draft;
}
