// All that the command line may use of the service from inside. Backup and restore need it: they open the database
// where there is no service to ask. What can be asked of a service goes through @rapport/client instead.
export { readConfig } from './config.js';
export type { Connection } from './db/connect.js';
export { locks } from './db/locks.js';
export { migrate, readMigrations } from './db/migrate.js';
export { type DatabaseClient, onExistingData, onOwnDatabase, withClient } from './db/open-data.js';
export { checkDataDir } from './explain-start.js';
export { ahead, firstMonth } from './features/events/months/keep-months.js';
export { monthOf } from './lib/month.js';
