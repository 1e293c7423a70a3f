import type { Runner } from '../../db/database.js';
import { invalid } from '../../http/api-error.js';
import { isZone } from '../../lib/zoned-time.js';
import { selectTimeZone } from './queries.js';

/** The tenant's default time zone. One row by its key: read it once per turn. */
export async function timeZoneOf(db: Runner, tenantId: number): Promise<string> {
  return (await selectTimeZone(db, tenantId)) ?? 'UTC';
}

/** Throws a 400 for an unknown zone. */
export function checkTimeZone(timeZone: string | null | undefined): void {
  if (timeZone === null || timeZone === undefined || isZone(timeZone)) return;
  throw invalid('timeZone', 'is no time zone; give a name such as Europe/Berlin or UTC, or null for none');
}
