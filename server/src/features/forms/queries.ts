import type { Form } from '@rapport/contract';
import type { Static } from 'typebox';
import { counterOf, counters, counterValue, forgetCounters, intoCounters } from '../../db/counters.js';
import type { Database, Runner, Transaction } from '../../db/database.js';
import { type Page, type PageOf, paged } from '../../db/paged.js';
import { bytes, sql } from '../../db/sql.js';
import { foldCase } from '../../lib/text.js';
import { type TopicAsking, topicAskingsSql } from '../consent/index.js';
import { type Branding, brandingOf } from '../tenants/index.js';

type FormRow = Static<typeof Form>;
/** As it is stored: without what is made from the address of the service. */
export type StoredForm = Omit<FormRow, 'url' | 'embed'>;
/** What an author chooses. */
export type FormContent = Omit<StoredForm, 'formId' | 'counts' | 'createdAt' | 'updatedAt'>;
export type FormField = FormRow['fields'][number];
type Counted = keyof FormRow['counts'];
const formCounts = ['viewed', 'submitted', 'confirmed', 'refused'] as const satisfies readonly Counted[];

const count = (what: Counted) => counterValue(sql`f.tenant_id`, counterOf.form(sql`f.form_id`, sql`${what}::text`));
// Columns of `f`, a form.
const columns = sql`
  f.form_id as "formId", f.name, f.fields, f.topic_ids as "topicIds", f.list_id as "listId", f.consent_text as "consentText", f.success,
  f.allowed_origins as "allowedOrigins", f.state, f.created_at as "createdAt", f.updated_at as "updatedAt"`;
const counted = sql`${columns}, json_build_object('viewed', ${count('viewed')}, 'submitted', ${count('submitted')},
  'confirmed', ${count('confirmed')}, 'refused', ${count('refused')}) as counts`;
const live = (tenantId: number) => sql`f.tenant_id = ${tenantId} and f.deleted_at is null`;

export async function insertForm(
  tx: Transaction,
  tenantId: number,
  formId: string,
  content: FormContent,
): Promise<StoredForm> {
  const { name, fields, topicIds, listId, consentText, success, allowedOrigins, state } = content;
  const row = await tx.row(sql<StoredForm>`
    with f as (
      insert into form (tenant_id, form_id, name, name_folded, fields, topic_ids, list_id, consent_text, success, allowed_origins, state)
      values (${tenantId}, ${bytes(formId)}, ${name}, ${foldCase(name)}, ${JSON.stringify(fields)}::jsonb, ${topicIds}::text[],
        ${listId && bytes(listId)}, ${consentText}, ${success && JSON.stringify(success)}::jsonb, ${allowedOrigins}::text[], ${state})
      returning *
    )
    select ${counted} from f`);
  return row as StoredForm;
}

export function findForm(db: Runner, tenantId: number, formId: string): Promise<StoredForm | undefined> {
  return db.row(sql<StoredForm>`
    select ${counted} from form f where ${live(tenantId)} and f.form_id = ${bytes(formId)}`);
}

export type PublicForm = Omit<StoredForm, 'counts'> & { branding: Branding | null; askings: TopicAsking[] };

/** The same without its counts, for people who fill it in. */
export function selectPublicForms(db: Runner, tenantId: number, formIds: readonly string[]): Promise<PublicForm[]> {
  return db.rows(sql<PublicForm>`
    select ${columns}, ${brandingOf(tenantId)} as branding, ${topicAskingsSql(tenantId, sql`f.topic_ids`)} as askings
    from form f where ${live(tenantId)} and f.form_id = any(${formIds.map(bytes)}::bytea[])`);
}

export function lockForm(tx: Transaction, tenantId: number, formId: string): Promise<StoredForm | undefined> {
  return tx.row(sql<StoredForm>`
    select ${counted} from form f where ${live(tenantId)} and f.form_id = ${bytes(formId)} for update`);
}

export async function updateFormRow(
  tx: Transaction,
  tenantId: number,
  formId: string,
  content: FormContent,
): Promise<StoredForm> {
  const { name, fields, topicIds, listId, consentText, success, allowedOrigins, state } = content;
  const row = await tx.row(sql<StoredForm>`
    with f as (
      update form f set name = ${name}, name_folded = ${foldCase(name)}, fields = ${JSON.stringify(fields)}::jsonb,
        topic_ids = ${topicIds}::text[], list_id = ${listId && bytes(listId)}, consent_text = ${consentText},
        success = ${success && JSON.stringify(success)}::jsonb, allowed_origins = ${allowedOrigins}::text[], state = ${state},
        updated_at = now()
      where ${live(tenantId)} and f.form_id = ${bytes(formId)} returning *
    )
    select ${counted} from f`);
  return row as StoredForm;
}

/** What was sent by it is removed by a chore, once no link of its mails holds any more. */
export async function markDeleted(tx: Transaction, tenantId: number, formId: string, now: Date): Promise<void> {
  await tx.run(sql`
    with gone as (
      update form f set deleted_at = now(), updated_at = now() where ${live(tenantId)} and f.form_id = ${bytes(formId)}
      returning tenant_id, form_id, created_at
    ), name as (
      select tenant_id, ${counterOf.form(sql`form_id`, sql`what`)} as counter from gone cross join unnest(${formCounts}::text[]) what
      union all
      select tenant_id, ${counterOf.formDay(sql`form_id`, sql`what`, sql`day`)} from gone cross join unnest(${formCounts}::text[]) what
      cross join generate_series(date_trunc('day', created_at, 'UTC'), ${now.toISOString()}::timestamptz, interval '1 day') day
    )
    ${forgetCounters(sql`name`, sql`name.counter`)}`);
}

export function selectForms(
  db: Database,
  tenantId: number,
  search: string | undefined,
  page: PageOf,
): Promise<Page<StoredForm>> {
  const named = search === undefined ? sql`` : sql`and position(${foldCase(search)} in f.name_folded) > 0`;
  const total = sql`(select count(*) from form f where ${live(tenantId)} ${named})`;
  const rows = sql<StoredForm>`
    select ${counted} from form f where ${live(tenantId)} ${named}
    order by f.created_at desc, f.form_id desc limit ${page.limit} offset ${page.offset}`;
  return paged(db, tenantId, { ...page, isSearch: search !== undefined }, { total, rows });
}

/** The name of a live form that subscribes to this topic; of an open one, if told so. */
export async function findFormOfTopic(
  db: Runner,
  tenantId: number,
  topicId: string,
  state?: 'open',
): Promise<string | undefined> {
  const isSo = state === undefined ? sql`` : sql`and f.state = ${state}`;
  const row = await db.row(sql<{ name: string }>`
    select f.name from form f where ${live(tenantId)} and ${topicId} = any(f.topic_ids) ${isSo} order by f.form_id limit 1`);
  return row?.name;
}

/** Whether there is such a form. */
export async function isForm(db: Runner, tenantId: number, formId: string): Promise<boolean> {
  const row = await db.row(sql`select 1 from form f where ${live(tenantId)} and f.form_id = ${bytes(formId)}`);
  return row !== undefined;
}

export async function countView(db: Runner, tenantId: number, formId: string, at: string): Promise<void> {
  const day = counterOf.formDay(sql`${bytes(formId)}::bytea`, sql`'viewed'`, sql`${at}::timestamptz`);
  await db.run(
    sql`${intoCounters} values (${tenantId}, ${counters.form(formId, 'viewed')}, 1), (${tenantId}, ${day}, 1)`,
  );
}

type FormDay = FormRow['counts'] & { day: string };

/** Its counts by day, oldest first; both ends are inclusive. */
export async function selectFormDays(
  db: Runner,
  tenantId: number,
  formId: string,
  from: Date,
  to: Date,
): Promise<FormDay[]> {
  const of = (what: Counted) =>
    counterValue(tenantId, counterOf.formDay(sql`${bytes(formId)}::bytea`, sql`${what}::text`, sql`day`));
  return db.rows(sql<FormDay>`
    select to_char(day at time zone 'UTC', 'YYYY-MM-DD') as day, ${of('viewed')} as viewed, ${of('submitted')} as submitted,
      ${of('confirmed')} as confirmed, ${of('refused')} as refused
    from generate_series(${from.toISOString()}::timestamptz, ${to.toISOString()}::timestamptz, interval '1 day') day order by 1`);
}
