import type { Runner } from './database.js';
import { type Sql, sql } from './sql.js';

// A counter is the sum of its deltas. Writers only add rows, so they never wait for each other; folding joins the
// rows of a counter into one, in one statement, so a reader sees the same sum before and after.

/** The names of all counters, in one place, so that no two features use one name for different things. */
export const counters = {
  contacts: 'contacts',
  folders: 'folders',
  staticLists: 'static_lists',
  dynamicLists: 'dynamic_lists',
  organizations: 'organizations',
  emails: 'emails',
  files: 'files',
  journeys: 'journeys',
  outbox: 'outbox',
  messages: 'messages',
  suppressions: 'suppressions',
  ingestRefusals: 'ingest_refusals',
  listMembers: (listId: string) => `list_members:${listId}`,
  dynamicMembers: (listNo: number) => `dynamic_members:${listNo}`,
  /** By state, so that totals need no count. */
  enrolments: (journeyNo: number, state: string) => `enrolments:${journeyNo}:${state}`,
  organizationMembers: (orgId: string) => `org_members:${orgId}`,
  emailVersions: (emailId: string) => `email_versions:${emailId}`,
  webhookDeliveries: (webhookId: string) => `webhook_deliveries:${webhookId}`,
  /** Events that a failing subscription could not keep. */
  webhookDropped: (webhookId: string) => `webhook_dropped:${webhookId}`,
  /** By state: contacts who chose it. */
  topicState: (topicId: string, state: string) => `topic:${topicId}:${state}`,
  /** By outcome: viewed, submitted, confirmed, refused. */
  form: (formId: string, what: string) => `form:${formId}:${what}`,
  /** The same of one day of UTC, such as 2026-11-15. */
  formDay: (formId: string, what: string, day: string) => `form:${formId}:${what}:${day}`,
  /** By outcome, so that the filter needs no count. */
  emailActivity: (emailId: string, outcome: string) => `email_activity:${emailId}:${outcome}`,
} as const;

/** The same names for use in a statement, where a column has the id. */
export const counterOf = {
  listMembers: (listId: Sql) => sql`'list_members:' || encode(${listId}, 'hex')`,
  dynamicMembers: (listNo: Sql) => sql`'dynamic_members:' || ${listNo}`,
  webhookDeliveries: (webhookId: Sql) => sql`'webhook_deliveries:' || encode(${webhookId}, 'hex')`,
  webhookDropped: (webhookId: Sql) => sql`'webhook_dropped:' || encode(${webhookId}, 'hex')`,
  emailVersions: (emailId: Sql) => sql`'email_versions:' || encode(${emailId}, 'hex')`,
  topicState: (topicId: Sql, state: Sql) => sql`'topic:' || encode(${topicId}, 'hex') || ':' || ${state}`,
  form: (formId: Sql, what: Sql) => sql`'form:' || encode(${formId}, 'hex') || ':' || ${what}`,
  /** `at`: any time on that day. */
  formDay: (formId: Sql, what: Sql, at: Sql) =>
    sql`'form:' || encode(${formId}, 'hex') || ':' || ${what} || ':' || to_char(${at} at time zone 'UTC', 'YYYY-MM-DD')`,
  emailActivity: (emailId: Sql, outcome: Sql) =>
    sql`'email_activity:' || encode(${emailId}, 'hex') || ':' || ${outcome}`,
} as const;

/** The value of a counter, or the sum of several, as an expression inside another statement. */
export function counterValue(tenantId: number | Sql, counter: string | readonly string[] | Sql): Sql {
  const is = Array.isArray(counter) ? sql`= any(${counter}::text[])` : sql`= ${counter}`;
  return sql`(select coalesce(sum(n.delta), 0)::int8 from counter_delta n where n.tenant_id = ${tenantId} and n.counter ${is})`;
}

/** Begins a statement that adds to counters. */
export const intoCounters = sql`insert into counter_delta (tenant_id, counter, delta)`;

/** The deltas of counters, for a statement that sums many: columns tenant_id, counter, delta. */
export const counterDeltas = sql`counter_delta`;

/** Deletes the counters of deleted things: those in `gone`, which has a tenant_id. */
export function forgetCounters(gone: Sql, ...names: readonly [Sql, ...Sql[]]): Sql {
  const list = names.reduce((a, b) => sql`${a}, ${b}`);
  return sql`delete from counter_delta c using ${gone} where c.tenant_id = ${gone}.tenant_id and c.counter in (${list})`;
}

/**
 * Folds the deltas of counters that changed since they were last folded, at most `atMost` counters. Returns how many. An index has only the new
 * deltas, so the cost depends on what changed, not on how many counters there are.
 */
export async function foldCounters(db: Runner, atMost: number): Promise<number> {
  const row = await db.row(sql<{ folded: number }>`
    /* all tenants */ with changed as materialized (
      select distinct tenant_id, counter from (
        select tenant_id, counter from counter_delta where is_fresh order by tenant_id, counter limit ${atMost} * 100
      ) fresh order by tenant_id, counter limit ${atMost}
    ), gone as (
      delete from counter_delta d using changed c where d.tenant_id = c.tenant_id and d.counter = c.counter
      returning d.tenant_id, d.counter, d.delta
    ), folded as (
      insert into counter_delta (tenant_id, counter, delta, is_fresh)
      select tenant_id, counter, sum(delta), false from gone group by tenant_id, counter having sum(delta) <> 0
    )
    select count(*) as folded from changed`);
  return row?.folded ?? 0;
}
