// Figures for tests, as if messages or people had caused them.
import { bytes, type Sql, sql } from '../src/db/sql.js';
import type { Counts } from '../src/features/messages/index.js';
import type { TenantClient, TestApp } from './app.js';

/** By hour. */
type Figures = Record<string, Partial<Counts>>;

/** Adds to the figures of a subject (see the migration), not folded yet. */
export async function seedFigures(
  t: TestApp,
  { tenantId }: TenantClient,
  subject: string,
  figures: Figures,
): Promise<void> {
  await seedSubject(t, tenantId, sql`${subject}`, figures);
}

async function seedSubject(t: TestApp, tenantId: number, subject: Sql, figures: Figures): Promise<void> {
  for (const [hour, c] of Object.entries(figures)) {
    await t.db.run(sql`
      insert into message_tally_delta (tenant_id, subject, hour, sent, delivered, opened, unique_opened, clicked, unique_clicked,
        hard_bounced, soft_bounced, unsubscribed, complained, failed, machine_opened, machine_clicked, click_only)
      select ${tenantId}::bigint, ${subject}::text, ${hour}::timestamptz, v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10],
        v[11], v[12], v[13], v[14]
      from (select ${valuesOf(c)}::integer[] as v) v`);
  }
}

function valuesOf(c: Partial<Counts>): number[] {
  return [
    ...[c.sent, c.delivered, c.opened, c.uniqueOpened, c.clicked, c.uniqueClicked, c.hardBounced, c.softBounced],
    ...[c.unsubscribed, c.complained, c.failed, c.machineOpened, c.machineClicked, c.clickOnly],
  ].map((n) => n ?? 0);
}

/** An address that was clicked in an email. */
export async function seedLink(
  t: TestApp,
  { tenantId }: TenantClient,
  emailId: string,
  url: string,
  figures: Figures,
): Promise<void> {
  await t.db.run(sql`
    insert into message_link (tenant_id, email_id, url, url_hash)
    values (${tenantId}, ${bytes(emailId)}, ${url}, sha256(convert_to(${url}::text, 'UTF8')))`);
  const subject = sql`(
    select 'l:' || link_no from message_link where tenant_id = ${tenantId} and email_id = ${bytes(emailId)} and url = ${url})`;
  await seedSubject(t, tenantId, subject, figures);
}

/** What happened in a journey in an hour, by step; `''` is the journey itself. `part`: to whom of all. */
export async function seedPassage(
  t: TestApp,
  { tenantId }: TenantClient,
  journeyId: string,
  hour: string,
  passage: Record<string, Record<string, number>>,
  part: '' | 'holdout' = '',
): Promise<void> {
  for (const [stepId, counts] of Object.entries(passage)) {
    for (const [what, n] of Object.entries(counts)) {
      await t.db.run(sql`
        insert into journey_tally_delta (tenant_id, journey_no, step_id, part, what, hour, n)
        select tenant_id, journey_no, ${stepId}, ${part}, ${what}, ${hour}::timestamptz, ${n}::integer from journey
        where tenant_id = ${tenantId} and journey_id = ${bytes(journeyId)}`);
    }
  }
}
