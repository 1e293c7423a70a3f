// All that the command line may use of the service from inside. Backup, restore and the rotation of secrets need it: they open
// the database where there is no service to ask. What can be asked of a service goes through @rapport/client instead.
import type { Connection } from './db/connect.js';
import { openDatabase } from './db/database.js';
import { type Rotation, rotateSecrets as rotateOn } from './features/sending/index.js';
import type { SecretBox } from './lib/secret-box.js';

export { readConfig } from './config.js';
export type { Connection } from './db/connect.js';
export { locks } from './db/locks.js';
export { migrate, readMigrations } from './db/migrate.js';
export { type DatabaseClient, onExistingData, onOwnDatabase, withClient } from './db/open-data.js';
export { checkDataDir } from './explain-start.js';
export { ahead, firstMonth } from './features/events/months/keep-months.js';
export { monthOf } from './lib/month.js';
export { addKeyToFile, openSecretBox, secretKeyFile } from './lib/secret-key.js';

/** Seals every secret in the database under the newest key of the box. */
export async function rotateSecrets(connection: Connection, box: SecretBox): Promise<Rotation> {
  const db = openDatabase(connection);
  try {
    return await rotateOn(db.background, box);
  } finally {
    await db.close();
  }
}
