import { spawnSync } from 'node:child_process';
import { chown, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The user that the database runs as, if not the service's own. */
export interface RunAs {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
}

// A fixed environment: the caller's PGPORT, PGDATA and so on must not reach the server. The locale keeps its messages in English.
const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** cwd '/': the database's user may not be able to enter the folder the service was started in. */
export function processOptions(runAs: RunAs | undefined) {
  const user = runAs ? { uid: runAs.uid, gid: runAs.gid } : {};
  return { ...user, cwd: '/', env: environment, windowsHide: true };
}

/** PostgreSQL refuses to run as root, so for root it runs as another user: the cluster's owner, else 'postgres', else 'nobody'. */
export async function pickRunAs(cluster: string | undefined): Promise<RunAs | undefined> {
  if (process.getuid?.() !== 0) {
    if (cluster !== undefined) await requireOwnership(cluster);
    return undefined;
  }
  const users = await readPasswd();
  const owner = cluster === undefined ? undefined : await stat(cluster);
  if (owner && owner.uid !== 0) {
    const { uid, gid } = owner;
    return users.find((user) => user.uid === uid) ?? { uid, gid, name: `uid ${uid}` };
  }
  const found = ['postgres', 'nobody'].map((name) => users.find((user) => user.name === name)).find(Boolean);
  if (!found) {
    throw new Error(
      "Rapport was started as root, PostgreSQL must not run as root, and /etc/passwd has neither 'postgres' nor 'nobody'. " +
        'Start Rapport as an ordinary user, or set DATABASE_URL.',
    );
  }
  // A backup that root restored belongs to root.
  if (cluster !== undefined && owner) await chownTree(cluster, found);
  return found;
}

async function requireOwnership(cluster: string): Promise<void> {
  const owner = await stat(cluster);
  const own = process.getuid?.();
  if (own === undefined || owner.uid === own) return;
  throw new Error(
    `The database in ${cluster} belongs to another user (uid ${owner.uid}). Start Rapport as that user or as root, or give it another DATA_DIR.`,
  );
}

async function readPasswd(): Promise<RunAs[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '');
  return text
    .split('\n')
    .map((line) => line.split(':'))
    .filter((fields) => fields.length >= 4)
    .map(([name, , uid, gid]) => ({ name: name ?? '', uid: Number(uid), gid: Number(gid) }))
    .filter((user) => Number.isInteger(user.uid) && Number.isInteger(user.gid) && user.uid !== 0);
}

async function chownTree(path: string, user: RunAs): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) await chownTree(child, user);
    else if (entry.isFile()) await chown(child, user.uid, user.gid);
  }
  await chown(path, user.uid, user.gid);
}

/** Actually tries it: modes of all parents, ACLs and mounts matter. */
export function canPass(runAs: RunAs | undefined, path: string): boolean {
  if (!runAs) return true;
  const result = spawnSync('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], {
    ...processOptions(runAs),
    stdio: 'ignore',
  });
  if ((result.error as NodeJS.ErrnoException | undefined)?.code === 'EPERM') {
    throw new Error(
      `Rapport was started as root, PostgreSQL must not run as root, and changing to the user ${runAs.name} is not permitted here. ` +
        'Start Rapport as an ordinary user, or set DATABASE_URL.',
    );
  }
  return result.status === 0;
}

export async function giveTo(runAs: RunAs | undefined, path: string): Promise<void> {
  if (runAs) await chown(path, runAs.uid, runAs.gid);
}
