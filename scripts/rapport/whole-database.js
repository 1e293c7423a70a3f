// The commands backup and restore, as they are typed.
import { resolve } from 'node:path';
import { build } from '../build.js';

const where = `
  The database is that of DATABASE_URL, else the embedded one under DATA_DIR (./data), as for the service.
  DATABASE_DIRECT_URL is used where it is set: a long transaction is nothing for a pooler.`;

const usages = {
  backup: `Usage: npm run rapport -- backup <file>

  Writes everything in the database, as of one moment, to a file that only you can read. The service may go on.
  A file of that name is replaced once the new one is whole. Secrets in DATA_DIR (admin-token) are not in it.
${where}`,
  restore: `Usage: npm run rapport -- restore <file>

  Reads a backup into an empty database: all of it, or nothing. The embedded database is made when it is not there;
  its service must not run meanwhile. A backup of an older build is brought up to this one.
${where}`,
};

/**
 * @param {'backup' | 'restore'} name
 * @param {string[]} args
 * @returns {Promise<number>} exit code
 */
export async function run(name, args) {
  if (args.includes('--help')) {
    console.log(usages[name]);
    return 0;
  }
  const [given] = args;
  if (args.length !== 1 || given === undefined || given.startsWith('-')) throw new Error(usages[name]);
  const failed = build();
  if (failed) return failed;
  // npm runs scripts in the project's folder; a file is meant from where the command was given.
  const file = resolve(process.env.INIT_CWD ?? '.', given);
  // An exit, unlike a signal, takes a database that was started for this along.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
  const command = await import(`./${name}.js`);
  await command[name](file);
  return 0;
}
