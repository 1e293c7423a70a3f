// Broadcasts as people see them: rows, states, what ends them.
import type { BroadcastStatus } from '@rapport/contract';
import type { Database, Runner, Transaction } from '../../../db/database.js';
import { type Page, type PageOf, paged } from '../../../db/paged.js';
import { bytes, type Sql, sql } from '../../../db/sql.js';
import { nameMatches } from '../../folders/index.js';
import { hasUnsent } from '../../messages/index.js';
import { accountShown } from '../../tenants/index.js';
import { definitionOf, longAgo, type Settings } from './settings.js';

export interface StoredBroadcast {
  broadcastId: string;
  name: string;
  status: BroadcastStatus;
  settings: Settings;
  revision: number;
  /** Of its audience when it began. */
  members: number | null;
  sendsAt: string | null;
  startedAt: string | null;
  endedAt: string | null;
  createdAt: string;
  createdBy: { id: number; name: string };
  updatedAt: string;
}

// Of `j`, a journey that is a broadcast.
const status = sql`case
  when j.state = 'draft' then 'draft'
  when j.state = 'inactive' then case when j.is_cancelled then 'cancelled' else 'sent' end
  when j.paused_at is not null then 'paused'
  when j.next_run_at > now() then 'scheduled'
  else 'sending' end`;
const columns = sql`
  j.journey_id as "broadcastId", j.name, ${status} as status, j.broadcast as settings, j.revision, r.members,
  case when j.state = 'active' and j.next_run_at > now() then j.next_run_at end as "sendsAt", r.run_at as "startedAt",
  j.ended_at as "endedAt", j.created_at as "createdAt", ${accountShown(sql`j`, sql`created_by`)} as "createdBy",
  j.updated_at as "updatedAt"`;
const beside = sql`
  left join lateral (
    select members, run_at from journey_run r where r.tenant_id = j.tenant_id and r.journey_no = j.journey_no
    order by run_at limit 1
  ) r on true`;

export function findBroadcast(db: Runner, tenantId: number, broadcastId: string): Promise<StoredBroadcast | undefined> {
  return db.row(sql<StoredBroadcast>`
    select ${columns} from journey j ${beside}
    where j.tenant_id = ${tenantId} and j.journey_id = ${bytes(broadcastId)} and j.broadcast is not null and j.deleted_at is null`);
}

interface BroadcastFilter {
  status: readonly BroadcastStatus[];
  emailId: string | undefined;
  search: string | undefined;
}

/** Newest first. */
export function selectBroadcasts(
  db: Database,
  tenantId: number,
  filter: BroadcastFilter,
  { limit, offset }: PageOf,
): Promise<Page<StoredBroadcast>> {
  const matches = sql`j.tenant_id = ${tenantId} and j.broadcast is not null and j.deleted_at is null ${conditionsOf(tenantId, filter)}`;
  const order = sql`j.created_at desc, j.journey_id desc`;
  const total = sql`(select count(*) from journey j where ${matches})`;
  const rows = sql<StoredBroadcast>`
    select ${columns} from (
      select * from journey j where ${matches} order by ${order} limit ${limit} offset ${offset}
    ) j ${beside} order by ${order}`;
  return paged(db, tenantId, { limit, offset, isSearch: filter.search !== undefined }, { total, rows });
}

function conditionsOf(tenantId: number, { status: wanted, emailId, search }: BroadcastFilter): Sql {
  const all = [
    wanted.length > 0 ? sql`and ${status} = any(${wanted}::text[])` : undefined,
    emailId === undefined
      ? undefined
      : sql`and ${emailId} in (j.broadcast ->> 'emailId', j.broadcast #>> '{abTest,emailId}')`,
    search === undefined ? undefined : sql`and ${nameMatches(tenantId, search)}`,
  ].filter((condition) => condition !== undefined);
  return all.reduce((one, next) => sql`${one} ${next}`, sql``);
}

export async function setSettings(
  tx: Transaction,
  tenantId: number,
  broadcastId: string,
  settings: Settings,
): Promise<void> {
  await tx.run(sql`
    update journey set broadcast = ${JSON.stringify(settings)}::jsonb,
      definition = case when state = 'draft' then ${JSON.stringify(definitionOf(settings, longAgo))}::jsonb else definition end
    where tenant_id = ${tenantId} and journey_id = ${bytes(broadcastId)}`);
}

export async function setCancelled(tx: Transaction, tenantId: number, broadcastId: string, now: string): Promise<void> {
  await tx.run(sql`
    update journey set is_cancelled = true, ended_at = ${now}
    where tenant_id = ${tenantId} and journey_id = ${bytes(broadcastId)}`);
}

// Of `j`, an active broadcast: it has run, nobody is on the way, and every message has left or will not.
const isOver = sql`j.broadcast is not null and j.state = 'active' and j.next_run_at is null and j.paused_at is null
  and not exists (select from journey_run r
    where r.tenant_id = j.tenant_id and r.journey_no = j.journey_no and r.ended_at is null)
  and not exists (select from enrolment e
    where e.tenant_id = j.tenant_id and e.journey_no = j.journey_no and e.state = 'active')
  and not ${hasUnsent(sql`j`)}`;

/** Tenants with a broadcast that is over and not known to be. */
export async function selectTenantsDone(db: Runner): Promise<number[]> {
  const rows = await db.rows(sql<{ tenantId: number }>`
    /* all tenants */ select distinct j.tenant_id as "tenantId" from journey j where ${isOver}`);
  return rows.map(({ tenantId }) => tenantId);
}

/** Returns how many there were. The tenant's journeys are locked. */
export function endOver(tx: Transaction, tenantId: number, now: string): Promise<number> {
  return tx.run(sql`
    update journey j set state = 'inactive', ended_at = ${now}, updated_at = now()
    where j.tenant_id = ${tenantId} and ${isOver}`);
}
