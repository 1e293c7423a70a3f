// `npm run rapport -- secrets …`: a new key for the secrets in the database, and everything under it.

import {
  addKeyToFile,
  onExistingData,
  openSecretBox,
  readConfig,
  rotateSecrets,
  secretKeyFile,
} from '@rapport/server/operator';
import { readArguments } from '../arguments.js';
import { asCalled } from '../as-called.js';
import type { Call } from '../command.js';
import { Complaint } from '../complaint.js';

const usage = `Usage: npm run rapport -- secrets new-key | rotate

  new-key  puts a new key in front of DATA_DIR/secret-key; the service uses it from its next start on. Where SECRET_KEY is
           set, set that to the new key and SECRET_KEY_OLD to the old one instead.
  rotate   encrypts every secret in the database anew under the newest key. Can be repeated; the service may go on.

  The keys are those of SECRET_KEY, SECRET_KEY_OLD and DATA_DIR/secret-key, as for the service. The database is that of
  DATABASE_URL, else the embedded one under DATA_DIR (./data). See "Secrets" in docs/sending.md.`;

export async function runSecrets({ args, env }: Call): Promise<number> {
  const given = readArguments(args, { usage, words: [{ oneOf: ['new-key', 'rotate'] }], options: {} });
  if (!given) {
    console.log(asCalled(usage));
    return 0;
  }
  return given.words[0] === 'new-key' ? newKey(env) : rotate(env);
}

async function newKey(env: NodeJS.ProcessEnv): Promise<number> {
  const config = readConfig(env);
  if (config.secretKey !== undefined) {
    throw new Complaint(
      'The key is the one in SECRET_KEY. Set SECRET_KEY to a new one and SECRET_KEY_OLD to this one, restart the service, ' +
        'then run `secrets rotate`.',
    );
  }
  const file = secretKeyFile(config.dataDir);
  await addKeyToFile(file);
  console.log(
    `A new key is in ${file}, in front of those before it. Restart the service, then run \`secrets rotate\`.`,
  );
  return 0;
}

async function rotate(env: NodeJS.ProcessEnv): Promise<number> {
  const config = readConfig(env);
  const box = await openSecretBox(config, secretKeyFile(config.dataDir));
  // An exit, unlike a signal, takes a database that was started for this along.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
  const { resealed, current, complaints } = await onExistingData(config, (connection) =>
    rotateSecrets(connection, box),
  );
  for (const complaint of complaints) console.error(complaint);
  console.log(`Under the newest key now: ${resealed + current}, of which ${resealed} were not before.`);
  if (complaints.length > 0) console.error(`Could not be opened, and are as they were: ${complaints.length}.`);
  return complaints.length > 0 ? 1 : 0;
}
