// Which properties and values there are, for people who write a filter or an email. Read from a sample; nothing is stored.
import type { Database } from '../../db/database.js';
import { propertyEndpoints } from './routes.js';

export function properties({ db }: { db: Database }) {
  return { endpoints: propertyEndpoints(db) };
}
