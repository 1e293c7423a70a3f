// Who is to enter because of the time: runs of a schedule and their members, dates of contacts.
import type { Runner, Transaction } from '../../../db/database.js';
import { bytes, type Sql, sql } from '../../../db/sql.js';
import { contactTable } from '../../contacts/index.js';
import type { Pair } from '../turn/queries.js';

const ms = (column: Sql) => sql`(extract(epoch from ${column}) * 1000)::float8`;
const time = (value: Sql) => sql`to_timestamp(${value} / 1000.0)`;

/** Begins a run: its members of this moment, a thousand in a chunk. `members` has a column contact_id. */
export async function insertRun(
  tx: Transaction,
  tenantId: number,
  run: { runId: string; journeyNo: number; version: number; runAt: number; nextRunAt: number | null },
  members: Sql,
): Promise<number> {
  const { runId, journeyNo, version, runAt, nextRunAt } = run;
  const row = await tx.row(sql<{ members: number }>`
    with member as (
      select contact_id, (row_number() over (order by contact_id) - 1) / 1000 as chunk_no from (${members}) m
    ), chunk as (
      insert into journey_run_chunk (tenant_id, run_id, chunk_no, contact_ids)
      select ${tenantId}, ${bytes(runId)}::bytea, chunk_no, array_agg(contact_id order by contact_id) from member group by chunk_no
      returning cardinality(contact_ids) as members
    ), run as (
      insert into journey_run (tenant_id, run_id, journey_no, version, run_at, members)
      select ${tenantId}, ${bytes(runId)}::bytea, ${journeyNo}, ${version}, ${time(sql`${runAt}::float8`)},
        coalesce((select sum(members) from chunk), 0)
      returning members
    ), journey as (
      update journey set next_run_at = ${time(sql`${nextRunAt}::float8`)}
      where tenant_id = ${tenantId} and journey_no = ${journeyNo}
    )
    select members from run`);
  return row?.members ?? 0;
}

export interface RunStep {
  runId: string;
  journeyNo: number;
  version: number;
  /** Null once all its members were enrolled. */
  chunkNo: number | null;
  contactIds: string[];
}

/** The next members of each run of these journeys, up to a limit in total. */
export async function selectRunSteps(
  tx: Transaction,
  tenantId: number,
  journeyNos: readonly number[],
  atMost: number,
): Promise<RunStep[]> {
  const rows = await tx.rows(sql<RunStep>`
    select r.run_id as "runId", r.journey_no as "journeyNo", r.version, c.chunk_no as "chunkNo",
      coalesce(array(select replace(id::text, '-', '') from unnest(c.contact_ids) with ordinality as i (id, ord)
        order by ord limit ${atMost}), '{}') as "contactIds"
    from journey_run r left join lateral (
      select chunk_no, contact_ids from journey_run_chunk c
      where c.tenant_id = r.tenant_id and c.run_id = r.run_id order by chunk_no limit 1
    ) c on true
    where r.tenant_id = ${tenantId} and r.journey_no = any(${journeyNos}::integer[]) and r.ended_at is null
    order by r.run_at, r.run_id limit 20`);
  let left = atMost;
  return rows.flatMap((row) => {
    if (left <= 0) return [];
    const contactIds = row.contactIds.slice(0, left);
    left -= contactIds.length;
    return [{ ...row, contactIds }];
  });
}

/** These members of a run were processed, and this many of them entered. */
export async function endRunStep(
  tx: Transaction,
  tenantId: number,
  { runId, chunkNo, contactIds }: Pick<RunStep, 'runId' | 'chunkNo' | 'contactIds'>,
  enrolled = 0,
): Promise<void> {
  const ofRun = sql`tenant_id = ${tenantId} and run_id = ${bytes(runId)}`;
  const own = sql`${ofRun} and chunk_no = ${chunkNo}`;
  const done = contactIds.length;
  await tx.run(sql`
    with gone as (
      delete from journey_run_chunk where ${own} and cardinality(contact_ids) <= ${done}::integer
    ), counted as (
      update journey_run set enrolled = enrolled + ${enrolled}::integer where ${ofRun} and ${enrolled}::integer > 0
    )
    update journey_run_chunk set contact_ids = contact_ids[${done}::integer + 1:]
    where ${own} and cardinality(contact_ids) > ${done}::integer`);
}

export async function endRun(tx: Transaction, tenantId: number, runId: string, now: string): Promise<void> {
  await tx.run(sql`
    update journey_run set ended_at = ${now} where tenant_id = ${tenantId} and run_id = ${bytes(runId)}`);
}

/** Deactivates the batch journeys among these, broadcasts apart, that have no run ahead, no open run and no contact under way. Returns which. */
export async function finishBatches(
  tx: Transaction,
  tenantId: number,
  journeyNos: readonly number[],
): Promise<number[]> {
  const rows = await tx.rows(sql<{ journeyNo: number }>`
    update journey j set state = 'inactive', updated_at = now()
    where j.tenant_id = ${tenantId} and j.journey_no = any(${journeyNos}::integer[]) and j.state = 'active' and j.next_run_at is null
      and j.broadcast is null
      and not exists (select from journey_run r
        where r.tenant_id = j.tenant_id and r.journey_no = j.journey_no and r.ended_at is null)
      and not exists (select from enrolment e
        where e.tenant_id = j.tenant_id and e.journey_no = j.journey_no and e.state = 'active')
    returning journey_no as "journeyNo"`);
  return rows.map((row) => row.journeyNo);
}

/** Contacts after this one, in the order of their ids. */
export async function selectContactsAfter(
  tx: Transaction,
  tenantId: number,
  after: string | null,
  atMost: number,
): Promise<string[]> {
  const from = after ?? '00000000000000000000000000000000';
  const rows = await tx.rows(sql<{ id: string }>`
    select contact_id as id from ${contactTable} where tenant_id = ${tenantId} and contact_id > ${from}::uuid
    order by contact_id limit ${atMost}`);
  return rows.map((row) => row.id);
}

/** `to` null: every contact was looked at. */
export async function endDateStep(
  tx: Transaction,
  tenantId: number,
  journeyNo: number,
  to: string | null,
): Promise<void> {
  await tx.run(sql`
    update journey set dates_to = ${to}::uuid, dates_built = ${to === null}
    where tenant_id = ${tenantId} and journey_no = ${journeyNo}`);
}

export interface DatedContact extends Pair {
  /** Null: none. */
  dueAt: number | null;
}

export async function putDates(tx: Transaction, tenantId: number, dates: readonly DatedContact[]): Promise<void> {
  if (dates.length === 0) return;
  await tx.run(sql`
    with d as (
      select * from unnest(${dates.map((d) => d.journeyNo)}::integer[], ${dates.map((d) => d.contactId)}::uuid[],
        ${dates.map((d) => d.dueAt)}::float8[]) as d (journey_no, contact_id, due_at)
    ), gone as (
      delete from journey_date o using d
      where o.tenant_id = ${tenantId} and o.journey_no = d.journey_no and o.contact_id = d.contact_id and d.due_at is null
    )
    insert into journey_date as o (tenant_id, journey_no, contact_id, due_at)
    select ${tenantId}, journey_no, contact_id, ${time(sql`due_at`)} from d where due_at is not null
    on conflict (tenant_id, journey_no, contact_id) do update set due_at = excluded.due_at where o.due_at <> excluded.due_at`);
}

export function selectDueDates(
  tx: Transaction,
  tenantId: number,
  journeyNos: readonly number[],
  atMost: number,
  now: string,
): Promise<(Pair & { dueAt: number })[]> {
  return tx.rows(sql<Pair & { dueAt: number }>`
    select d.* from unnest(${journeyNos}::integer[]) as j (no) cross join lateral (
      select journey_no as "journeyNo", contact_id as "contactId", ${ms(sql`due_at`)} as "dueAt" from journey_date
      where tenant_id = ${tenantId} and journey_no = j.no and due_at <= ${now}::timestamptz order by due_at limit ${atMost}
    ) d order by d."dueAt" limit ${atMost}`);
}

/** Dates of journeys that are over. */
export function sweepDates(db: Runner, atMost: number): Promise<number> {
  return db.run(sql`
    /* all tenants */ delete from journey_date d using (
      select o.tenant_id, o.journey_no, o.contact_id from journey j
      join journey_date o on o.tenant_id = j.tenant_id and o.journey_no = j.journey_no
      where j.state <> 'active' limit ${atMost}
    ) old where d.tenant_id = old.tenant_id and d.journey_no = old.journey_no and d.contact_id = old.contact_id`);
}

/** Keeps an active trigger journey as it is; the tenant's journeys are held. */
export function findEntered(
  tx: Transaction,
  tenantId: number,
  journeyId: string,
): Promise<{ journeyNo: number; state: string; type: string } | undefined> {
  return tx.row(sql<{ journeyNo: number; state: string; type: string }>`
    select journey_no as "journeyNo", state, type from journey
    where tenant_id = ${tenantId} and journey_id = ${bytes(journeyId)} and deleted_at is null`);
}
