import type { FormSubmission, RefusalReason, SubmissionOutcome } from '@rapport/contract';
import type { Static } from 'typebox';
import { counterOf, counters, counterValue, intoCounters } from '../../../db/counters.js';
import type { Database, Runner, Transaction } from '../../../db/database.js';
import { type Page, type PageOf, paged } from '../../../db/paged.js';
import { bytes, sql } from '../../../db/sql.js';

type SubmissionRow = Static<typeof FormSubmission>;

const columns = sql`
  submission_id as "submissionId", at, contact_id as "contactId", outcome, reason, values`;

/** What came by a form. */
export interface NewSubmission {
  submissionId: string;
  formId: string;
  at: string;
  outcome: SubmissionOutcome;
  reason: RefusalReason | null;
  address: string | null;
  values: Readonly<Record<string, unknown>>;
  emailField: string;
  text: string;
  topicIds: readonly string[];
  listId: string | null;
  language: string;
  byMail: boolean;
}

/** A proof of work, by the challenge that it answers. */
export interface Proof {
  challenge: string;
  expiresAt: string;
}

/** One that is to be stored, and the proof that came with it. */
export interface Taking {
  submission: NewSubmission;
  proof: Proof | null;
}

/** Stores and counts them, each with its proof. Returns the ids of those that were stored: a proof that was used before stores nothing. */
export async function insertSubmissions(
  tx: Runner,
  tenantId: number,
  takings: readonly Taking[],
): Promise<ReadonlySet<string>> {
  const of = <T>(value: (submission: NewSubmission) => T) => takings.map(({ submission }) => value(submission));
  const proofs = takings.map(({ proof }) => proof);
  const outcomes = sql`case outcome when 'refused' then 'refused' else 'submitted' end`;
  const rows = await tx.rows(sql<{ id: string }>`
    with wanted as materialized (
      select *, row_number() over (partition by proof order by ord) as nth from unnest(
        ${of((s) => s.submissionId)}::uuid[], ${of((s) => bytes(s.formId))}::bytea[], ${of((s) => s.at)}::timestamptz[],
        ${of((s) => s.outcome)}::text[], ${of((s) => s.reason)}::text[], ${of((s) => s.address)}::text[],
        ${of((s) => JSON.stringify(s.values))}::text[], ${of((s) => s.emailField)}::text[], ${of((s) => s.text)}::text[],
        ${of((s) => s.topicIds.join(' '))}::text[], ${of((s) => s.listId && bytes(s.listId))}::bytea[], ${of((s) => s.language)}::text[],
        ${of((s) => s.byMail)}::boolean[], ${proofs.map((proof) => proof && bytes(proof.challenge))}::bytea[],
        ${proofs.map((proof) => proof && proof.expiresAt)}::timestamptz[]) with ordinality
        as w (submission_id, form_id, at, outcome, reason, address, values, email_field, text, topic_ids, list_id, language, by_mail,
          proof, expires_at, ord)
    ), used as (
      insert into form_proof (tenant_id, proof, expires_at)
      select ${tenantId}, proof, expires_at from wanted where proof is not null and nth = 1 order by proof
      on conflict do nothing returning proof
    ), stored as (
      insert into form_submission (tenant_id, submission_id, form_id, at, outcome, reason, is_applied, address, values, email_field, text,
        topic_ids, list_id, language, by_mail)
      select ${tenantId}, submission_id, form_id, at, outcome, reason, outcome = 'refused', address, values::jsonb, email_field, text,
        string_to_array(topic_ids, ' '), list_id, language, by_mail
      from wanted w where proof is null or (nth = 1 and exists (select from used u where u.proof = w.proof))
      returning submission_id, form_id, outcome, at
    ), counted as (
      ${intoCounters}
      select ${tenantId}, counter, count(*) from stored cross join lateral (values
        (${counterOf.form(sql`form_id`, outcomes)}), (${counterOf.formDay(sql`form_id`, outcomes, sql`at`)})) as c (counter)
      group by counter
    )
    select submission_id as id from stored`);
  return new Set(rows.map(({ id }) => id));
}

export function selectSubmissions(
  db: Database,
  tenantId: number,
  formId: string,
  page: PageOf,
): Promise<Page<SubmissionRow>> {
  const total = counterValue(tenantId, [counters.form(formId, 'submitted'), counters.form(formId, 'refused')]);
  const rows = sql<SubmissionRow>`
    select ${columns} from form_submission where tenant_id = ${tenantId} and form_id = ${bytes(formId)}
    order by at desc, submission_id desc limit ${page.limit} offset ${page.offset}`;
  return paged(db, tenantId, { ...page, isFat: true }, { total, rows });
}

/** One that waits to be applied. */
export interface WaitingSubmission extends Pick<NewSubmission, 'submissionId' | 'formId' | 'at' | 'values' | 'text'> {
  address: string;
  emailField: string;
  topicIds: string[];
  listId: string | null;
  language: string;
  byMail: boolean;
}

/** Those of these that wait, in the order in which they are named. */
export function takeSubmissions(
  tx: Transaction,
  tenantId: number,
  ids: readonly string[],
): Promise<WaitingSubmission[]> {
  return tx.rows(sql<WaitingSubmission>`
    select s.* from unnest(${ids}::uuid[]) with ordinality as w (id, ord) cross join lateral (
      select submission_id as "submissionId", form_id as "formId", at, address, values, email_field as "emailField", text,
        topic_ids as "topicIds", list_id as "listId", language, by_mail as "byMail"
      from form_submission
      where tenant_id = ${tenantId} and submission_id = w.id and not is_applied and address is not null limit 1 for update
    ) s order by w.ord`);
}

/** What became of one that was applied. */
export interface AppliedSubmission {
  submissionId: string;
  formId: string;
  outcome: SubmissionOutcome;
  reason: RefusalReason | null;
  contactId: string | null;
  messageId: string | null;
  askedTopicIds: readonly string[] | null;
  linkUntil: string | null;
}

/** Those that turn out to be refused are counted as such. */
export async function settleSubmissions(
  tx: Transaction,
  tenantId: number,
  applied: readonly AppliedSubmission[],
): Promise<void> {
  const of = <T>(value: (each: AppliedSubmission) => T) => applied.map(value);
  await tx.run(sql`
    with n as (
      select * from unnest(${of((a) => a.submissionId)}::uuid[], ${of((a) => a.outcome)}::text[], ${of((a) => a.reason)}::text[],
        ${of((a) => a.contactId)}::uuid[], ${of((a) => a.messageId)}::uuid[],
        ${of((a) => a.askedTopicIds?.join(' ') ?? null)}::text[], ${of((a) => a.linkUntil)}::timestamptz[])
        as n (submission_id, outcome, reason, contact_id, message_id, asked, link_until)
    ), stored as (
      update form_submission s set is_applied = true, outcome = n.outcome, reason = n.reason, contact_id = n.contact_id,
        message_id = n.message_id, asked_topic_ids = string_to_array(n.asked, ' '), link_until = n.link_until
      from n where s.tenant_id = ${tenantId} and s.submission_id = n.submission_id
      returning s.form_id, s.outcome, s.at
    )
    ${intoCounters}
    select ${tenantId}, counter, delta
    from stored cross join (values ('submitted', -1), ('refused', 1)) as d (what, delta) cross join lateral (values
      (${counterOf.form(sql`form_id`, sql`what`)}), (${counterOf.formDay(sql`form_id`, sql`what`, sql`at`)})) as c (counter)
    where outcome = 'refused'`);
}

/** How many mails asked these addresses about these topics since then, by hash and topic. */
export async function countAskings(
  tx: Transaction,
  tenantId: number,
  pairs: readonly { hash: string; topicId: string; since: string }[],
): Promise<Map<string, number>> {
  if (pairs.length === 0) return new Map();
  const rows = await tx.rows(sql<{ hash: string; topicId: string; n: number }>`
    select w.hash, w.topic_id as "topicId", a.n
    from unnest(${pairs.map((p) => bytes(p.hash))}::bytea[], ${pairs.map((p) => bytes(p.topicId))}::bytea[],
      ${pairs.map((p) => p.since)}::timestamptz[]) as w (hash, topic_id, since)
    cross join lateral (
      select count(*) as n from form_asking
      where tenant_id = ${tenantId} and address_hash = w.hash and topic_id = w.topic_id and at > w.since
    ) a`);
  return new Map(rows.map(({ hash, topicId, n }) => [hash + topicId, n]));
}

export interface Asking {
  at: string;
  hash: string;
  topicId: string;
  submissionId: string;
}

export async function insertAskings(tx: Transaction, tenantId: number, asked: readonly Asking[]): Promise<void> {
  if (asked.length === 0) return;
  await tx.run(sql`
    insert into form_asking (tenant_id, address_hash, topic_id, at, submission_id)
    select ${tenantId}, hash, topic_id, at, submission_id
    from unnest(${asked.map((a) => bytes(a.hash))}::bytea[], ${asked.map((a) => bytes(a.topicId))}::bytea[],
      ${asked.map((a) => a.submissionId)}::uuid[], ${asked.map((a) => a.at)}::timestamptz[]) as n (hash, topic_id, submission_id, at)
    on conflict do nothing`);
}

/** Empties what a person sent. Rows that wait came after the erasure was asked for: they are the person's new words. */
export async function eraseSubmissions(
  tx: Transaction,
  tenantId: number,
  contactId: string,
  email: string,
): Promise<void> {
  const emptied = sql`contact_id = null, address = null, values = '{}', message_id = null`;
  await tx.run(sql`
    update form_submission set ${emptied} where tenant_id = ${tenantId} and contact_id = ${contactId} and is_applied`);
  await tx.run(sql`
    update form_submission set ${emptied} where tenant_id = ${tenantId} and address = ${email} and is_applied`);
}

export type OwnSubmission = SubmissionRow & { formId: string };

/** What a person sent, oldest first, for the right of access. */
export function selectOwnSubmissions(
  db: Runner,
  tenantId: number,
  email: string,
  after: OwnSubmission | undefined,
  limit: number,
): Promise<OwnSubmission[]> {
  const later = after ? sql`and submission_id > ${after.submissionId}::uuid` : sql``;
  return db.rows(sql<OwnSubmission>`
    select form_id as "formId", ${columns} from form_submission
    where tenant_id = ${tenantId} and address = ${email} ${later} order by submission_id limit ${limit}`);
}

/** Proofs that are too old to be used again, and mails that the bound does not count any more. */
export async function sweepOld(db: Runner, atMost: number): Promise<number> {
  const proofs = await db.run(sql`
    /* all tenants */ with old as (
      select tenant_id, proof from form_proof where expires_at < now() - interval '1 hour' order by expires_at limit ${atMost}
    )
    delete from form_proof p using old where p.tenant_id = old.tenant_id and p.proof = old.proof`);
  const askings = await db.run(sql`
    /* all tenants */ with old as (
      select tenant_id, address_hash, topic_id, at, submission_id from form_asking where at < now() - interval '2 days'
      order by at limit ${atMost}
    )
    delete from form_asking a using old
    where a.tenant_id = old.tenant_id and a.address_hash = old.address_hash and a.topic_id = old.topic_id and a.at = old.at
      and a.submission_id = old.submission_id`);
  return Math.max(proofs, askings);
}

/** What was sent by forms that were deleted, once no link of their mails holds. */
export function sweepSubmissions(db: Runner, atMost: number): Promise<number> {
  return db.run(sql`
    /* all tenants */ with old as (
      select s.tenant_id, s.submission_id from form f cross join lateral (
        select tenant_id, submission_id from form_submission
        where tenant_id = f.tenant_id and form_id = f.form_id limit ${atMost}
      ) s
      where f.deleted_at < now() - interval '31 days' limit ${atMost}
    )
    delete from form_submission s using old where s.tenant_id = old.tenant_id and s.submission_id = old.submission_id`);
}
