import type { MessageKind, MessageRow } from '@rapport/contract';
import type { Static } from 'typebox';
import { counters, intoCounters } from '../../../db/counters.js';
import type { Runner, Transaction } from '../../../db/database.js';
import { bytes, sql } from '../../../db/sql.js';
import type { TraceParent } from '../../../lib/tracing.js';
import { keepTraces } from '../../../work/traces.js';
import { contactTable } from '../../contacts/index.js';
import { emailTable } from '../../emails/index.js';

export type LedgerRow = Static<typeof MessageRow>;

export const columns = sql`
  message_id as "messageId", case when is_broadcast then 'broadcast' else kind end as kind, state, reason, contact_id as "contactId",
  address as email, email_id as "emailId", subject, version, language, journey_id as "journeyId",
  replace(enrolment_id::text, '-', '') as "enrolmentId", step_id as "stepId",
  queued_at as "queuedAt", coalesce(held_due_at, due_at) as "dueAt", sent_at as "sentAt", delivered_at as "deliveredAt",
  first_opened_at as "firstOpenedAt", first_clicked_at as "firstClickedAt", bounced_at as "bouncedAt"`;
const counter = counters.messages;

/** A message in its email's own language says nothing of one. */
export function withoutNullLanguage<Row extends object>(row: Row): Row {
  const languageOf = row as { language?: string | null | undefined };
  languageOf.language ??= undefined;
  return row;
}

/** A message to be queued. Either `contactId` or `email` names the recipient. */
export interface NewMessage {
  messageId: string;
  kind: MessageKind;
  emailId: string;
  contactId: string | null;
  email: string | null;
  /** JSON of what templates see as `data`. */
  data: string | null;
  /** Null: immediately. */
  sendAt: string | null;
  /** The trace that it is part of; null: none. */
  trace: TraceParent | null;
}

/** Which of the email and the recipient were found. The message is queued if both were. */
export interface Found {
  hasEmail: boolean;
  hasContact: boolean;
}

/**
 * Queues messages, and returns what was missing for each; one statement, so a single message takes one round trip. Contacts are locked, so
 * that none is erased before its message can be found; `mayWait` says whether to wait for an erasure in progress, or to fail. One lookup
 * per key, whatever the planner estimates.
 */
export async function insertMessages(
  db: Runner,
  tenantId: number,
  messages: readonly NewMessage[],
  mayWait: boolean,
): Promise<Found[]> {
  await keepTraces(db, messages, ({ messageId, trace }) => ({ tenantId, workId: messageId, trace }));
  const held = mayWait ? sql`for key share` : sql`for key share nowait`;
  return db.rows(sql<Found>`
    with wanted as materialized (
      select * from unnest(${messages.map((m) => m.messageId)}::uuid[], ${messages.map((m) => m.kind)}::text[],
        ${messages.map((m) => bytes(m.emailId))}::bytea[], ${messages.map((m) => m.contactId)}::uuid[],
        ${messages.map((m) => m.email)}::text[], ${messages.map((m) => m.data)}::text[],
        ${messages.map((m) => m.sendAt)}::timestamptz[])
        with ordinality as w (message_id, kind, email_id, contact_id, address, data, send_at, ord)
    ), found as materialized (
      select w.*, e.email_id is not null as has_email, coalesce(i.contact_id, a.contact_id) as found_id,
        coalesce(i.email, a.email) as found_email
      from wanted w
      left join lateral (
        select email_id from ${emailTable} e where e.tenant_id = ${tenantId} and e.email_id = w.email_id and e.deleted_at is null limit 1
      ) e on true
      left join lateral (
        select contact_id, email from ${contactTable} c where c.tenant_id = ${tenantId} and c.contact_id = w.contact_id limit 1 ${held}
      ) i on true
      left join lateral (
        select contact_id, email from ${contactTable} c where c.tenant_id = ${tenantId} and c.email = w.address limit 1 ${held}
      ) a on true
    ), queued as (
      insert into message (tenant_id, message_id, kind, contact_id, address, email_id, words, due_at)
      select ${tenantId}, message_id, kind, found_id, found_email, email_id,
        case when data is not null then jsonb_build_object('data', data::jsonb) end, coalesce(send_at, now())
      from found where has_email and found_id is not null order by ord
      returning 1
    ), counted as (
      ${intoCounters} select ${tenantId}, ${counter}, count(*) from queued having count(*) > 0
    )
    select has_email as "hasEmail", found_id is not null as "hasContact" from found order by ord`);
}

interface TestSendRow {
  messageId: string;
  emailId: string;
  address: string;
  /** The recipient. */
  contactId: string | null;
  /** The contact that it was rendered for. */
  madeFor: string | null;
  subject: string;
  version: 'default' | 'personalized';
  language: string | null;
  outcome: 'sent' | 'failed';
  reply: string;
  reason: string | null;
}

/** Records a test that was sent or refused. If the person it was rendered for is erased meanwhile, nothing about them is kept. */
export async function insertTestSend(tx: Transaction, tenantId: number, test: TestSendRow): Promise<void> {
  const { messageId, emailId, address, contactId, madeFor, subject, version, language, outcome, reply, reason } = test;
  await tx.run(sql`
    with person as materialized (
      select contact_id from ${contactTable} where tenant_id = ${tenantId} and contact_id = ${madeFor}::uuid for key share
    ), known as (
      select ${madeFor}::uuid is null or exists (select 1 from person) as is_kept
    ), noted as (
      insert into message (tenant_id, message_id, kind, state, reason, contact_id, made_for, address, email_id, subject, version,
        language, sent_at, attempts)
      select ${tenantId}, ${messageId}::uuid, 'test', ${outcome}::text, ${reason}::text,
        case when is_kept then ${contactId}::uuid end, case when is_kept then ${madeFor}::uuid end,
        case when is_kept then ${address}::text end, ${bytes(emailId)}::bytea, case when is_kept then ${subject}::text end,
        ${version}::text, ${language}::text, case when ${outcome}::text = 'sent' then now() end, 1
      from known
    ), counted as (
      ${intoCounters} values (${tenantId}, ${counter}, 1)
    )
    insert into message_attempt (tenant_id, message_id, reply, outcome)
    values (${tenantId}, ${messageId}::uuid, ${reply}::text, ${outcome}::text)`);
}

/** The kinds of messages by id. */
export async function selectKinds(
  db: Runner,
  tenantId: number,
  ids: readonly string[],
): Promise<Map<string, MessageKind>> {
  const rows = await db.rows(sql<{ messageId: string; kind: MessageKind }>`
    select message_id as "messageId", kind from message where tenant_id = ${tenantId} and message_id = any(${ids}::uuid[])`);
  return new Map(rows.map(({ messageId, kind }) => [messageId, kind]));
}

/** Messages of an email to a contact, without tests, newest first. */
export function selectOfEmail(
  db: Runner,
  tenantId: number,
  contactId: string,
  emailId: string,
  atMost: number,
): Promise<LedgerRow[]> {
  return db.rows(sql<LedgerRow>`
    select ${columns} from message
    where tenant_id = ${tenantId} and contact_id = ${contactId} and email_id = ${bytes(emailId)} and kind <> 'test'
    order by queued_at desc, message_id desc limit ${atMost}`);
}

export async function findMessage(db: Runner, tenantId: number, messageId: string): Promise<LedgerRow | undefined> {
  const row = await db.row(sql<LedgerRow>`
    select ${columns} from message where tenant_id = ${tenantId} and message_id = ${messageId}`);
  return row && withoutNullLanguage(row);
}

export interface AttemptRow {
  at: string;
  reply: string;
  outcome: 'sent' | 'refused' | 'later' | 'failed';
}

export interface EventRow {
  at: string;
  what: string;
  detail: string | null;
  isMachine: boolean | null;
}

interface WholeMessage {
  row: LedgerRow;
  /** Oldest first. */
  attempts: AttemptRow[];
  /** In the order in which they became known. */
  events: EventRow[];
}

/** `at` as JSON, in the format in which a column would be read. */
export const shownAt = sql`to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** A message and its newest events, as of one moment. */
export async function findWhole(
  db: Runner,
  tenantId: number,
  messageId: string,
  atMost: number,
): Promise<WholeMessage | undefined> {
  const own = sql`where tenant_id = ${tenantId} and message_id = ${messageId}`;
  const found = await db.row(sql<LedgerRow & Omit<WholeMessage, 'row'>>`
    select ${columns}, (
      select coalesce(jsonb_agg(jsonb_build_object('at', ${shownAt}, 'reply', reply, 'outcome', outcome) order by attempt_no), '[]')
      from (select * from message_attempt ${own} order by attempt_no desc limit ${atMost}) newest
    ) as attempts, (
      select coalesce(jsonb_agg(jsonb_build_object(
        'at', ${shownAt}, 'what', what, 'detail', detail, 'isMachine', is_machine) order by event_no), '[]')
      from (select * from message_event ${own} order by event_no desc limit ${atMost}) newest
    ) as events
    from message ${own}`);
  if (!found) return undefined;
  const { attempts, events, ...row } = found;
  return { row: withoutNullLanguage(row), attempts, events };
}

/** Undefined if it is no longer queued. */
export async function cancelQueued(db: Runner, tenantId: number, messageId: string): Promise<LedgerRow | undefined> {
  const row = await db.row(sql<LedgerRow>`
    with cancelled as (
      update message set state = 'cancelled' where tenant_id = ${tenantId} and message_id = ${messageId} and state = 'queued'
      returning *
    ), noted as (
      insert into message_event (tenant_id, message_id, at, what) select tenant_id, message_id, now(), 'cancelled' from cancelled
    )
    select ${columns} from cancelled`);
  return row && withoutNullLanguage(row);
}

/** The recipient of a message; null once the person is erased. The row is locked until the transaction ends. */
export async function holdRecipient(
  tx: Transaction,
  tenantId: number,
  messageId: string,
): Promise<string | null | undefined> {
  const row = await tx.row(sql<{ address: string | null }>`
    select address from message where tenant_id = ${tenantId} and message_id = ${messageId} for share`);
  return row?.address;
}
