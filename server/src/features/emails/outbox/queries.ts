import type { KeptCopy } from '@rapport/contract';
import type { Static } from 'typebox';
import { counters, counterValue, intoCounters } from '../../../db/counters.js';
import type { Database, Runner, Transaction } from '../../../db/database.js';
import { type Page, type PageOf, paged } from '../../../db/paged.js';
import { sql } from '../../../db/sql.js';
import { type Message, senderText } from '../../../mail/transport.js';

type OutboxRow = Static<typeof KeptCopy>;
const columns = sql`
  message_id as "messageId", from_text as "from", to_address as "to", reply_to as "replyTo", subject, created_at as "createdAt"`;
const counter = counters.outbox;

/** Keeps a message once: a message sent again after a crash has the same Message-ID. */
export async function insertOutboxMessage(db: Runner, message: Message): Promise<void> {
  const { tenantId, messageId, to, forEmail, replyTo, subject, html, text } = message;
  await db.run(sql`
    with kept as (
      insert into outbox_message
        (tenant_id, message_id, from_text, to_address, for_address, reply_to, subject, html, body_text)
      values (${tenantId}, ${messageId}, ${senderText(message.from)}, ${to}, ${forEmail}, ${replyTo}, ${subject}, ${html}, ${text})
      on conflict do nothing returning tenant_id
    )
    ${intoCounters} select tenant_id, ${counter}, 1 from kept`);
}

export function selectOutbox(db: Database, tenantId: number, page: PageOf): Promise<Page<OutboxRow>> {
  const total = counterValue(tenantId, counter);
  const rows = sql<OutboxRow>`
    select ${columns} from outbox_message where tenant_id = ${tenantId}
    order by message_no desc limit ${page.limit} offset ${page.offset}`;
  return paged(db, tenantId, page, { total, rows });
}

export function findOutboxMessage(
  db: Runner,
  tenantId: number,
  messageId: string,
): Promise<(OutboxRow & { html: string; text: string }) | undefined> {
  return db.row(sql<OutboxRow & { html: string; text: string }>`
    select ${columns}, html, body_text as text from outbox_message
    where tenant_id = ${tenantId} and message_id = ${messageId}`);
}

/** Removes messages that are too old, in small batches. Returns how many. */
export async function sweepOutbox(db: Runner, days: number, atMost: number): Promise<number> {
  const row = await db.row(sql<{ n: number }>`
    /* all tenants */ with old as (
      select tenant_id, message_id from outbox_message where created_at < now() - make_interval(days => ${days})
      order by created_at limit ${atMost}
    ), gone as (
      delete from outbox_message m using old where m.tenant_id = old.tenant_id and m.message_id = old.message_id
      returning m.tenant_id
    ), counted as (
      ${intoCounters}
      select tenant_id, ${counter}, -count(*) from gone group by tenant_id order by tenant_id
    )
    select count(*) as n from gone`);
  return row?.n ?? 0;
}

/** Removes messages sent to a person or rendered for one. */
export async function deleteMessagesOf(tx: Transaction, tenantId: number, email: string): Promise<void> {
  await tx.run(sql`
    with gone as (
      delete from outbox_message
      where tenant_id = ${tenantId} and (to_address = ${email} or for_address = ${email}) returning tenant_id
    )
    ${intoCounters}
    select ${tenantId}, ${counter}, -count(*) from gone having count(*) > 0`);
}

/** Removes copies by Message-ID, for people who were erased before their copies were stored. */
export async function deleteOutboxMessages(tx: Transaction, tenantId: number, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.run(sql`
    with gone as (
      delete from outbox_message where tenant_id = ${tenantId} and message_id = any(${ids}::text[]) returning tenant_id
    )
    ${intoCounters}
    select ${tenantId}, ${counter}, -count(*) from gone having count(*) > 0`);
}

export interface KeptMessage extends OutboxRow {
  messageNo: number;
  madeFor: string | null;
  html: string;
  text: string;
}

/** Messages sent to an address, or rendered for it and sent to another one; oldest first. */
export function selectMessagesOf(
  db: Runner,
  tenantId: number,
  how: 'to' | 'for',
  email: string,
  after: number | undefined,
  limit: number,
): Promise<KeptMessage[]> {
  const own = how === 'to' ? sql`to_address = ${email}` : sql`for_address = ${email} and to_address <> ${email}`;
  return db.rows(sql<KeptMessage>`
    select message_no as "messageNo", ${columns}, for_address as "madeFor", html, body_text as text from outbox_message
    where tenant_id = ${tenantId} and ${own} and message_no > ${after ?? 0} order by message_no limit ${limit}`);
}
