import type { Database } from '../../src/db/database.js';
import { type Sql, sql } from '../../src/db/sql.js';
import { iso } from './interpreter-events.js';
import type { List, World } from './world.js';
import { changesOf } from './world-arbitrary.js';

/** Writes the world straight into the tables, as a separate tenant. Returns the tenant. */
export async function writeWorld(db: Database, world: World): Promise<number> {
  return db.background.transaction(async (tx) => {
    const made = await tx.row(sql<{ id: string; account: string }>`
      with made as (insert into tenant (name) values ('World') returning tenant_id),
      account as (insert into account (tenant_id, name) select tenant_id, 'Somebody' from made returning account_id)
      select tenant_id as id, account_id as account from made, account`);
    const tenantId = Number(made?.id);
    for (const statement of [
      ...people(tenantId, world),
      ...organizations(tenantId, world),
      ...events(tenantId, world),
      ...activity(tenantId, world),
      ...lists(tenantId, Number(made?.account), world),
      ...topics(tenantId, world),
    ])
      await tx.run(statement);
    return tenantId;
  });
}

function people(tenantId: number, { contacts, users }: World): Sql[] {
  const rows = contacts.map((each) => ({ ...each, created: iso(each.createdAt), updated: iso(each.updatedAt) }));
  const changes = contacts.flatMap((each) =>
    [
      ...changesOf(each),
      // The activity log also contains changes of users: those are not the contact's own.
      { field: 'user.a', was: 'a', became: 10 },
    ].map((change) => ({ ...change, id: each.id })),
  );
  return [
    sql`insert into contact (tenant_id, contact_id, email, properties, created_at, updated_at, search_text)
      select ${tenantId}, id, email, properties, created, updated, email from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as r (id uuid, email text, properties jsonb, created timestamptz, updated timestamptz)`,
    sql`insert into contact_change (tenant_id, contact_id, field, old_value, new_value, source, changed_at)
      select ${tenantId}, (r->>'id')::uuid, r->>'field', r->'was', r->'became', 'test', now()
      from jsonb_array_elements(${JSON.stringify(changes)}::jsonb) with ordinality as e (r, ord) order by ord`,
    sql`insert into product_user (tenant_id, user_id, contact_id, properties, created_at, updated_at)
      select ${tenantId}, "userId", "contactId", properties, now(), now() from jsonb_to_recordset(${JSON.stringify(users)}::jsonb)
        as r ("userId" text, "contactId" uuid, properties jsonb)`,
  ];
}

function organizations(tenantId: number, { organizations, memberships }: World): Sql[] {
  return [
    sql`insert into organization (tenant_id, org_id, name, properties)
      select ${tenantId}, "orgId", name, properties from jsonb_to_recordset(${JSON.stringify(organizations)}::jsonb)
        as r ("orgId" text, name text, properties jsonb)`,
    sql`insert into org_membership (tenant_id, org_id, user_id, created_at)
      select ${tenantId}, "orgId", "userId", now() from jsonb_to_recordset(${JSON.stringify(memberships)}::jsonb)
        as r ("orgId" text, "userId" text)`,
  ];
}

function events(tenantId: number, { events }: World): Sql[] {
  const rows = events.map((each) => ({ ...each, at: iso(each.at) }));
  return [
    sql`insert into event (tenant_id, contact_id, event_date, event_no, event_name, user_id, org_id, properties)
      select ${tenantId}, "contactId", at, no, name, "userId", "orgId", properties
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r
        ("contactId" uuid, at timestamptz, no bigint, name text, "userId" text, "orgId" text, properties jsonb)`,
  ];
}

function activity(tenantId: number, { activity }: World): Sql[] {
  const rows = activity.map((each) => ({ ...each, at: iso(each.at) }));
  return [
    sql`insert into marketing_activity
        (tenant_id, contact_id, event_date, event_no, event_name, email_id, journey_id, link_url, is_machine)
      select ${tenantId}, "contactId", at, no, what, decode("emailId", 'hex'), decode("journeyId", 'hex'), "linkUrl", "isMachine"
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r ("contactId" uuid, at timestamptz, no bigint, what text,
        "emailId" text, "journeyId" text, "linkUrl" text, "isMachine" boolean)`,
  ];
}

// The numbers of dynamic lists are the same in every tenant, too.
function lists(tenantId: number, account: number, { staticLists, dynamicLists }: World): Sql[] {
  const ids = (all: readonly List[]) => all.map((list) => `\\x${list.id}`);
  const members = (all: readonly List[]) =>
    JSON.stringify(all.flatMap((list, i) => list.members.map((contactId) => ({ no: i + 1, id: list.id, contactId }))));
  return [
    sql`insert into static_list (tenant_id, list_id, name, name_folded, name_grams, created_by, updated_by)
      select ${tenantId}, id, id::text, '', '{}', ${account}, ${account} from unnest(${ids(staticLists)}::bytea[]) as l (id)`,
    sql`insert into list_member (tenant_id, list_id, contact_id)
      select ${tenantId}, decode(id, 'hex'), "contactId" from jsonb_to_recordset(${members(staticLists)}::jsonb)
        as r (id text, "contactId" uuid)`,
    sql`insert into dynamic_list (tenant_id, list_id, list_no, name, name_folded, name_grams, created_by, updated_by)
      overriding system value select ${tenantId}, id, no, id::text, '', '{}', ${account}, ${account}
      from unnest(${ids(dynamicLists)}::bytea[]) with ordinality as l (id, no)`,
    sql`insert into dynamic_member (tenant_id, list_no, contact_id, joined_at)
      select ${tenantId}, no, "contactId", now() from jsonb_to_recordset(${members(dynamicLists)}::jsonb)
        as r (no integer, "contactId" uuid)`,
  ];
}

function topics(tenantId: number, { topics }: World): Sql[] {
  const said = topics.flatMap(({ id, said }) =>
    Object.entries(said).map(([contactId, state]) => ({ id, contactId, state })),
  );
  return [
    sql`insert into topic (tenant_id, topic_id, key, by_default, name, name_folded, visibility, double_opt_in)
      select ${tenantId}, decode(id, 'hex'), left(id, 8), "byDefault", id, id, 'public', false
      from jsonb_to_recordset(${JSON.stringify(topics)}::jsonb) as r (id text, "byDefault" text)`,
    sql`insert into contact_topic (tenant_id, contact_id, topic_id, state, since, source)
      select ${tenantId}, "contactId", decode(id, 'hex'), state, now(), 'api' from jsonb_to_recordset(${JSON.stringify(said)}::jsonb)
        as r (id text, "contactId" uuid, state text)`,
  ];
}
