// Marketing activity on a contact's timeline. The messages feature writes it, through these functions.
import type { Transaction } from '../../../db/database.js';
import { sql } from '../../../db/sql.js';

/** Features above may read it. Only this feature writes it: see scripts/table-owners.js. */
export const marketingActivityTable = sql`marketing_activity`;

/** Begins a statement that adds rows. */
export const intoMarketing = sql`
  insert into marketing_activity (tenant_id, contact_id, event_date, event_no, event_name, journey_id, journey_run_id,
    email_id, email_subject, link_url, is_machine, topic_id, language)`;

/** Begins a statement that updates whether a machine was behind rows, `a`; continue it with `from`, `d`. */
export const judgeMarketing = sql`update marketing_activity a set is_machine = d.is_machine`;

export async function nextMarketingNos(tx: Transaction, count: number): Promise<number[]> {
  if (count === 0) return [];
  const rows = await tx.rows(sql<{ no: number }>`
    select nextval('marketing_activity_no') as no from generate_series(1, ${count}::integer)`);
  return rows.map(({ no }) => no);
}

/** Erases a person. Activity stays, under an id that leads to no person, without subjects (which contain names) and links (which contain keys). */
export async function anonymizeMarketing(tx: Transaction, tenantId: number, contactId: string): Promise<void> {
  await tx.run(sql`
    update marketing_activity set email_subject = null, link_url = null
    where tenant_id = ${tenantId} and contact_id = ${contactId} and (email_subject is not null or link_url is not null)`);
}
