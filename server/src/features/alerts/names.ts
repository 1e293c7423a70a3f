import type { Runner } from '../../db/database.js';
import { selectDynamicNames } from '../dynamic-lists/index.js';
import { selectJourneyNames } from '../journeys/index.js';
import { selectListNames } from '../lists/index.js';
import type { AlertRow } from './queries.js';

/** What the journeys and lists of these are called now, by id; without those that were deleted. */
export async function namesOf(
  db: Runner,
  tenantId: number,
  alerts: readonly Pick<AlertRow, 'subject' | 'subjectType'>[],
): Promise<Map<string, string>> {
  const ids = (type: AlertRow['subjectType']) =>
    alerts.filter(({ subjectType }) => subjectType === type).map(({ subject }) => subject);
  // One after the other: this may be a transaction.
  const journeys = await selectJourneyNames(db, tenantId, ids('journey'));
  const statics = await selectListNames(db, tenantId, ids('staticList'));
  const dynamics = await selectDynamicNames(db, tenantId, ids('dynamicList'));
  return new Map([...journeys, ...statics, ...dynamics]);
}
