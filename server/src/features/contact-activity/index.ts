import type { Database } from '../../db/database.js';
import { activityEndpoints } from './routes.js';

export function contactActivity({ db }: { db: Database }) {
  return { endpoints: activityEndpoints(db) };
}
