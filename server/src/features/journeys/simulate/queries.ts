// Copies that a simulation works on: temporary views in place of the tables that filters read. All of it is in a transaction that is
// always rolled back, so that nothing is written; only reads touch the real tables, so that no writer is held up.
import type { Runner, Transaction } from '../../../db/database.js';
import { bytes, type Sql, sql } from '../../../db/sql.js';
import { contactTopicTable } from '../../consent/index.js';
import { contactChangeTable, contactTable } from '../../contacts/index.js';
import { eventTable } from '../../events/index.js';
import { listMemberTable } from '../../lists/index.js';
import type { Past } from './elsewhere.js';

const time = (value: Sql) => sql`to_timestamp(${value} / 1000.0)`;

/**
 * A temporary relation comes before one of the same name elsewhere; in its own definition, before it is there, the name means the real
 * one. The views are plain joins and unions, so that PostgreSQL looks through them and reads the same indexes as without.
 */
const copies: readonly Sql[] = [
  sql`create temp table sim_contact (tenant_id bigint, contact_id uuid, properties jsonb, updated_at timestamptz(3),
    primary key (tenant_id, contact_id)) on commit drop`,
  sql`create temp view ${contactTable} as
    select c.tenant_id, c.contact_id, c.email, coalesce(s.properties, c.properties) as properties, c.created_at,
      coalesce(s.updated_at, c.updated_at) as updated_at, c.search_text
    from ${contactTable} c left join sim_contact s on s.tenant_id = c.tenant_id and s.contact_id = c.contact_id`,
  sql`create temp table sim_change (like ${contactChangeTable}) on commit drop`,
  sql`alter table sim_change alter column change_id drop not null`,
  sql`create index on sim_change (tenant_id, contact_id)`,
  sql`create temp view ${contactChangeTable} as select * from ${contactChangeTable} union all select * from sim_change`,
  sql`create temp table sim_event (like ${eventTable}) on commit drop`,
  sql`create index on sim_event (tenant_id, contact_id, event_date)`,
  sql`create temp view ${eventTable} as select * from ${eventTable} union all select * from sim_event`,
  sql`create temp table sim_member (like ${listMemberTable}, primary key (tenant_id, list_id, contact_id)) on commit drop`,
  // Whom a step added or removed: what the table says of them counts no more.
  sql`create temp table sim_settled (tenant_id bigint, list_id bytea, contact_id uuid,
    primary key (tenant_id, list_id, contact_id)) on commit drop`,
  sql`create temp view ${listMemberTable} as
    select m.* from ${listMemberTable} m where not exists (select from sim_settled s
      where s.tenant_id = m.tenant_id and s.list_id = m.list_id and s.contact_id = m.contact_id)
    union all select * from sim_member`,
  sql`create temp table sim_topic (like ${contactTopicTable}, primary key (tenant_id, contact_id, topic_id)) on commit drop`,
  sql`create temp view ${contactTopicTable} as
    select s.* from ${contactTopicTable} s where not exists (select from sim_topic n
      where n.tenant_id = s.tenant_id and n.contact_id = s.contact_id and n.topic_id = s.topic_id)
    union all select * from sim_topic`,
];

export async function makeCopies(tx: Transaction): Promise<void> {
  for (const statement of copies) await tx.run(statement);
}

/** For filters that ask who is where in a journey: the enrolments of these contacts, and room for those to come. */
export async function copyEnrolments(tx: Transaction, tenantId: number, contactIds: readonly string[]): Promise<void> {
  await tx.run(
    sql`create temp table sim_enrolment (like enrolment including defaults including indexes) on commit drop`,
  );
  await tx.run(sql`
    insert into sim_enrolment select e.* from enrolment e
    where e.tenant_id = ${tenantId} and e.contact_id = any(${contactIds}::uuid[])`);
  await tx.run(sql`alter table sim_enrolment rename to enrolment`);
}

/** Where somebody is, as far as filters ask. Times in milliseconds since 1970. */
export interface Standing {
  readonly enrolmentId: string;
  readonly journeyNo: number;
  readonly version: number;
  readonly contactId: string;
  readonly state: 'active' | 'completed' | 'exited';
  readonly enteredAt: number;
  readonly endedAt: number | null;
  readonly goalAt: number | null;
}

export async function putStandings(tx: Transaction, tenantId: number, rows: readonly Standing[]): Promise<void> {
  if (rows.length === 0) return;
  const of = <T>(value: (row: Standing) => T) => rows.map(value);
  await tx.run(sql`
    insert into enrolment as e (tenant_id, enrolment_id, journey_no, version, contact_id, state, entered_at, ended_at, goal_at)
    select ${tenantId}, t.enrolment_id, t.journey_no, t.version, t.contact_id, t.state, ${time(sql`t.entered_at`)},
      ${time(sql`t.ended_at`)}, ${time(sql`t.goal_at`)}
    from unnest(${of((r) => r.enrolmentId)}::uuid[], ${of((r) => r.journeyNo)}::integer[], ${of((r) => r.version)}::integer[],
      ${of((r) => r.contactId)}::uuid[], ${of((r) => r.state)}::text[], ${of((r) => r.enteredAt)}::float8[],
      ${of((r) => r.endedAt)}::float8[], ${of((r) => r.goalAt)}::float8[])
      as t (enrolment_id, journey_no, version, contact_id, state, entered_at, ended_at, goal_at)
    on conflict (tenant_id, enrolment_id) do update set state = excluded.state, ended_at = excluded.ended_at,
      goal_at = excluded.goal_at`);
}

/** A contact in a journey. */
interface InJourney {
  readonly journeyId: string;
  readonly contactId: string;
}

/** Of the copies. */
export async function endStandings(
  tx: Transaction,
  tenantId: number,
  pairs: readonly InJourney[],
  now: string,
): Promise<void> {
  await tx.run(sql`
    update enrolment e set state = 'exited', ended_at = ${now}::timestamptz
    from unnest(${pairs.map(({ journeyId }) => bytes(journeyId))}::bytea[], ${pairs.map((pair) => pair.contactId)}::uuid[])
      as w (journey_id, contact_id)
    join journey j on j.tenant_id = ${tenantId} and j.journey_id = w.journey_id
    where e.tenant_id = ${tenantId} and e.journey_no = j.journey_no and e.contact_id = w.contact_id and e.state = 'active'`);
}

/** Which of these contacts have been in which of these journeys. */
export async function selectPast(
  tx: Transaction,
  tenantId: number,
  journeyIds: readonly string[],
  contactIds: readonly string[],
): Promise<Past[]> {
  if (journeyIds.length === 0) return [];
  return tx.rows(sql<Past>`
    select j.journey_id as "journeyId", e.contact_id as "contactId", bool_or(e.state = 'active') as "isActive",
      floor(extract(epoch from max(e.entered_at)) * 1000)::float8 as "lastEntry"
    from journey j join enrolment e on e.tenant_id = j.tenant_id and e.journey_no = j.journey_no
    where j.tenant_id = ${tenantId} and j.journey_id = any(${journeyIds.map(bytes)}::bytea[])
      and e.contact_id = any(${contactIds}::uuid[])
    group by j.journey_id, e.contact_id`);
}

export interface SimulatedChange {
  readonly contactId: string;
  /** All properties afterwards, as JSON. */
  readonly json: string;
  readonly field: string;
  readonly oldValue: unknown;
  readonly newValue: unknown;
}

/** Each contact at most once. */
export async function putProperties(
  tx: Transaction,
  tenantId: number,
  changes: readonly SimulatedChange[],
  now: string,
): Promise<void> {
  if (changes.length === 0) return;
  const ids = changes.map(({ contactId }) => contactId);
  await tx.run(sql`
    insert into sim_contact as s (tenant_id, contact_id, properties, updated_at)
    select ${tenantId}, id, properties::jsonb, ${now}::timestamptz
    from unnest(${ids}::uuid[], ${changes.map(({ json }) => json)}::text[]) as c (id, properties)
    on conflict (tenant_id, contact_id) do update set properties = excluded.properties, updated_at = excluded.updated_at`);
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
  await tx.run(sql`
    insert into sim_change (tenant_id, contact_id, field, old_value, new_value, source, changed_at)
    select ${tenantId}, id, field, old_value::jsonb, new_value::jsonb, 'journey', ${now}::timestamptz
    from unnest(${ids}::uuid[], ${changes.map(({ field }) => field)}::text[], ${changes.map((c) => json(c.oldValue))}::text[],
      ${changes.map((c) => json(c.newValue))}::text[]) as c (id, field, old_value, new_value)`);
}

export interface NewEvent {
  readonly contactId: string;
  readonly eventName: string;
  readonly at: number;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Behind all that are stored, in their order: numbers of real events stay far below `after`. */
export async function putEvents(
  tx: Transaction,
  tenantId: number,
  events: readonly NewEvent[],
  after: number,
): Promise<void> {
  if (events.length === 0) return;
  await tx.run(sql`
    insert into sim_event (tenant_id, contact_id, event_date, event_no, event_name, properties)
    select ${tenantId}, id, ${time(sql`at`)}, ${after}::bigint + ord, name, properties::jsonb
    from unnest(${events.map((e) => e.contactId)}::uuid[], ${events.map((e) => e.at)}::float8[],
      ${events.map((e) => e.eventName)}::text[],
      ${events.map(({ properties: p }) => (Object.keys(p).length === 0 ? null : JSON.stringify(p)))}::text[])
      with ordinality as e (id, at, name, properties, ord)`);
}

/** Each member of a list at most once. */
export async function putMembers(
  tx: Transaction,
  tenantId: number,
  changes: readonly { readonly contactId: string; readonly staticListId: string; readonly what: 'add' | 'remove' }[],
  now: string,
): Promise<void> {
  const lists = changes.map(({ staticListId }) => bytes(staticListId));
  const table = sql`unnest(${lists}::bytea[], ${changes.map((c) => c.contactId)}::uuid[],
    ${changes.map((c) => c.what === 'add')}::boolean[]) as c (list_id, contact_id, is_added)`;
  await tx.run(sql`
    insert into sim_settled select ${tenantId}, list_id, contact_id from ${table} on conflict do nothing`);
  await tx.run(sql`
    delete from sim_member m using ${table}
    where m.tenant_id = ${tenantId} and m.list_id = c.list_id and m.contact_id = c.contact_id and not c.is_added`);
  await tx.run(sql`
    insert into sim_member (tenant_id, list_id, contact_id, added_at)
    select ${tenantId}, list_id, contact_id, ${now}::timestamptz from ${table} where is_added on conflict do nothing`);
}

/** Each contact and topic at most once. */
export async function putTopics(
  tx: Transaction,
  tenantId: number,
  changes: readonly { readonly contactId: string; readonly topicId: string; readonly state: string }[],
  now: string,
): Promise<void> {
  await tx.run(sql`
    insert into sim_topic as t (tenant_id, contact_id, topic_id, state, since, source)
    select ${tenantId}, c.contact_id, c.topic_id, c.state, ${now}::timestamptz, 'journey'
    from unnest(${changes.map((c) => c.contactId)}::uuid[], ${changes.map((c) => bytes(c.topicId))}::bytea[],
      ${changes.map((c) => c.state)}::text[]) as c (contact_id, topic_id, state)
    on conflict (tenant_id, contact_id, topic_id) do update set state = excluded.state, since = excluded.since`);
}

/** The first members, by their ids. `source` has a column contact_id. */
export function selectFirst(db: Runner, source: Sql, atMost: number): Promise<string[]> {
  return ids(db, sql`select contact_id as id from (${source}) s order by contact_id limit ${atMost}`);
}

export function contactsOf(tenantId: number): Sql {
  return sql`select contact_id from ${contactTable} where tenant_id = ${tenantId}`;
}

/** Of each of these ids, the first member from there on. */
export function selectNear(db: Runner, source: Sql, contactIds: readonly string[]): Promise<string[]> {
  return ids(
    db,
    sql`select distinct n.contact_id as id from unnest(${contactIds}::uuid[]) as w (id) cross join lateral (
      select contact_id from (${source}) s where s.contact_id >= w.id order by contact_id limit 1
    ) n`,
  );
}

async function ids(db: Runner, statement: Sql): Promise<string[]> {
  return (await db.rows(statement as Sql<{ id: string }>)).map((row) => row.id);
}

/** Those of these journeys that a step may start, and whether contacts may enter them again, as their definitions say. */
export async function selectStartable(
  db: Runner,
  tenantId: number,
  journeyIds: readonly string[],
): Promise<{ journeyId: string; reentry: unknown }[]> {
  if (journeyIds.length === 0) return [];
  return db.rows(sql<{ journeyId: string; reentry: unknown }>`
    select j.journey_id as "journeyId", coalesce(v.definition -> 'reentry', '"never"') as reentry from journey j
    join journey_version v on v.tenant_id = j.tenant_id and v.journey_no = j.journey_no and v.version = j.version
    where j.tenant_id = ${tenantId} and j.state = 'active' and j.type = 'trigger' and j.deleted_at is null
      and j.journey_id = any(${journeyIds.map(bytes)}::bytea[])`);
}

/** By the database's clock, as whatever is stored. */
export async function readNow(db: Runner): Promise<number> {
  const row = await db.row(sql<{ now: number }>`
    select floor(extract(epoch from clock_timestamp()) * 1000)::float8 as now`);
  return row?.now ?? 0;
}
