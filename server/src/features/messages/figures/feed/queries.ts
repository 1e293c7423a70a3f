// What code that changes messages needs to update their figures.
import type { Transaction } from '../../../../db/database.js';
import { sql } from '../../../../db/sql.js';
import { keptReason } from '../../../../mail/transport.js';
import type { CountedEngagement, Delta } from '../contributions.js';
import type { StoredCount } from '../counts.js';

/** A message in the form that contributions.ts uses. */
export const countedColumns = sql`
  kind, reason is not distinct from ${keptReason}::text as "isKept", email_id as "emailId", version, journey_id as "journeyId", step_id as "stepId", arms, domain, topic_id as "topicId", language, sent_at as "sentAt",
  delivered_at as "deliveredAt", bounced_at as "bouncedAt", soft_bounced_at as "softBouncedAt", complained_at as "complainedAt",
  unsubscribed_at as "unsubscribedAt", failed_at as "failedAt", first_opened_at as "firstOpenedAt",
  first_clicked_at as "firstClickedAt"`;

/** Opens and clicks of messages, by message id. */
export async function selectEngagements(
  tx: Transaction,
  messages: readonly { tenantId: number; messageId: string }[],
): Promise<Map<string, CountedEngagement[]>> {
  const byMessage = new Map<string, CountedEngagement[]>();
  if (messages.length === 0) return byMessage;
  const rows = await tx.rows(sql<CountedEngagement & { messageId: string }>`
    select e.message_id as "messageId", what, at, is_machine as "isMachine", click_of as "clickOf"
    from unnest(${messages.map((m) => m.tenantId)}::bigint[], ${messages.map((m) => m.messageId)}::uuid[]) w (tenant_id, message_id)
    join message_event e on e.tenant_id = w.tenant_id and e.message_id = w.message_id and e.what in ('opened', 'clicked')`);
  for (const { messageId, ...engagement } of rows)
    byMessage.set(messageId, [...(byMessage.get(messageId) ?? []), engagement]);
  return byMessage;
}

/** The same columns for a message `m`, without renaming. */
export const countedOfMessage = sql`
  m.tenant_id, m.message_id, m.kind, m.reason, m.email_id, m.version, m.journey_id, m.step_id, m.arms, m.domain, m.topic_id, m.language, m.sent_at, m.delivered_at,
  m.bounced_at, m.soft_bounced_at, m.unsubscribed_at, m.complained_at, m.failed_at, m.first_opened_at, m.first_clicked_at`;

/** One statement. Nothing waits here: these rows are only ever inserted. */
export async function insertDeltas(tx: Transaction, deltas: readonly Delta[]): Promise<void> {
  if (deltas.length === 0) return;
  const of = (name: StoredCount) => deltas.map((delta) => delta.counts[name] ?? 0);
  await tx.run(sql`
    insert into message_tally_delta (tenant_id, subject, hour, sent, delivered, opened, unique_opened, clicked, unique_clicked,
      hard_bounced, soft_bounced, unsubscribed, complained, failed, machine_opened, machine_clicked, click_only)
    select * from unnest(${deltas.map((d) => d.tenantId)}::bigint[], ${deltas.map((d) => d.subject)}::text[],
      ${deltas.map((d) => d.hour)}::timestamptz[], ${of('sent')}::integer[], ${of('delivered')}::integer[],
      ${of('opened')}::integer[], ${of('uniqueOpened')}::integer[], ${of('clicked')}::integer[],
      ${of('uniqueClicked')}::integer[], ${of('hardBounced')}::integer[], ${of('softBounced')}::integer[],
      ${of('unsubscribed')}::integer[], ${of('complained')}::integer[], ${of('failed')}::integer[],
      ${of('machineOpened')}::integer[], ${of('machineClicked')}::integer[], ${of('clickOnly')}::integer[])`);
}
