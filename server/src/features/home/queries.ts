import { counters, counterValue } from '../../db/counters.js';
import type { Runner } from '../../db/database.js';
import { sql } from '../../db/sql.js';

interface Made {
  contacts: boolean;
  emails: boolean;
  journeys: boolean;
}

/** Which kinds of things exist at all. */
export async function selectMade(db: Runner, tenantId: number): Promise<Made> {
  const row = await db.row(sql<Made>`
    select ${counterValue(tenantId, counters.contacts)} > 0 as contacts,
      ${counterValue(tenantId, counters.emails)} > 0 as emails, ${counterValue(tenantId, counters.journeys)} > 0 as journeys`);
  return row as Made;
}
