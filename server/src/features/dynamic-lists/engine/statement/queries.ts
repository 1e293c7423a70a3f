// The statement that evaluates contacts for some lists, and updates their members and moments.
import { counterOf, intoCounters } from '../../../../db/counters.js';
import type { Transaction } from '../../../../db/database.js';
import { hashed, type Sql, sql } from '../../../../db/sql.js';
import { contactTable } from '../../../contacts/index.js';
import { type Extent, listed, tenantSql } from '../../../filter-language/index.js';
import { departureKept, intoDepartures } from '../../../lists/index.js';
import { arrayText, type MarkedContact, noList } from '../marks/queries.js';

/** Which contacts are evaluated: a condition on an id, and how many they are. */
export interface Scope {
  readonly extent: Extent;
  holds(contactId: Sql): Sql;
}

export function contactsOf(contactIds: readonly string[]): Scope {
  return { extent: 'few', holds: (contactId) => sql`${contactId} = any(${contactIds}::uuid[])` };
}

const lowest = '00000000000000000000000000000000';
const highest = 'ffffffffffffffffffffffffffffffff';

// Up to this many contacts, the rows of each are looked up; with more, everything is read once.
const mostLookedUp = 5000;

/** A number of contacts after one up to another; null is open. */
export function rangeOf(after: string | null, upTo: string | null, contacts: number): Scope {
  if (after === null && upTo === null) return { extent: 'all', holds: () => sql`true` };
  return {
    extent: contacts > mostLookedUp ? 'many' : 'few',
    holds: (contactId) => sql`${contactId} > ${after ?? lowest}::uuid and ${contactId} <= ${upTo ?? highest}::uuid`,
  };
}

/** Seconds. A statement of a turn takes milliseconds; one that takes this long would delay every other tenant. */
export const longestStatement = 20;

/** From here on a statement of the transaction is ended when it takes too long. */
export async function limitStatements(tx: Transaction, seconds = longestStatement): Promise<void> {
  await tx.run(sql`select set_config('statement_timeout', ${`${seconds}s`}, true)`);
}

/** An evaluation that was ended. It does not pass by waiting: with fewer contacts or without one of the lists it may. */
export class TooSlow extends Error {
  constructor(cause: unknown) {
    super('Finding the members took longer than a statement may take.', { cause });
  }
}

/** A moment as an expression. */
export function momentOf(now: string): Sql {
  return sql`${now}::timestamptz`;
}

/** What it did before it failed is undone, and the transaction goes on. */
export async function inSavepoint<T>(
  tx: Transaction,
  work: () => Promise<T>,
  onError: (error: Error) => Promise<T>,
): Promise<T> {
  await tx.run(sql`savepoint evaluation`);
  try {
    const done = await work();
    await tx.run(sql`release savepoint evaluation`);
    return done;
  } catch (error) {
    await tx.run(sql`rollback to savepoint evaluation`);
    return onError(error as Error);
  }
}

/** A part of a list's filter as SQL, over the contact `c`: see filter/compile. */
interface Evaluated {
  listNo: number;
  holds: Sql;
  next: Sql | undefined;
  narrow: Sql | undefined;
  /** Lists that read who is in this one, or whether members of their organizations are. */
  readers: Omit<MarkedContact, 'contactId'>;
}

export interface Move {
  listNo: number;
  contactId: string;
  joined: boolean;
}

/**
 * Evaluates lists for the contacts of a scope, and updates their members and moments. One statement: what it finds and what it
 * changes are of one snapshot. Returns who joined and left.
 */
export async function evaluateLists(
  tx: Transaction,
  tenantId: number,
  { joins, lists }: { joins: Sql; lists: readonly Evaluated[] },
  scope: Scope,
  now: string,
): Promise<Move[]> {
  const tenant = tenantSql(tenantId);
  const numbers = lists.map(({ listNo }) => listNo);
  const timed = lists.filter(({ next }) => next !== undefined).map(({ listNo }) => listNo);
  const values = listed(
    lists.map(({ listNo, holds, next }) => sql`(${listNo}::integer, ${holds}, ${next ?? sql`null`}::timestamptz)`),
  );
  const narrow = lists.length === 1 ? lists[0]?.narrow : undefined;
  // Whatever the lists read, old and new members are compared as sets that the planner knows nothing about.
  const evaluation = hashed(sql<Move>`
    with held as materialized (
      select c.contact_id, v.list_no, v.holds, v.next
      from ${contactTable} c ${joins} cross join lateral (values ${values}) as v (list_no, holds, next)
      where c.tenant_id = ${tenant} and ${scope.holds(sql`c.contact_id`)} ${narrow ? sql`and ${narrow}` : sql``}
    ), member as materialized (
      select m.list_no, m.contact_id from dynamic_member m
      where m.tenant_id = ${tenant} and m.list_no = any(${numbers}::integer[]) and ${scope.holds(sql`m.contact_id`)}
    ), joined as (
      insert into dynamic_member (tenant_id, list_no, contact_id, joined_at)
      select ${tenantId}, h.list_no, h.contact_id, ${now}::timestamptz from held h
      where h.holds and not exists (select from member m where m.list_no = h.list_no and m.contact_id = h.contact_id)
      order by 2, 3 returning list_no, contact_id
    ), gone as (
      delete from dynamic_member d using member m
      where d.tenant_id = ${tenant} and d.list_no = m.list_no and d.contact_id = m.contact_id
        -- Said again, because the two are joined by hash: this bounds what is read.
        and d.list_no = any(${numbers}::integer[]) and ${scope.holds(sql`d.contact_id`)}
        and not exists (select from held h where h.holds and h.list_no = m.list_no and h.contact_id = m.contact_id)
      returning d.list_no, d.contact_id
    ), moved as (
      select list_no, contact_id, true as joined from joined union all select list_no, contact_id, false from gone
    ), departed as (
      ${intoDepartures}
      select ${tenantId}, l.list_id, g.contact_id, ${now}::timestamptz
      from gone g join dynamic_list l on l.tenant_id = ${tenant} and l.list_no = g.list_no and l.list_no = any(${numbers}::integer[])
      -- Who was erased meanwhile is nowhere.
      cross join lateral (
        select 1 from ${contactTable} c where c.tenant_id = ${tenant} and c.contact_id = g.contact_id limit 1
      ) there order by 2, 3 ${departureKept}
    ), counted as (
      ${intoCounters}
      select ${tenantId}, ${counterOf.dynamicMembers(sql`list_no`)}, sum(case when joined then 1 else -1 end)
      from moved group by list_no having sum(case when joined then 1 else -1 end) <> 0
    ), ${momentsOf(tenantId, timed, scope)} ${readersOf(tenantId, lists, now)}
    select list_no as "listNo", contact_id as "contactId", joined from moved`);
  return tx.rows(evaluation).catch((error: { code?: string }) => {
    throw error.code === '57014' ? new TooSlow(error) : error;
  });
}

/** New and changed moments are stored; obsolete ones removed. */
function momentsOf(tenantId: number, timed: readonly number[], scope: Scope): Sql {
  if (timed.length === 0) return sql`moments as (select)`;
  const tenant = tenantSql(tenantId);
  return sql`due as (
      insert into dynamic_due as d (tenant_id, list_no, contact_id, due_at)
      select ${tenantId}, list_no, contact_id, next from held where next < 'infinity' order by 2, 3
      on conflict (tenant_id, list_no, contact_id) do update set due_at = excluded.due_at where d.due_at <> excluded.due_at
    ), moments as (
      delete from dynamic_due d
      where d.tenant_id = ${tenant} and d.list_no = any(${timed}::integer[]) and ${scope.holds(sql`d.contact_id`)}
        and not exists (select from held h
          where h.next < 'infinity' and h.list_no = d.list_no and h.contact_id = d.contact_id)
    )`;
}

/** Contacts that joined or left have changed for the lists that read this one. */
function readersOf(tenantId: number, lists: readonly Evaluated[], now: string): Sql {
  const read = lists.filter(({ readers }) => readers.listNos.length + readers.orgListNos.length > 0);
  if (read.length === 0) return sql``;
  const numbers = read.map(({ listNo }) => listNo);
  const own = read.map(({ readers }) => arrayText(readers.listNos.length > 0 ? readers.listNos : noList));
  const orgs = read.map(({ readers }) => arrayText(readers.orgListNos));
  return sql`, told as (
      insert into audience_change (tenant_id, contact_id, list_nos, org_list_nos, changed_at)
      select ${tenantId}, m.contact_id, r.own::integer[], nullif(r.orgs, '{}')::integer[], ${now}::timestamptz from moved m
      join unnest(${numbers}::integer[], ${own}::text[], ${orgs}::text[]) as r (list_no, own, orgs) using (list_no)
    )`;
}
