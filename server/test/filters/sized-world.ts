// A tenant of any size beside others, written straight into the tables: everything that a filter can read.
import type { Database } from '../../src/db/database.js';
import { type Sql, sql } from '../../src/db/sql.js';

export interface SizedWorld {
  readonly tenantId: number;
  /** When it was written. */
  readonly now: string;
  /** The tenant's rows in all tables together. */
  readonly rows: number;
  readonly staticListId: string;
  readonly dynamicListId: string;
  readonly journeyId: string;
  readonly emailId: string;
  readonly topicId: string;
  /** Some of its contacts, spread over all of them. */
  readonly some: readonly string[];
  /** The last contact of the first half. */
  readonly middle: string;
}

const hex = (digit: string) => digit.repeat(24);
const [staticListId, dynamicListId, journeyId, emailId, topicId] = [hex('a'), hex('d'), hex('b'), hex('e'), hex('c')];
const bytea = (id: string) => `\\x${id}`;

/** This many contacts, one organization per six, four users per three contacts, some in two organizations. */
export async function writeSizedWorld(db: Database, contacts: number): Promise<SizedWorld> {
  // As the service creates them. Events without a month of their own are found by the date of all tenants, too.
  await db.background.rows(sql`
    select make_month(parent, month) from unnest(array['event', 'marketing_activity']) parent,
      generate_series(month_of(now() - interval '45 days'), month_of(now())) month`);
  return db.background.transaction(async (tx) => {
    // Foreign keys are not checked: their plan would be made while the tables are almost empty, and read all rows of the tenant for each.
    await tx.run(sql`set local session_replication_role = replica`);
    const made = await tx.row(sql<{ tenantId: number; account: number; now: string }>`
      with made as (insert into tenant (name) values ('World') returning tenant_id),
      account as (insert into account (tenant_id, name) select tenant_id, 'Somebody' from made returning account_id)
      select tenant_id as "tenantId", account_id as account, now()::text as now from made, account`);
    const { tenantId, account } = made as { tenantId: number; account: number };
    const size = { tenantId, contacts, users: Math.ceil((contacts * 4) / 3), orgs: Math.ceil(contacts / 6) };
    let rows = 0;
    for (const statement of [...people(size), ...happenings(size), ...lists(size, account), ...topics(size)])
      rows += await tx.run(statement);
    const ids = await tx.rows(sql<{ id: string; no: number }>`
      select contact_id as id, row_number() over (order by contact_id) as no from contact where tenant_id = ${tenantId}`);
    const every = Math.ceil(ids.length / 20);
    return {
      ...{ tenantId, now: made?.now as string, rows, staticListId, dynamicListId, journeyId, emailId, topicId },
      some: ids.filter((_, i) => i % every === 0).map(({ id }) => id),
      middle: ids[ids.length >> 1]?.id as string,
    };
  });
}

interface Size {
  tenantId: number;
  contacts: number;
  users: number;
  orgs: number;
}

/** The same ids in every tenant. */
const contactId = (n: Sql) => sql`md5('contact ' || ${n})::uuid`;
const properties = (n: Sql) => sql`jsonb_build_object('plan', (array['pro', 'free'])[1 + ${n} % 2], 'seats', ${n} % 50,
  'renewal', to_char(now() + (${n} % 400 - 20) * interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

function people({ tenantId, contacts, users, orgs }: Size): Sql[] {
  const n = sql`n`;
  return [
    sql`insert into contact (tenant_id, contact_id, email, properties, created_at, updated_at, search_text)
      select ${tenantId}, ${contactId(n)}, 'c' || n || '@x.test', ${properties(n)}, now(), now(), ''
      from generate_series(1, ${contacts}::integer) n`,
    sql`insert into contact_change (tenant_id, contact_id, field, old_value, new_value, source, changed_at)
      select ${tenantId}, ${contactId(n)}, 'plan', '"trial"', '"pro"', 'test', now()
      from generate_series(1, ${contacts}::integer) n`,
    sql`insert into product_user (tenant_id, user_id, contact_id, properties, created_at, updated_at)
      select ${tenantId}, 'u' || n, ${contactId(sql`(1 + n % ${contacts}::integer)`)}, ${properties(n)}, now(), now()
      from generate_series(1, ${users}::integer) n`,
    sql`insert into organization (tenant_id, org_id, name, properties)
      select ${tenantId}, 'o' || n, 'Engines ' || n, ${properties(n)} from generate_series(1, ${orgs}::integer) n`,
    sql`insert into org_membership (tenant_id, org_id, user_id, created_at)
      select ${tenantId}::bigint, 'o' || (1 + n % ${orgs}::integer), 'u' || n, now() from generate_series(1, ${users}::integer) n
      union all
      select ${tenantId}::bigint, 'o' || (1 + (n + 1) % ${orgs}::integer), 'u' || n, now()
      from generate_series(1, ${users}::integer) n where n % 3 = 0`,
  ];
}

function happenings({ tenantId, contacts }: Size): Sql[] {
  const n = sql`n`;
  const rows = sql`generate_series(1, ${contacts}::integer) n cross join generate_series(1, 3) k`;
  const at = sql`now() - (n % 40 + k) * interval '1 day'`;
  return [
    sql`insert into event (tenant_id, contact_id, event_date, event_no, event_name, user_id, org_id, properties)
      select ${tenantId}, ${contactId(n)}, ${at}, n * 3 + k, (array['login', 'export', 'other'])[k], 'u' || n, 'o' || n,
        jsonb_build_object('total', n % 100) from ${rows}`,
    sql`insert into marketing_activity (tenant_id, contact_id, event_date, event_no, event_name, email_id, journey_id, link_url, is_machine)
      select ${tenantId}, ${contactId(n)}, ${at}, n * 3 + k, (array['sent', 'opened', 'clicked'])[k], ${bytea(emailId)}::bytea,
        ${bytea(journeyId)}::bytea, 'https://x.test/', false from ${rows}`,
  ];
}

function lists({ tenantId, contacts }: Size, account: number): Sql[] {
  const some = sql`generate_series(1, ${contacts}::integer, 3) n`;
  return [
    sql`insert into static_list (tenant_id, list_id, name, name_folded, name_grams, created_by, updated_by)
      values (${tenantId}, ${bytea(staticListId)}, 'Static', '', '{}', ${account}, ${account})`,
    sql`insert into list_member (tenant_id, list_id, contact_id)
      select ${tenantId}, ${bytea(staticListId)}::bytea, ${contactId(sql`n`)} from ${some}`,
    sql`insert into dynamic_list (tenant_id, list_id, list_no, name, name_folded, name_grams, created_by, updated_by, is_built)
      overriding system value values (${tenantId}, ${bytea(dynamicListId)}, 1, 'Dynamic', '', '{}', ${account}, ${account}, true)`,
    sql`insert into dynamic_member (tenant_id, list_no, contact_id, joined_at)
      select ${tenantId}, 1, ${contactId(sql`n`)}, now() from ${some}`,
  ];
}

/** Most have made a choice about a topic that they are not subscribed to by default. */
function topics({ tenantId, contacts }: Size): Sql[] {
  return [
    sql`insert into topic (tenant_id, topic_id, key, by_default, name, name_folded, visibility, double_opt_in)
      values (${tenantId}, ${bytea(topicId)}, 'topic', 'unsubscribed', 'Topic', 'topic', 'public', false)`,
    sql`insert into contact_topic (tenant_id, contact_id, topic_id, state, since, source)
      select ${tenantId}, ${contactId(sql`n`)}, ${bytea(topicId)}::bytea, (array['subscribed', 'unsubscribed', 'pending'])[1 + n % 3],
        now(), 'api' from generate_series(1, ${contacts}::integer) n where n % 5 > 0`,
  ];
}
