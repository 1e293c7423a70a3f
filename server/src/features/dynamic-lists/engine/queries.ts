// What waits to be evaluated, as the worker takes it; and what deleted lists leave behind.
import { counterOf, forgetCounters } from '../../../db/counters.js';
import type { Background, Runner, Transaction } from '../../../db/database.js';
import { locks, lockTenant } from '../../../db/locks.js';
import { sql } from '../../../db/sql.js';
import { headsOf } from '../../../work/heads.js';
import type { Due, Waiting } from '../../../work/queue.js';
import { orgMembershipTable } from '../../organizations/index.js';
import { productUserTable } from '../../users/index.js';

/** A contact that lists have to check. `listNos` empty: all lists. */
export interface Change {
  contactId: string;
  listNos: number[];
  orgListNos: number[] | null;
}

/** Takes the oldest changes: their lists check them in this transaction. */
export function takeChanges(tx: Transaction, tenantId: number, atMost: number): Promise<Change[]> {
  return tx.rows(sql<Change>`
    delete from audience_change where tenant_id = ${tenantId} and change_no in (
      select change_no from audience_change where tenant_id = ${tenantId} order by change_no limit ${atMost})
    returning contact_id as "contactId", list_nos as "listNos", org_list_nos as "orgListNos"`);
}

/** Takes due moments. */
export function takeMoments(tx: Transaction, tenantId: number, atMost: number, now: string): Promise<Change[]> {
  return tx.rows(sql<Change>`
    delete from dynamic_due d using (
      select list_no, contact_id from dynamic_due where tenant_id = ${tenantId} and due_at <= ${now}::timestamptz
      order by due_at limit ${atMost}
    ) due where d.tenant_id = ${tenantId} and d.list_no = due.list_no and d.contact_id = due.contact_id
    returning d.contact_id as "contactId", array[d.list_no] as "listNos", null::integer[] as "orgListNos"`);
}

/** These lists have to check the organizations of these contacts. */
export async function spreadToOrgs(
  tx: Transaction,
  tenantId: number,
  contactIds: readonly string[],
  listNos: readonly number[],
  now: string,
): Promise<void> {
  await tx.run(sql`
    insert into audience_org_change (tenant_id, org_id, list_nos, changed_at)
    select distinct ${tenantId}::bigint, m.org_id, ${listNos}::integer[], ${now}::timestamptz
    from ${productUserTable} u join ${orgMembershipTable} m on m.tenant_id = u.tenant_id and m.user_id = u.user_id
    where u.tenant_id = ${tenantId} and u.contact_id = any(${contactIds}::uuid[])`);
}

/** The oldest organization to check, and its next members. */
export interface OrgStep {
  changeNo: number;
  listNos: number[];
  orgListNos: number[] | null;
  contactIds: string[];
}

export async function selectOrgStep(tx: Transaction, tenantId: number, atMost: number): Promise<OrgStep | undefined> {
  const oldest = await tx.row(sql<{ changeNo: number; orgId: string; isBegun: boolean }>`
    select change_no as "changeNo", org_id as "orgId", done_to is not null as "isBegun" from audience_org_change
    where tenant_id = ${tenantId} order by change_no limit 1`);
  if (!oldest) return undefined;
  if (!oldest.isBegun) await mergeOrgChanges(tx, tenantId, oldest);
  return tx.row(sql<OrgStep>`
    select o.change_no as "changeNo", o.list_nos as "listNos", o.org_list_nos as "orgListNos",
      array(select distinct replace(u.contact_id::text, '-', '') as id
        from ${orgMembershipTable} m join ${productUserTable} u on u.tenant_id = m.tenant_id and u.user_id = m.user_id
        where m.tenant_id = o.tenant_id and m.org_id = o.org_id and (o.done_to is null or u.contact_id > o.done_to)
        order by id limit ${atMost}) as "contactIds"
    from audience_org_change o where o.tenant_id = ${tenantId} and o.change_no = ${oldest.changeNo}`);
}

/** Other marks of the same organization are served by the same pass, if that has not begun. */
async function mergeOrgChanges(
  tx: Transaction,
  tenantId: number,
  { changeNo, orgId }: { changeNo: number; orgId: string },
): Promise<void> {
  await tx.run(sql`
    with later as (
      delete from audience_org_change where tenant_id = ${tenantId} and org_id = ${orgId} and change_no <> ${changeNo}
      returning list_nos, org_list_nos
    ), lists as (
      select (select array_agg(distinct n) from later, unnest(list_nos) n) as own,
        (select array_agg(distinct n) from later, unnest(org_list_nos) n) as orgs
      from later limit 1
    )
    update audience_org_change o set list_nos = array(select distinct unnest(o.list_nos || l.own)),
      org_list_nos = nullif(array(select distinct unnest(o.org_list_nos || l.orgs)), '{}')
    from lists l where o.tenant_id = ${tenantId} and o.change_no = ${changeNo}`);
}

export async function endOrgStep(
  tx: Transaction,
  tenantId: number,
  changeNo: number,
  doneTo: string | undefined,
): Promise<void> {
  if (doneTo === undefined)
    await tx.run(sql`delete from audience_org_change where tenant_id = ${tenantId} and change_no = ${changeNo}`);
  else
    await tx.run(sql`
      update audience_org_change set done_to = ${doneTo}::uuid where tenant_id = ${tenantId} and change_no = ${changeNo}`);
}

/** Other transactions that may have begun to write before a filter existed. */
export async function selectWriters(tx: Transaction, tenantId: number): Promise<string[]> {
  const rows = await tx.rows(sql<{ writer: string }>`
    select virtualtransaction as writer from pg_locks
    where locktype = 'advisory' and classid = ${locks.audience}::oid and objid = ${tenantId}::oid and objsubid = 2
      and database = (select oid from pg_database where datname = current_database())
      and granted and pid <> pg_backend_pid()`);
  return rows.map((row) => row.writer);
}

const changeHeads = headsOf(sql`audience_change`, sql`true`, sql`change_no`, sql`change_no`);
const orgHeads = headsOf(sql`audience_org_change`, sql`true`, sql`change_no`, sql`change_no`);
const momentHeads = headsOf(sql`dynamic_due`, sql`true`, sql`due_at`, sql`due_at`);
const buildHeads = headsOf(sql`dynamic_list`, sql`not is_built and deleted_at is null`, sql`due_at`, sql`due_at`);

/** Tenants with something to look at, and when the next moment comes. */
export async function selectDue(db: Runner): Promise<Due> {
  const rows = await db.rows(sql<{ tenantId: number; waitMs: number }>`
    select tenant_id as "tenantId", 0::float8 as "waitMs" from ${changeHeads} changes
    union all select tenant_id, 0 from ${orgHeads} orgs
    union all select tenant_id, extract(epoch from due_at - clock_timestamp()) * 1000 from ${momentHeads} moments
    union all select tenant_id, extract(epoch from due_at - clock_timestamp()) * 1000 from ${buildHeads} builds`);
  const waits = rows.filter((row) => row.waitMs > 0).map((row) => row.waitMs);
  return {
    tenants: [...new Set(rows.filter((row) => row.waitMs <= 0).map((row) => row.tenantId))],
    nextInMs: waits.length > 0 ? Math.min(...waits) : undefined,
  };
}

export function selectWaiting(db: Runner): Promise<Waiting[]> {
  return db.rows(sql<Waiting>`
    /* all tenants */ select tenant_id as "tenantId", 'audience.change' as kind, count(*) as count, min(changed_at) as since,
      0 as attempts, null::text as "lastError", null::timestamptz as "dueAt"
    from (select tenant_id, changed_at from audience_change union all select tenant_id, changed_at from audience_org_change) c
    group by tenant_id
    union all
    select tenant_id, 'audience.moment', count(*), min(due_at), 0, null, null
    from dynamic_due where due_at <= now() group by tenant_id
    union all
    select tenant_id, 'audience.build', count(*), min(build_began_at), max(attempts)::integer,
      max(last_error), min(due_at) filter (where attempts > 0)
    from dynamic_list where not is_built and deleted_at is null group by tenant_id`);
}

const mostSweepers = 50;

/**
 * Removes members and moments of deleted lists, a few at a time. Returns how many. A worker that is looking at the tenant may still store
 * some for the old lists: this does not wait for it, the tenant comes another time.
 */
export async function sweepDeleted(db: Background, atMost: number): Promise<number> {
  const tenants = await db.rows(sql<{ tenantId: number }>`
    /* all tenants */ select distinct tenant_id as "tenantId" from dynamic_list where deleted_at is not null and not is_swept limit ${mostSweepers}`);
  for (const { tenantId } of tenants) {
    const swept = await db.transaction(async (tx) =>
      (await lockTenant(tx, tenantId, locks.audienceTurn)) === undefined ? 0 : sweepTenant(tx, tenantId, atMost),
    );
    if (swept > 0) return swept;
  }
  return 0;
}

async function sweepTenant(tx: Transaction, tenantId: number, atMost: number): Promise<number> {
  const row = await tx.row(sql<{ swept: number }>`
    with list as (
      select tenant_id, list_no from dynamic_list
      where tenant_id = ${tenantId} and deleted_at is not null and not is_swept
      order by list_no limit 1
    ), member as (
      delete from dynamic_member m using (
        select m.tenant_id, m.list_no, m.contact_id from list l join dynamic_member m using (tenant_id, list_no) limit ${atMost}
      ) old where m.tenant_id = old.tenant_id and m.list_no = old.list_no and m.contact_id = old.contact_id returning 1
    ), moment as (
      delete from dynamic_due d using (
        select d.tenant_id, d.list_no, d.contact_id from list l join dynamic_due d using (tenant_id, list_no) limit ${atMost}
      ) old where d.tenant_id = old.tenant_id and d.list_no = old.list_no and d.contact_id = old.contact_id returning 1
    ), done as (
      update dynamic_list d set is_swept = true from list l
      where d.tenant_id = l.tenant_id and d.list_no = l.list_no
        and (select count(*) from member) + (select count(*) from moment) = 0
      returning d.tenant_id, d.list_no
    ), forgotten as (
      ${forgetCounters(sql`done`, counterOf.dynamicMembers(sql`done.list_no`))}
    )
    select ((select count(*) from member) + (select count(*) from moment) + (select count(*) from done) * ${atMost}) as swept`);
  return row?.swept ?? 0;
}
