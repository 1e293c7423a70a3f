// Events of some contacts by name, to replay what happened: for simulations and explanations of journeys.
import type { Runner } from '../../../db/database.js';
import { type Sql, sql } from '../../../db/sql.js';

interface NamedEvent {
  contactId: string;
  eventName: string;
  eventDate: string;
  userId: string | null;
  orgId: string | null;
  properties: Record<string, unknown> | null;
}

const columns = sql`e.contact_id as "contactId", e.event_name as "eventName", e.event_date as "eventDate", e.user_id as "userId",
  e.org_id as "orgId", e.properties`;
// No reader sees months that are about to be dropped.
const isKept = sql`e.event_date >= (select month_start(greatest(month, 12)) from event_floor)`;

function own(tenantId: number, contactId: Sql): Sql {
  return sql`e.tenant_id = ${tenantId} and e.contact_id = ${contactId} and ${isKept}`;
}

interface Period {
  readonly from: string;
  readonly to: string;
}

/** Events in a period, oldest first for each contact. */
export async function selectNamedEvents(
  db: Runner,
  tenantId: number,
  contactIds: readonly string[],
  names: readonly string[],
  { from, to }: Period,
  atMost: number,
): Promise<NamedEvent[]> {
  if (names.length === 0 || contactIds.length === 0) return [];
  return db.rows(sql<NamedEvent>`
    select n.* from unnest(${contactIds}::uuid[]) as w (id) cross join lateral (
      select ${columns} from event e
      where ${own(tenantId, sql`w.id`)} and e.event_date >= ${from}::timestamptz and e.event_date <= ${to}::timestamptz
        and e.event_name = any(${names}::text[])
      order by e.event_date, e.event_no
    ) n limit ${atMost}`);
}

/** Which of these contacts had such an event in a period. */
export async function selectWhoHad(
  db: Runner,
  tenantId: number,
  contactIds: readonly string[],
  name: string,
  { from, to }: Period,
): Promise<string[]> {
  const rows = await db.rows(sql<{ id: string }>`
    select w.id from unnest(${contactIds}::uuid[]) as w (id) where exists (
      select from event e where ${own(tenantId, sql`w.id`)} and e.event_date >= ${from}::timestamptz
        and e.event_date <= ${to}::timestamptz and e.event_name = ${name} offset 0)`);
  return rows.map((row) => row.id);
}

/** A contact's newest event of one name. */
export function selectNewestNamed(
  db: Runner,
  tenantId: number,
  contactId: string,
  name: string,
  atMost: number,
): Promise<NamedEvent[]> {
  return db.rows(sql<NamedEvent>`
    select ${columns} from event e where ${own(tenantId, sql`${contactId}::uuid`)} and e.event_name = ${name}
    order by e.event_date desc, e.event_no desc limit ${atMost}`);
}
