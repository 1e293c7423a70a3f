import { counterOf, counters, intoCounters } from '../../../db/counters.js';
import type { Runner, Transaction } from '../../../db/database.js';
import { bytes, sql } from '../../../db/sql.js';
import { type Branding, brandingOf } from '../../tenants/index.js';

/** What a mail asked about. */
export interface AskedSubmission {
  submissionId: string;
  formId: string;
  at: string;
  /** Both null once the person is erased. */
  contactId: string | null;
  address: string | null;
  outcome: 'pending' | 'confirmed';
  text: string;
  topicIds: string[];
  linkUntil: string;
  branding: Branding | null;
}

const columns = (tenantId: number) => sql`
  ${brandingOf(tenantId)} as branding, submission_id as "submissionId", form_id as "formId", at, contact_id as "contactId", address, outcome, text,
  asked_topic_ids as "topicIds", link_until as "linkUntil"`;

export function findAsked(db: Runner, tenantId: number, messageId: string): Promise<AskedSubmission | undefined> {
  return db.row(sql<AskedSubmission>`
    select ${columns(tenantId)} from form_submission where tenant_id = ${tenantId} and message_id = ${messageId}`);
}

export function lockAsked(tx: Transaction, tenantId: number, messageId: string): Promise<AskedSubmission | undefined> {
  return tx.row(sql<AskedSubmission>`
    select ${columns(tenantId)} from form_submission where tenant_id = ${tenantId} and message_id = ${messageId} for update`);
}

export async function markConfirmed(
  tx: Transaction,
  tenantId: number,
  { submissionId, formId }: Pick<AskedSubmission, 'submissionId' | 'formId'>,
  now: string,
): Promise<void> {
  const day = counterOf.formDay(sql`${bytes(formId)}::bytea`, sql`'confirmed'`, sql`${now}::timestamptz`);
  await tx.run(sql`
    with confirmed as (
      update form_submission set outcome = 'confirmed' where tenant_id = ${tenantId} and submission_id = ${submissionId} returning 1
    )
    ${intoCounters}
    select ${tenantId}, counter, 1 from confirmed cross join (values (${counters.form(formId, 'confirmed')}), (${day})) as c (counter)
    where exists (select from form where tenant_id = ${tenantId} and form_id = ${bytes(formId)} and deleted_at is null)`);
}

interface ConfirmedSubmission {
  submissionId: string;
  formId: string;
  at: string;
  contactId: string;
  values: Record<string, unknown>;
  emailField: string;
  listId: string | null;
}

/** Those of these whose person is still there, in the order in which they are named. */
export function selectConfirmed(db: Runner, tenantId: number, ids: readonly string[]): Promise<ConfirmedSubmission[]> {
  return db.rows(sql<ConfirmedSubmission>`
    select s.* from unnest(${ids}::uuid[]) with ordinality as w (id, ord) cross join lateral (
      select submission_id as "submissionId", form_id as "formId", at, contact_id as "contactId", values, email_field as "emailField",
        list_id as "listId"
      from form_submission
      where tenant_id = ${tenantId} and submission_id = w.id and outcome = 'confirmed' and contact_id is not null limit 1
    ) s order by w.ord`);
}
