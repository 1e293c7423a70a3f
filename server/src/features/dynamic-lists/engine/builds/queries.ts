// Builds of lists: their steps and bookmarks, and what makes one start over.
import type { Runner, Transaction } from '../../../../db/database.js';
import { sql } from '../../../../db/sql.js';
import { contactTable } from '../../../contacts/index.js';
import { eventFloorTable } from '../../../events/index.js';

/** A list that is not built, and how far its build has come. */
export interface Unbuilt {
  listNo: number;
  builtTo: string | null;
  /** How many contacts its next step has; null: as many as fit. */
  step: number | null;
  attempts: number;
  isDue: boolean;
  /** It was built once since its filter was made or edited: later changes are news. */
  isSettled: boolean;
}

/** Those that were begun longest ago come first. */
export function selectUnbuilt(tx: Transaction, tenantId: number, now: string): Promise<Unbuilt[]> {
  return tx.rows(sql<Unbuilt>`
    select list_no as "listNo", built_to as "builtTo", build_step as step, attempts, due_at <= ${now}::timestamptz as "isDue",
      is_settled as "isSettled" from dynamic_list
    where tenant_id = ${tenantId} and not is_built and deleted_at is null order by build_began_at, list_no`);
}

/** The next contacts: up to which one, null if there are no more, and how many. */
export async function selectFurther(
  tx: Transaction,
  tenantId: number,
  after: string | null,
  size: number,
): Promise<{ upTo: string | null; contacts: number }> {
  const row = await tx.row(sql<{ contacts: number; last: string | null }>`
    select count(*) as contacts, (array_agg(contact_id order by contact_id desc))[1] as last from (
      select contact_id from ${contactTable}
      where tenant_id = ${tenantId} and contact_id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000')
      order by contact_id limit ${size}) n`);
  const contacts = row?.contacts ?? 0;
  return { upTo: contacts < size ? null : (row?.last ?? null), contacts };
}

/** Before this month events have been dropped. */
export async function selectFloor(tx: Transaction): Promise<number> {
  const row = await tx.row(sql<{ month: number }>`select month from ${eventFloorTable}`);
  return row?.month ?? 0;
}

/** A list with the filter that was evaluated. If it has another by now, this is obsolete. */
export interface Edition {
  listNo: number;
  revision: number;
}

const editions = (lists: readonly Edition[]) => sql`unnest(${lists.map(({ listNo }) => listNo)}::integer[],
  ${lists.map(({ revision }) => revision)}::integer[]) as of (list_no, revision)`;
const isOf = sql`l.list_no = of.list_no and l.revision = of.revision and l.deleted_at is null`;

interface BuiltStep {
  /** Null: the builds are at their end. */
  upTo: string | null;
  /** How many contacts the next step has; null: as many as fit. */
  next: number | null;
  /** Of the first step: if events are dropped during a build, it starts over once it has ended. */
  floor: number | null;
}

export async function endBuildStep(
  tx: Transaction,
  tenantId: number,
  lists: readonly Edition[],
  { upTo, next, floor }: BuiltStep,
): Promise<void> {
  const end =
    upTo === null
      ? sql`is_built = true, is_settled = true, built_to = null, build_step = null, attempts = 0, last_error = null`
      : sql`built_to = ${upTo}::uuid, build_step = ${next}::integer`;
  await tx.run(sql`
    update dynamic_list l set ${end}, event_floor = coalesce(${floor}::integer, l.event_floor)
    from ${editions(lists)} where l.tenant_id = ${tenantId} and ${isOf}`);
}

/** Lists whose step took too long: they stay where they are, and the next step is shorter. */
export async function shortenSteps(
  tx: Transaction,
  tenantId: number,
  lists: readonly Edition[],
  next: number,
): Promise<void> {
  await tx.run(sql`
    update dynamic_list l set build_step = ${next}::integer
    from ${editions(lists)} where l.tenant_id = ${tenantId} and ${isOf}`);
}

/** Lists that could not be evaluated: they are built again, later. */
export async function failLists(
  tx: Transaction,
  tenantId: number,
  lists: readonly Edition[],
  error: string,
): Promise<void> {
  await tx.run(sql`
    update dynamic_list l set is_built = false, built_to = null, attempts = least(l.attempts + 1, 20), last_error = ${error},
      due_at = clock_timestamp() + least(interval '1 hour', interval '5 seconds' * power(2, least(l.attempts, 10)))
    from ${editions(lists)} where l.tenant_id = ${tenantId} and ${isOf}`);
}

export async function touchLists(
  tx: Transaction,
  tenantId: number,
  lists: readonly Edition[],
  now: string,
): Promise<void> {
  await tx.run(sql`
    update dynamic_list l set computed_at = ${now}::timestamptz
    from ${editions(lists)} where l.tenant_id = ${tenantId} and ${isOf}`);
}

/** Lists that read events, and were built before months of them were dropped, are built again. */
export function rebuildForFloor(db: Runner, atMost: number): Promise<number> {
  return db.run(sql`
    /* all tenants */ update dynamic_list l set is_built = false, built_to = null, build_began_at = now(), due_at = now(), event_floor = f.month
    from ${eventFloorTable} f where (l.tenant_id, l.list_no) in (
      select o.tenant_id, o.list_no from dynamic_list o, ${eventFloorTable} of
      where o.is_built and o.deleted_at is null and o.event_floor < of.month limit ${atMost})`);
}
