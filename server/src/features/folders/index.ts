import type { Database } from '../../db/database.js';
import { folderEndpoints } from './routes.js';

export { folderOf, holdFolder, nameMatches } from './queries.js';
export { resolveFolder } from './resolve-folder.js';

export function folders({ db }: { db: Database }) {
  return { endpoints: folderEndpoints(db) };
}
