import type { Runner, Transaction } from '../../../db/database.js';
import { bytes, sql } from '../../../db/sql.js';
import { intoMarketing, judgeMarketing } from '../../events/index.js';
import type { CountedMessage } from '../figures/contributions.js';
import { countedColumns } from '../figures/feed/queries.js';
import { rulesVersion } from '../tracking/judge.js';
import type { Activity, Happening, Story, Subject } from './story.js';

/** A message that something happened to, with what the figures and its contact's timeline need. */
export interface ToldMessage extends Subject, CountedMessage {
  contactId: string | null;
  subject: string | null;
  runId: string | null;
  enrolmentId: string | null;
}

/** For each address, the newest message that was sent to it, or was about to be. */
export async function selectNewest(
  db: Runner,
  tenantId: number,
  addresses: readonly string[],
): Promise<Map<string, string>> {
  if (addresses.length === 0) return new Map();
  const rows = await db.rows(sql<{ address: string; messageId: string }>`
    select w.address, m.message_id as "messageId" from unnest(${addresses}::text[]) as w (address) cross join lateral (
      select message_id from message where tenant_id = ${tenantId} and address = w.address
        and kind <> 'test' and state in ('sending', 'sent', 'delivered', 'bounced')
      order by queued_at desc, message_id desc limit 1
    ) m`);
  return new Map(rows.map(({ address, messageId }) => [address, messageId]));
}

/** Locked in key order, like everywhere messages are locked. */
export function lockMessages(tx: Transaction, tenantId: number, ids: readonly string[]): Promise<ToldMessage[]> {
  return tx.rows(sql<ToldMessage>`
    select m.* from unnest(${[...ids].sort()}::uuid[]) as w (id) cross join lateral (
      select message_id as "messageId", state, reason, address, coalesce(links, 0) as links, contact_id as "contactId", subject,
        run_id as "runId", enrolment_id as "enrolmentId", ${countedColumns}
      from message where tenant_id = ${tenantId} and message_id = w.id limit 1 for update
    ) m`);
}

/** The events that fates left behind, by message. */
export async function selectHappenings(
  tx: Transaction,
  tenantId: number,
  ids: readonly string[],
): Promise<Map<string, Happening[]>> {
  const rows = await tx.rows(sql<Happening & { messageId: string }>`
    select message_id as "messageId", event_no as "eventNo", at, what, detail, link_no as "linkNo", is_machine as "isMachine",
      is_scanner as "isScanner", activity_no as "activityNo", click_of as "clickOf"
    from message_event where tenant_id = ${tenantId} and message_id = any(${ids}::uuid[])
      and what in ('delivered', 'bounced', 'softBounced', 'complained', 'unsubscribed', 'resubscribed', 'opened', 'clicked')
    order by event_no`);
  const byMessage = new Map<string, Happening[]>();
  for (const { messageId, ...happening } of rows) {
    const own = byMessage.get(messageId);
    if (own) own.push(happening);
    else byMessage.set(messageId, [happening]);
  }
  return byMessage;
}

export async function updateMessages(
  tx: Transaction,
  tenantId: number,
  changed: readonly ToldMessage[],
): Promise<void> {
  if (changed.length === 0) return;
  await tx.run(sql`
    update message m set state = d.state, reason = d.reason, delivered_at = d.delivered_at, bounced_at = d.bounced_at,
      first_opened_at = d.first_opened_at, first_clicked_at = d.first_clicked_at, soft_bounced_at = d.soft_bounced_at,
      complained_at = d.complained_at, unsubscribed_at = d.unsubscribed_at, domain = d.domain
    from unnest(${changed.map((m) => m.messageId)}::uuid[], ${changed.map((m) => m.state)}::text[],
      ${changed.map((m) => m.reason)}::text[], ${changed.map((m) => m.deliveredAt)}::timestamptz[],
      ${changed.map((m) => m.bouncedAt)}::timestamptz[], ${changed.map((m) => m.firstOpenedAt)}::timestamptz[],
      ${changed.map((m) => m.firstClickedAt)}::timestamptz[], ${changed.map((m) => m.softBouncedAt)}::timestamptz[],
      ${changed.map((m) => m.complainedAt)}::timestamptz[], ${changed.map((m) => m.unsubscribedAt)}::timestamptz[],
      ${changed.map((m) => m.domain)}::text[])
      as d (message_id, state, reason, delivered_at, bounced_at, first_opened_at, first_clicked_at, soft_bounced_at, complained_at,
        unsubscribed_at, domain)
    where m.tenant_id = ${tenantId} and m.message_id = d.message_id`);
}

export async function insertHappenings(
  tx: Transaction,
  tenantId: number,
  added: readonly { messageId: string; happening: Happening }[],
): Promise<void> {
  if (added.length === 0) return;
  const of = <T>(value: (happening: Happening) => T) => added.map(({ happening }) => value(happening));
  await tx.run(sql`
    insert into message_event
      (tenant_id, message_id, at, what, detail, link_no, is_machine, is_scanner, activity_no, click_of, rules)
    select ${tenantId}, message_id, at, what, detail, link_no, is_machine, is_scanner, activity_no, click_of,
      case when is_machine is not null then ${rulesVersion}::smallint end
    from unnest(${added.map((a) => a.messageId)}::uuid[], ${of((h) => h.at)}::timestamptz[], ${of((h) => h.what)}::text[],
      ${of((h) => h.detail)}::text[], ${of((h) => h.linkNo)}::integer[], ${of((h) => h.isMachine)}::boolean[],
      ${of((h) => h.isScanner)}::boolean[], ${of((h) => h.activityNo)}::bigint[], ${of((h) => h.clickOf)}::integer[]) with ordinality
      as n (message_id, at, what, detail, link_no, is_machine, is_scanner, activity_no, click_of, ord)
    order by ord`);
}

/** Opens and clicks that were later judged differently (person or machine), here and on the contact's timeline. */
export async function judgeAnew(
  tx: Transaction,
  tenantId: number,
  judged: readonly { story: Story; contactId: string | null; engagement: Happening }[],
): Promise<void> {
  if (judged.length === 0) return;
  await tx.run(sql`
    update message_event e set is_machine = d.is_machine, rules = ${rulesVersion}::smallint
    from unnest(${judged.map((j) => j.story.message.messageId)}::uuid[], ${judged.map((j) => j.engagement.eventNo)}::bigint[],
      ${judged.map((j) => j.engagement.isMachine)}::boolean[]) as d (message_id, event_no, is_machine)
    where e.tenant_id = ${tenantId} and e.message_id = d.message_id and e.event_no = d.event_no`);
  const shown = judged.filter(({ contactId, engagement }) => contactId !== null && engagement.activityNo !== null);
  await tx.run(sql`
    ${judgeMarketing} from unnest(${shown.map((j) => j.contactId)}::uuid[], ${shown.map((j) => j.engagement.at)}::timestamptz[],
      ${shown.map((j) => j.engagement.activityNo)}::bigint[], ${shown.map((j) => j.engagement.isMachine)}::boolean[])
      as d (contact_id, event_date, event_no, is_machine)
    where a.tenant_id = ${tenantId} and a.contact_id = d.contact_id and a.event_date = d.event_date and a.event_no = d.event_no`);
}

/** A row of a contact's timeline. */
export interface ActivityRow {
  contactId: string;
  eventNo: number;
  activity: Activity;
  message: ToldMessage;
}

export async function insertActivity(tx: Transaction, tenantId: number, rows: readonly ActivityRow[]): Promise<void> {
  if (rows.length === 0) return;
  const asset = (id: string | null) => (id === null ? null : bytes(id));
  await tx.run(sql`
    ${intoMarketing}
    select ${tenantId}, contact_id, event_date, event_no, event_name, journey_id, journey_run_id, email_id, email_subject, link_url, is_machine,
      topic_id, language
    from unnest(${rows.map((r) => r.contactId)}::uuid[], ${rows.map((r) => r.activity.at)}::timestamptz[],
      ${rows.map((r) => r.eventNo)}::bigint[], ${rows.map((r) => r.activity.name)}::text[],
      ${rows.map((r) => asset(r.message.journeyId))}::bytea[], ${rows.map((r) => r.message.runId ?? r.message.enrolmentId)}::text[],
      ${rows.map((r) => asset(r.message.emailId))}::bytea[], ${rows.map((r) => r.message.subject)}::text[],
      ${rows.map((r) => r.activity.linkUrl)}::text[], ${rows.map((r) => r.activity.isMachine)}::boolean[],
      ${rows.map((r) => asset(r.activity.topicId))}::bytea[], ${rows.map((r) => r.message.language)}::text[])
      as n (contact_id, event_date, event_no, event_name, journey_id, journey_run_id, email_id, email_subject, link_url, is_machine,
        topic_id, language)
    order by 2, 3, 4`);
}
