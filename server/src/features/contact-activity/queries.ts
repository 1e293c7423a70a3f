import type { Database } from '../../db/database.js';
import { sql } from '../../db/sql.js';
import type { Owner, Place } from '../events/index.js';
import { eventFloorTable, eventTable, marketingActivityTable } from '../events/index.js';

/**
 * Product events and marketing activity, merged: first only their keys, which each table has an index for, and from each only as many as the
 * page can reach. Sorted together, a page read every key of its months.
 */
export function selectBoth<Row>(
  db: Database,
  { tenantId, contactId }: Owner,
  { span, skip, take }: Place,
): Promise<Row[]> {
  const within = sql`tenant_id = ${tenantId} and contact_id = ${contactId}
    and event_date >= ${span.from}::timestamptz and event_date < ${span.before}::timestamptz`;
  // Counts of dropped months no longer count: what is left of those months must not be shown either.
  const floor = sql`(select month_start(greatest(month, 12)) from ${eventFloorTable})`;
  const newest = sql`order by event_date desc, event_no desc limit ${skip + take}`;
  return db.slow(tenantId).rows(sql<Row>`
    select kind, at as "eventDate", coalesce(e.event_name, m.event_name) as "eventName",
      e.user_id as "userId", e.org_id as "orgId", coalesce(e.properties, '{}') as "eventProperties",
      m.journey_id as "journeyId", m.journey_run_id as "journeyRunId", m.email_id as "emailId",
      m.email_subject as "emailSubject", m.link_url as "linkUrl", m.is_machine as "isMachine", m.topic_id as "topicId", m.language
    from (
      select kind, event_date as at, event_no as no from (
        (select 'product' as kind, event_date, event_no from ${eventTable} where ${within} and event_date >= ${floor} ${newest})
        union all
        (select 'marketing' as kind, event_date, event_no from ${marketingActivityTable} where ${within} ${newest})
      ) merged order by event_date desc, event_no desc, kind limit ${take} offset ${skip}
    ) page
    left join lateral (
      select * from ${eventTable} where ${within} and kind = 'product' and event_date = at and event_no = no limit 1
    ) e on true
    left join lateral (
      select * from ${marketingActivityTable} where ${within} and kind = 'marketing' and event_date = at and event_no = no limit 1
    ) m on true
    order by at desc, no desc, kind`);
}

/** What is about no topic, or in an email's own language, says nothing of one. Not deleted from the row: that would make it a slow object. */
export function withoutNulls<Row>(rows: Row[]): Row[] {
  for (const row of rows as { topicId?: string | null | undefined; language?: string | null | undefined }[]) {
    row.topicId ??= undefined;
    row.language ??= undefined;
  }
  return rows;
}
