// SQL for messages that journeys queue, hold and stop.
import type { MessageState } from '@rapport/contract';
import { counters, intoCounters } from '../../../db/counters.js';
import type { Runner, Transaction } from '../../../db/database.js';
import { bytes, type Sql, sql } from '../../../db/sql.js';
import { keepTraces } from '../../../work/traces.js';
import { contactTable } from '../../contacts/index.js';
import { emailTable } from '../../emails/index.js';

/** A message of a journey, with what was decided about it. */
export interface NewJourneyMessage {
  messageId: string;
  kind: 'journey' | 'transactional';
  emailId: string;
  contactId: string;
  journeyId: string;
  isBroadcast?: boolean;
  runId: string | null;
  enrolmentId: string;
  stepId: string;
  visit: number;
  /** JSON of what templates see, or null. */
  words: string | null;
  /** JSON of the arms that the enrolment has taken, or null. */
  arms: string | null;
  dueAt: string;
  /** Why it is not sent, if that is known. */
  skipped: string | null;
}

/** Both null: the contact no longer exists, and no row was written. */
export interface Queued {
  state: 'queued' | 'skipped' | null;
  reason: string | null;
}

/** The due time of messages that were put off: later than any other, and still usable in arithmetic. */
const beyond = sql`'9999-12-31T23:59:59.999Z'::timestamptz`;

/**
 * One statement, like insertMessages(): contacts stay locked until the transaction ends, with one lookup per key. An existing
 * message of the same enrolment, step and visit stays as it is.
 */
export async function insertJourneyMessages(
  tx: Runner,
  tenantId: number,
  messages: readonly NewJourneyMessage[],
  now: string,
): Promise<Queued[]> {
  await keepTraces(tx, messages, ({ messageId }) => ({ tenantId, workId: messageId }));
  const of = <T>(value: (message: NewJourneyMessage) => T) => messages.map(value);
  return tx.rows(sql<Queued>`
    with wanted as materialized (
      select * from unnest(${of((m) => m.messageId)}::uuid[], ${of((m) => m.kind)}::text[], ${of((m) => bytes(m.emailId))}::bytea[],
        ${of((m) => m.contactId)}::uuid[], ${of((m) => bytes(m.journeyId))}::bytea[],
        ${of((m) => (m.runId === null ? null : bytes(m.runId)))}::bytea[], ${of((m) => m.enrolmentId)}::uuid[],
        ${of((m) => m.stepId)}::text[], ${of((m) => m.visit)}::integer[], ${of((m) => m.words)}::text[],
        ${of((m) => m.arms)}::text[], ${of((m) => m.dueAt)}::timestamptz[], ${of((m) => m.skipped)}::text[],
        ${of((m) => m.isBroadcast ?? false)}::boolean[]) with ordinality
        as w (message_id, kind, email_id, contact_id, journey_id, run_id, enrolment_id, step_id, visit, words, arms, due_at, skipped, is_broadcast, ord)
    ), found as materialized (
      select w.*, c.email as address, coalesce(w.skipped, case when e.email_id is null then 'emailDeleted' end) as reason
      from wanted w
      left join lateral (
        select email_id from ${emailTable} e where e.tenant_id = ${tenantId} and e.email_id = w.email_id and e.deleted_at is null limit 1
      ) e on true
      left join lateral (
        select email from ${contactTable} c where c.tenant_id = ${tenantId} and c.contact_id = w.contact_id limit 1 for key share
      ) c on true
    ), queued as (
      insert into message (tenant_id, message_id, kind, state, reason, contact_id, address, email_id, journey_id, run_id,
        enrolment_id, step_id, visit, words, arms, queued_at, due_at, is_broadcast)
      select ${tenantId}, message_id, kind, case when reason is null then 'queued' else 'skipped' end, reason, contact_id, address,
        email_id, journey_id, run_id, enrolment_id, step_id, visit, words::jsonb, arms::jsonb, ${now}::timestamptz, due_at, is_broadcast
      from found where address is not null order by ord
      on conflict (tenant_id, enrolment_id, step_id, visit) where enrolment_id is not null do nothing
      returning message_id, reason
    ), noted as (
      insert into message_event (tenant_id, message_id, at, what, detail)
      select ${tenantId}, message_id, ${now}::timestamptz, 'skipped', reason from queued where reason is not null
    ), counted as (
      ${intoCounters}
      select ${tenantId}, ${counters.messages}, count(*) from queued having count(*) > 0
    )
    select case when address is not null then case when reason is null then 'queued' else 'skipped' end end as state,
      case when address is not null then reason end as reason
    from found order by ord`);
}

/** When messages that count towards caps leave or left, in milliseconds since 1970, for each of these contacts after a moment. */
export async function selectCounted(
  tx: Runner,
  tenantId: number,
  contacts: readonly { contactId: string; after: number }[],
): Promise<Map<string, number[]>> {
  const rows = await tx.rows(sql<{ contactId: string; times: number[] }>`
    select w.id as "contactId", jsonb_agg(m.at) as times
    from unnest(${contacts.map((c) => c.contactId)}::uuid[], ${contacts.map((c) => c.after)}::float8[]) as w (id, after)
    cross join lateral (
      select round(extract(epoch from coalesce(sent_at, held_due_at, due_at)) * 1000) as at from message
      where tenant_id = ${tenantId} and contact_id = w.id and kind = 'journey'
        and state not in ('skipped', 'cancelled', 'failed')
    ) m where m.at > w.after group by w.id`);
  return new Map(rows.map(({ contactId, times }) => [contactId, times]));
}

/** From now on no message of the journey is claimed. Those in the queue are put off in steps. */
export async function holdJourney(tx: Transaction, tenantId: number, journeyId: string): Promise<void> {
  await tx.run(sql`
    insert into message_hold (tenant_id, journey_id) values (${tenantId}, ${bytes(journeyId)})
    on conflict (tenant_id, journey_id) do update set released_at = null`);
}

/** Its messages may leave again: those that were put off, as they are put back in steps. */
export async function releaseJourney(tx: Transaction, tenantId: number, journeyId: string): Promise<void> {
  await tx.run(sql`
    update message_hold set released_at = now() where tenant_id = ${tenantId} and journey_id = ${bytes(journeyId)}
      and released_at is null`);
}

export interface Hold {
  tenantId: number;
  journeyId: string;
  isReleased: boolean;
}

export function selectHolds(db: Runner): Promise<Hold[]> {
  return db.rows(sql<Hold>`
    /* all tenants */ select tenant_id as "tenantId", journey_id as "journeyId", released_at is not null as "isReleased" from message_hold
    order by tenant_id, journey_id`);
}

export const waiting = (tenantId: number, journeyId: string): Sql =>
  sql`tenant_id = ${tenantId} and journey_id = ${bytes(journeyId)}::bytea and state = 'queued'`;

/** Puts off some waiting messages, earliest first. Returns how many. A concurrent release of the journey waits for this. */
export function putOff(db: Runner, tenantId: number, journeyId: string, atMost: number): Promise<number> {
  return db.run(sql`
    with hold as materialized (
      select 1 from message_hold where tenant_id = ${tenantId} and journey_id = ${bytes(journeyId)} and released_at is null
      for share
    )
    update message m set held_due_at = m.due_at, due_at = ${beyond}
    where exists (select from hold) and m.tenant_id = ${tenantId} and m.message_id = any(array(
      select message_id from message where ${waiting(tenantId, journeyId)} and due_at < ${beyond}
      order by due_at limit ${atMost} for update skip locked))`);
}

/** A message of a journey about to leave, as far as the journey's window needs it. */
export interface Leaving {
  messageId: string;
  kind: string;
  contactId: string | null;
  enrolmentId: string | null;
  /** When it was due. */
  dueAt: string;
}

/** Some messages that were put off and that no other transaction holds, locked until the transaction ends. */
export function lockPutOff(tx: Transaction, tenantId: number, journeyId: string, atMost: number): Promise<Leaving[]> {
  return tx.rows(sql<Leaving>`
    select message_id as "messageId", kind, contact_id as "contactId", enrolment_id as "enrolmentId", held_due_at as "dueAt" from message
    where ${waiting(tenantId, journeyId)} and due_at = ${beyond} and held_due_at is not null
    limit ${atMost} for update skip locked`);
}

export async function hasPutOff(db: Runner, tenantId: number, journeyId: string): Promise<boolean> {
  const row = await db.row(sql`
    select 1 from message where ${waiting(tenantId, journeyId)} and due_at = ${beyond} and held_due_at is not null limit 1`);
  return row !== undefined;
}

export async function putBack(tx: Transaction, tenantId: number, messages: readonly Leaving[]): Promise<void> {
  await tx.run(sql`
    update message m set due_at = b.due_at, held_due_at = null
    from unnest(${messages.map((m) => m.messageId)}::uuid[], ${messages.map((m) => m.dueAt)}::timestamptz[])
      as b (message_id, due_at)
    where m.tenant_id = ${tenantId} and m.message_id = b.message_id and m.state = 'queued'`);
}

/** Whether the journey is still released. It cannot be paused again until the transaction ends. */
export async function lockReleased(tx: Transaction, tenantId: number, journeyId: string): Promise<boolean> {
  const row = await tx.row(sql`
    select 1 from message_hold where tenant_id = ${tenantId} and journey_id = ${bytes(journeyId)} and released_at is not null
    for update`);
  return row !== undefined;
}

export async function deleteHold(tx: Transaction, tenantId: number, journeyId: string): Promise<void> {
  await tx.run(sql`delete from message_hold where tenant_id = ${tenantId} and journey_id = ${bytes(journeyId)}`);
}

/** Why messages of a journey are not sent: those queued up to a time, or, while it is held, all of them. */
export type Halt = { isHeld: true } | { isHeld: false; reason: string; stoppedAt: string };

/** Messages queued until now are not sent any more, even if a sender holds them. Those queued later are. */
export async function noteStop(tx: Transaction, tenantId: number, journeyId: string, reason: string): Promise<void> {
  await tx.run(sql`
    insert into message_stop (tenant_id, journey_id, reason, stopped_at)
    values (${tenantId}, ${bytes(journeyId)}, ${reason}, clock_timestamp())
    on conflict (tenant_id, journey_id) do update set reason = excluded.reason, stopped_at = excluded.stopped_at`);
}

/** For these journeys, in no particular order. */
export async function selectHalts(
  db: Runner,
  tenantId: number,
  journeyIds: readonly string[],
): Promise<(Halt & { journeyId: string })[]> {
  if (journeyIds.length === 0) return [];
  const own = sql`tenant_id = ${tenantId} and journey_id = any(${journeyIds.map(bytes)}::bytea[])`;
  return db.rows(sql<Halt & { journeyId: string }>`
    select journey_id as "journeyId", false as "isHeld", reason, stopped_at as "stoppedAt" from message_stop where ${own}
    union all
    select journey_id, true, null, null from message_hold where ${own} and released_at is null`);
}

export interface FateCount {
  state: MessageState;
  /** Of a skipped message, and of one that is kept in the outbox. */
  reason: string | null;
  messages: number;
  opened: number;
  clicked: number;
  unsubscribed: number;
}

/** How many messages of a journey came to what. */
export function countFatesOfJourney(db: Runner, tenantId: number, journeyId: string): Promise<FateCount[]> {
  return db.rows(sql<FateCount>`
    select state, case when state in ('skipped', 'sent') then reason end as reason, count(*) as messages,
      count(first_opened_at) as opened, count(first_clicked_at) as clicked, count(unsubscribed_at) as unsubscribed
    from message where tenant_id = ${tenantId} and journey_id = ${bytes(journeyId)} group by 1, 2`);
}

/** Whether a message of `j`, a journey, has not left. */
export function hasUnsent(j: Sql): Sql {
  const own = sql`m.tenant_id = ${j}.tenant_id and m.journey_id = ${j}.journey_id`;
  return sql`(exists (select from message m where ${own} and m.state = 'queued')
    or exists (select from message m where ${own} and m.state = 'sending'))`;
}

export interface ToldOfJourney {
  enrolmentId: string | null;
  stepId: string;
  emailId: string;
  state: MessageState;
  reason: string | null;
  dueAt: string;
  isHeld: boolean;
}

/** The newest messages of a journey to a contact, in chronological order. */
export function selectToContact(
  db: Runner,
  tenantId: number,
  journeyId: string,
  contactId: string,
  atMost: number,
): Promise<ToldOfJourney[]> {
  return db.rows(sql<ToldOfJourney>`
    select enrolment_id as "enrolmentId", step_id as "stepId", email_id as "emailId", state, reason,
      coalesce(held_due_at, due_at) as "dueAt", held_due_at is not null as "isHeld"
    from (
      select * from message where tenant_id = ${tenantId} and contact_id = ${contactId} and journey_id = ${bytes(journeyId)}
        and step_id is not null
      order by queued_at desc, message_id desc limit ${atMost}
    ) m order by queued_at, message_id`);
}

/** What these steps of a journey sent, as a query with enrolment_id, messages and clicks (messages in which a person clicked). */
export function sentByEnrolment(tenantId: number, journeyId: string, stepIds: readonly string[]): Sql {
  return sql`
    select enrolment_id, count(*) as messages, count(first_clicked_at) as clicks from message
    where tenant_id = ${tenantId} and journey_id = ${bytes(journeyId)} and sent_at is not null and enrolment_id is not null
      and step_id = any(${stepIds}::text[])
    group by enrolment_id`;
}
