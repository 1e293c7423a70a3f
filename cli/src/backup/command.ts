// The commands backup and restore, as they are typed.

import { readArguments } from '../arguments.js';
import { asCalled } from '../as-called.js';
import type { Call } from '../command.js';
import { fromHere } from '../from-here.js';
import { backup } from './backup.js';
import { restore } from './restore.js';

const where = `
  The database is that of DATABASE_URL, else the embedded one under DATA_DIR (./data), as for the service.
  DATABASE_DIRECT_URL is used where it is set: a long transaction is nothing for a pooler.`;

const backupUsage = `Usage: npm run rapport -- backup <file> [--from-replica]

  Writes everything in the database, as of one moment, to a file that only you can read. The service may go on.
  A file of that name is replaced once the new one is whole. Secrets in DATA_DIR (admin-token, secret-key) are not in it,
  nor is what lets anybody in for a short time: sessions, sign-in links, tokens of apps.
  --from-replica reads DATABASE_REPLICA_URL instead: the primary has no work with it, and no old snapshot to keep.
${where}`;

const restoreUsage = `Usage: npm run rapport -- restore <file>

  Reads a backup into an empty database: all of it, or nothing. The embedded database is made when it is not there;
  its service must not run meanwhile. A backup of an older build is brought up to this one.
${where}`;

export function runBackup(call: Call): Promise<number> {
  return withFile(call, backupUsage, { 'from-replica': { type: 'boolean' } }, (file, env, values) =>
    backup(file, env, console.log, { fromReplica: values['from-replica'] === true }),
  );
}

export function runRestore(call: Call): Promise<number> {
  return withFile(call, restoreUsage, {}, (file, env) => restore(file, env, console.log));
}

type Options = Record<string, { type: 'boolean' }>;
type Work = (file: string, env: NodeJS.ProcessEnv, values: Record<string, unknown>) => Promise<void>;

async function withFile({ args, env }: Call, usage: string, options: Options, work: Work): Promise<number> {
  const given = readArguments(args, { usage, words: [{ missing: 'Name a file.' }], options });
  if (!given) {
    console.log(asCalled(usage));
    return 0;
  }
  const [file = ''] = given.words;
  // An exit, unlike a signal, takes a database that was started for this along.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
  await work(fromHere(env, file), env, given.values);
  return 0;
}
