// Which properties people have, and which values: for whoever writes a filter or a mail. Told from a sample, and nothing of it is kept.
import type { Database } from '../../db/database.js';
import { propertyEndpoints } from './routes.js';

export function properties({ db }: { db: Database }) {
  return { endpoints: propertyEndpoints(db) };
}
