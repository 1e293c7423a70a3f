import type { MessageKind } from '@rapport/contract';
import type { Runner } from '../../../db/database.js';
import { bytes, type Sql, sql } from '../../../db/sql.js';
import type { TraceParent } from '../../../lib/tracing.js';
import { headsOf } from '../../../work/heads.js';
import type { Leased } from '../../../work/leases.js';
import type { Waiting } from '../../../work/queue.js';
import type { Words } from '../../emails/index.js';
import type { CountedMessage } from '../figures/contributions.js';
import { countedColumns, countedOfMessage } from '../figures/feed/queries.js';
import type { Version } from '../figures/subjects.js';
import type { Content, Outcome } from './outcome.js';

const ordinary = sql`state = 'queued' and kind <> 'transactional'`;
const transactional = sql`state = 'queued' and kind = 'transactional'`;

/** A tenant's first waiting message of each of the two kinds. */
interface Head {
  tenantId: number;
  isTransactional: boolean;
  /** Milliseconds until it is due. */
  waitMs: number;
}

export function selectHeads(db: Runner): Promise<Head[]> {
  const order = sql`due_at, message_id`;
  const columns = sql`due_at, message_id`;
  return db.rows(sql<Head>`
    select tenant_id as "tenantId", is_transactional as "isTransactional",
      ceil(extract(epoch from due_at - clock_timestamp()) * 1000)::float8 as "waitMs"
    from (
      select *, false as is_transactional from ${headsOf(sql`message`, ordinary, order, columns)} o union all
      select *, true from ${headsOf(sql`message`, transactional, order, columns)} t
    ) heads`);
}

/** Messages that wait and could leave now; one whose time has not come is not backlog. Counted from the indexes: there may be a million. */
export function selectWaiting(db: Runner): Promise<Waiting[]> {
  const waiting = (kind: Sql) => sql`
    select w.*, oldest.* from (
      select tenant_id, count(*) as count, min(due_at) as since from message where ${kind} and due_at <= now() group by tenant_id
    ) w cross join lateral (
      select attempts, last_error from message where ${kind} and tenant_id = w.tenant_id order by due_at, message_id limit 1
    ) oldest`;
  return db.rows(sql<Waiting>`
    /* all tenants */ select tenant_id as "tenantId", 'message' as kind, sum(count)::int8 as count, min(since) as since,
      (array_agg(attempts order by since))[1]::integer as attempts, (array_agg(last_error order by since))[1] as "lastError",
      null as "dueAt"
    from (${waiting(ordinary)} union all ${waiting(transactional)}) w group by tenant_id`);
}

/** A message that this process is to send. */
export interface Claimed {
  messageId: string;
  kind: MessageKind;
  contactId: string | null;
  address: string | null;
  emailId: string;
  journeyId: string | null;
  enrolmentId: string | null;
  words: Words | null;
  senderDomain: string | null;
  attempts: number;
  queuedAt: string;
  /** When it was first tried; now, if never. */
  firstTriedAt: string;
  /** When its recipient or a mail server first responded to it; null: never. Then it has arrived, though its sender was interrupted before it could say so. */
  arrivedAt: string | null;
  /** Looked up while traces are recorded. */
  trace?: TraceParent | undefined;
}

interface ClaimOptions {
  lease: string;
  seconds: number;
  onlyTransactional: boolean;
  /** Journeys whose messages are held back. */
  held?: readonly string[] | undefined;
}

/**
 * Claims the messages that have waited longest, transactional ones first, until the lease expires. Their keys are passed
 * as an array: for a subselect with a limit, the planner expects a tenth of all waiting messages and would read the whole tenant.
 * Messages of `held` journeys are skipped.
 */
export function claimMessages(
  db: Runner,
  tenantId: number,
  atMost: number,
  { lease, seconds, onlyTransactional, held = [] }: ClaimOptions,
): Promise<Claimed[]> {
  const rest = sql`greatest(0, case when ${onlyTransactional}::boolean then 0 else ${atMost}::integer - (select count(*) from first) end)`;
  return db.rows(sql<Claimed>`
    with first as (${firstOf(tenantId, transactional, sql`${atMost}`, held)}),
    others as (${firstOf(tenantId, ordinary, rest, held)})
    update message m set state = 'sending', lease = ${lease}, lease_until = now() + make_interval(secs => ${seconds})
    where m.tenant_id = ${tenantId} and m.message_id = any(array(select * from first union all select * from others))
    returning m.message_id as "messageId", kind, contact_id as "contactId", address, email_id as "emailId",
      journey_id as "journeyId", enrolment_id as "enrolmentId", words,
      sender_domain as "senderDomain", attempts, queued_at as "queuedAt", coalesce(first_tried_at, now()) as "firstTriedAt",
      least(delivered_at, first_opened_at, first_clicked_at, unsubscribed_at, complained_at) as "arrivedAt"`);
}

// Messages. While a journey is being held, its messages at the head of the queue are postponed in steps. A claim in the meantime
// looks no further than this, so it reads only a part of the queue, however long that is.
const mostPassedOver = 5000;

/**
 * The messages to claim, in order. If journeys are held, the head of the queue is scanned as one piece: with a plain condition, the
 * planner expects so few matches that it reads and sorts the whole queue: 180 ms for 50,000 messages, against 1 ms.
 */
function firstOf(tenantId: number, queue: Sql, atMost: Sql, held: readonly string[]): Sql {
  const due = sql`tenant_id = ${tenantId} and due_at <= now() and ${queue}`;
  if (held.length === 0) {
    return sql`select message_id from message where ${due} order by due_at, message_id limit ${atMost} for update skip locked`;
  }
  return sql`select message_id from message where tenant_id = ${tenantId} and ${queue} and message_id = any(array(
      select message_id from (
        select message_id, journey_id from message where ${due} order by due_at, message_id limit ${mostPassedOver}
      ) w where journey_id is null or journey_id <> all(${held.map(bytes)}::bytea[]) limit ${atMost}))
    for update skip locked`;
}

/** Returns which messages still belong to this lease: one that expired may belong to another process by now. */
export async function renewLeases(
  db: Runner,
  lease: string,
  seconds: number,
  leased: readonly Leased[],
): Promise<Set<string>> {
  const rows = await db.rows(sql<{ messageId: string }>`
    update message m set lease_until = now() + make_interval(secs => ${seconds})
    where m.state = 'sending' and m.lease = ${lease} and m.tenant_id = any(${[...new Set(leased.map(({ tenantId }) => tenantId))]}::bigint[])
      and m.message_id = any(${leased.map(({ id }) => id)}::uuid[])
    returning m.message_id as "messageId"`);
  return new Set(rows.map(({ messageId }) => messageId));
}

/** Requeues messages whose sender was interrupted, and notes that on their timeline. Returns how many. */
export async function reclaimMessages(db: Runner, atMost: number): Promise<number> {
  const row = await db.row(sql<{ n: number }>`
    /* all tenants */ with lost as (
      select tenant_id, message_id from message where state = 'sending' and lease_until < now()
      order by lease_until limit ${atMost} for update skip locked
    ), queued as (
      update message m set state = 'queued', due_at = now(), lease = null, lease_until = null
      from lost l where m.tenant_id = l.tenant_id and m.message_id = l.message_id
      returning m.tenant_id, m.message_id
    ), noted as (
      insert into message_event (tenant_id, message_id, at, what, detail)
      select tenant_id, message_id, now(), 'repeated', ${interrupted} from queued
    )
    select count(*) as n from queued`);
  return row?.n ?? 0;
}
const interrupted =
  'The process that was sending it was interrupted. It is tried again; if the mail server had taken it already, it comes twice, with the same Message-ID.';

/** A message whose outcome was stored: as it is now, and the fields that were different before. */
export interface Recorded extends CountedMessage {
  tenantId: number;
  messageId: string;
  /** It was sent, or refused permanently. */
  hasLeft: boolean;
  /** The person was erased meanwhile: nothing more about the message is kept. */
  isErased: boolean;
  versionBefore: Version | null;
  domainBefore: string | null;
  sentBefore: string | null;
  bouncedBefore: string | null;
  failedBefore: string | null;
  topicBefore: string | null;
  languageBefore: string | null;
}

/**
 * Stores the outcomes of messages, in one statement. A sent message counts as sent even if the lease had expired and the message was
 * requeued, ended or claimed by another process meanwhile. Any other outcome needs the lease. Rows are locked in key
 * order, like everywhere messages are locked.
 */
export function recordOutcomes(db: Runner, lease: string, outcomes: readonly Outcome[]): Promise<Recorded[]> {
  const of = <T>(value: (outcome: Outcome) => T) => outcomes.map(value);
  return db.rows(sql<Recorded>`
    with d as materialized (
      select * from unnest(${of((o) => o.tenantId)}::bigint[], ${of((o) => o.messageId)}::uuid[], ${of((o) => o.what)}::text[],
        ${of((o) => o.at)}::timestamptz[], ${of((o) => o.reason)}::text[], ${of((o) => o.reply)}::text[],
        ${of((o) => o.dueAt)}::timestamptz[], ${of((o) => o.subject)}::text[], ${of((o) => o.version)}::text[],
        ${of((o) => o.links)}::integer[], ${of((o) => (o.contentHash === null ? null : bytes(o.contentHash)))}::bytea[],
        ${of((o) => o.senderDomain)}::text[], ${of((o) => (o.topicId === null ? null : bytes(o.topicId)))}::bytea[],
        ${of((o) => o.language)}::text[])
        as d (tenant_id, message_id, what, at, reason, reply, due_at, subject, version, links, content_hash, sender_domain, topic_id, language)
    ), locked as materialized (
      select d.*, m.* from (select * from d order by tenant_id, message_id) d
      cross join lateral (
        select version as version_before, domain as domain_before, topic_id as topic_before, language as language_before, sent_at as sent_before, bounced_at as bounced_before,
          failed_at as failed_before
        from message m where m.tenant_id = d.tenant_id and m.message_id = d.message_id
          and (m.state = 'sending' and m.lease = ${lease}
            or d.what in ('sent', 'refused') and m.state in ('sending', 'queued', 'cancelled', 'failed', 'skipped'))
        limit 1 for update
      ) m
    ), stored as (
      update message m set
        state = case d.what
          when 'sent' then case when m.bounced_at is not null then 'bounced' when m.delivered_at is not null then 'delivered' else 'sent' end
          when 'refused' then 'bounced' when 'failed' then 'failed' when 'skipped' then 'skipped' else 'queued' end,
        -- A bounce may have been reported before the send was recorded.
        reason = case
          when d.what <> 'sent' then d.reason when m.bounced_at is not null then m.reason
          -- Kept in the outbox, unless a report about it has come in.
          when m.delivered_at is null and m.soft_bounced_at is null and m.complained_at is null then d.reason end,
        sent_at = case when d.what in ('sent', 'refused') then greatest(d.at, m.queued_at) else m.sent_at end,
        bounced_at = case when d.what = 'refused' then coalesce(m.bounced_at, greatest(d.at, m.queued_at)) else m.bounced_at end,
        failed_at = case when d.what = 'failed' then d.at when d.what not in ('sent', 'refused') then m.failed_at end,
        domain = case when m.domain is null and d.what not in ('skipped', 'postponed') then lower(split_part(m.address, '@', 2)) else m.domain end,
        due_at = coalesce(d.due_at, m.due_at),
        attempts = m.attempts + (d.reply is not null)::integer,
        first_tried_at = coalesce(m.first_tried_at, case when d.reply is not null then d.at end),
        last_error = case when d.what = 'later' then d.reply end,
        -- Nothing about an erased person may come back.
        subject = case when m.address is null then null else coalesce(d.subject, m.subject) end,
        version = coalesce(d.version, m.version), links = coalesce(d.links, m.links),
        content_hash = case when m.address is not null then coalesce(d.content_hash, m.content_hash) end, sender_domain = coalesce(m.sender_domain, d.sender_domain),
        topic_id = case when d.reply is not null then d.topic_id else m.topic_id end,
        language = case when d.reply is not null then d.language else m.language end,
        lease = null, lease_until = null
      from locked d where m.tenant_id = d.tenant_id and m.message_id = d.message_id
      returning ${countedOfMessage}, m.address is null as is_erased, d.what, d.at, d.reply, d.reason as why,
        d.version_before, d.domain_before, d.topic_before, d.language_before, d.sent_before, d.bounced_before, d.failed_before
    ), tried as (
      insert into message_attempt (tenant_id, message_id, at, reply, outcome)
      select tenant_id, message_id, at, reply, what from stored where reply is not null
    ), noted as (
      insert into message_event (tenant_id, message_id, at, what, detail)
      select tenant_id, message_id, at, what, why from stored where reply is null and what in ('failed', 'skipped')
    )
    select tenant_id as "tenantId", message_id as "messageId", is_erased as "isErased", what in ('sent', 'refused') as "hasLeft",
      version_before as "versionBefore", domain_before as "domainBefore", topic_before as "topicBefore", language_before as "languageBefore", sent_before as "sentBefore",
      bounced_before as "bouncedBefore", failed_before as "failedBefore", ${countedColumns} from stored`);
}

/**
 * Whether PostgreSQL has analyzed the table and found enough messages. While it assumes an empty table, every index that begins with
 * the tenant looks as good as the key, and a plan kept from then would read all messages of a tenant for each message.
 */
export async function selectIsCounted(db: Runner): Promise<boolean> {
  const row = await db.row(sql<{ isCounted: boolean }>`
    select reltuples >= 1000 as "isCounted" from pg_class where oid = 'message'::regclass`);
  return row?.isCounted ?? false;
}

/** Storing a text again renews its retention: see sweepContents. */
export async function insertContents(db: Runner, contents: readonly Content[]): Promise<void> {
  await db.run(sql`
    insert into message_content (tenant_id, content_hash, is_template, subject, preheader, html)
    select * from unnest(${contents.map((c) => c.tenantId)}::bigint[], ${contents.map((c) => bytes(c.hash))}::bytea[],
      ${contents.map((c) => c.isTemplate)}::boolean[], ${contents.map((c) => c.subject)}::text[],
      ${contents.map((c) => c.preheader)}::text[], ${contents.map((c) => c.html)}::text[])
    order by 1, 2
    on conflict (tenant_id, content_hash) do update set stored_at = excluded.stored_at where not message_content.is_template`);
}
