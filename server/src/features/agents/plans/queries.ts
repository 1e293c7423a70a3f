import type { DataValue, listAgentPlans } from '@rapport/contract';
import type { Database, Runner } from '../../../db/database.js';
import { type Page, type PageOf, paged } from '../../../db/paged.js';
import { bytes, sql } from '../../../db/sql.js';
import { isAssetId } from '../../../lib/ids.js';
import { appNameSql } from '../../oauth/index.js';
import { accountNames } from '../../tenants/index.js';

export interface DraftRow {
  definition: Record<string, unknown>;
  revision: number;
  savedAt: string;
}

export async function findDraft(db: Runner, tenantId: number, journeyId: string): Promise<DraftRow | undefined> {
  if (!isAssetId(journeyId)) return undefined;
  return db.row(sql<DraftRow>`
    select definition, revision, saved_at as "savedAt" from journey_draft
    where tenant_id = ${tenantId} and journey_id = ${bytes(journeyId)}`);
}

export async function saveDraft(
  db: Runner,
  by: { tenantId: number; accountId: number },
  journeyId: string,
  definition: object,
): Promise<void> {
  await db.run(sql`
    insert into journey_draft as d (tenant_id, journey_id, definition, saved_by)
    values (${by.tenantId}, ${bytes(journeyId)}, ${JSON.stringify(definition)}::jsonb, ${by.accountId})
    on conflict (tenant_id, journey_id) do update
    set definition = excluded.definition, saved_by = excluded.saved_by, saved_at = now(), revision = d.revision + 1`);
}

export async function deleteDraft(db: Runner, tenantId: number, journeyId: string): Promise<void> {
  await db.run(sql`delete from journey_draft where tenant_id = ${tenantId} and journey_id = ${bytes(journeyId)}`);
}

interface NewPlan {
  tenantId: number;
  planId: string;
  accountId: number;
  clientId: string | null;
  action: string;
  arguments: Record<string, unknown>;
  contactIds: string[];
  sentence: string;
  reach: number;
  /** What it was made from: compared when it is applied. */
  basis: Record<string, unknown>;
}

export interface PlanRow extends NewPlan {
  expiresAt: string;
  isExpired: boolean;
  /** It is being applied now. */
  isTaken: boolean;
  /** It was being applied, and the process ended: parts of it may be done. */
  isInterrupted: boolean;
  /** So long ago that the keys of its parts are forgotten. */
  isForgotten: boolean;
  appliedAt: string | null;
  outcome: Record<string, unknown> | null;
}

const planColumns = sql`
  tenant_id as "tenantId", plan_id as "planId", account_id as "accountId", client_id as "clientId", action, arguments,
  contact_ids as "contactIds", sentence, reach, basis, expires_at as "expiresAt", expires_at <= now() as "isExpired",
  leased_until > now() is true as "isTaken", leased_until <= now() is true as "isInterrupted",
  leased_until < now() - interval '12 hours' is true as "isForgotten", applied_at as "appliedAt", outcome`;

/** Minutes. */
export const planServes = 10;

export async function insertPlan(db: Runner, plan: NewPlan): Promise<PlanRow> {
  const row = await db.row(sql<PlanRow>`
    insert into agent_plan (tenant_id, plan_id, account_id, client_id, action, arguments, contact_ids, sentence, reach, basis, expires_at)
    values (${plan.tenantId}, ${bytes(plan.planId)}, ${plan.accountId}, ${plan.clientId}, ${plan.action},
      ${JSON.stringify(plan.arguments)}::jsonb, ${plan.contactIds}::text[], ${plan.sentence}, ${plan.reach},
      ${JSON.stringify(plan.basis)}::jsonb, now() + make_interval(mins => ${planServes}))
    returning ${planColumns}`);
  return row as PlanRow;
}

export function findPlan(db: Runner, tenantId: number, planId: string): Promise<PlanRow | undefined> {
  return db.row(sql<PlanRow>`
    select ${planColumns} from agent_plan where tenant_id = ${tenantId} and plan_id = ${bytes(planId)}`);
}

/**
 * If several requests apply a plan, one of them gets it, for two minutes: longer than any plan takes. If its process is killed, the next one goes on,
 * and what was done already is not done again, because each part has its own idempotency key.
 */
export async function claimPlan(db: Runner, tenantId: number, planId: string): Promise<boolean> {
  const touched = await db.run(sql`
    update agent_plan set leased_until = now() + interval '2 minutes'
    where tenant_id = ${tenantId} and plan_id = ${bytes(planId)} and applied_at is null
      and (leased_until is null or leased_until <= now())`);
  return touched === 1;
}

/** What the plan did not do can be tried again. `isBegun`: a part of it is done, so that it goes on and is not made anew. */
export async function releasePlan(db: Runner, tenantId: number, planId: string, isBegun: boolean): Promise<void> {
  await db.run(sql`
    update agent_plan set leased_until = case when ${isBegun}::boolean then now() end where tenant_id = ${tenantId} and plan_id = ${bytes(planId)} and applied_at is null`);
}

export async function finishPlan(db: Runner, tenantId: number, planId: string, outcome: object): Promise<void> {
  await db.run(sql`
    update agent_plan set applied_at = now(), leased_until = null, outcome = ${JSON.stringify(outcome)}::jsonb
    where tenant_id = ${tenantId} and plan_id = ${bytes(planId)}`);
}

type ShownPlan = DataValue<typeof listAgentPlans>;

/** Newest first. `accountId`: null: of all accounts. */
export function selectPlans(
  db: Database,
  tenantId: number,
  accountId: number | null,
  page: PageOf,
): Promise<Page<ShownPlan>> {
  const shown = sql`p.tenant_id = ${tenantId} and (${accountId}::bigint is null or p.account_id = ${accountId}::bigint)`;
  // What was asked for is the agent's to say: an id that is none is not shown.
  const idIn = (name: string) => sql`substring(p.arguments ->> ${name} from '^[0-9a-f]{24}$')`;
  const total = sql`(select count(*) from agent_plan p where ${shown})`;
  const rows = sql<ShownPlan>`
    select p.plan_id as "planId", p.action, ${idIn('journeyId')} as "journeyId", ${idIn('emailId')} as "emailId", p.sentence, p.reach,
      case when p.applied_at is not null then 'applied' when p.expires_at <= now() then 'expired' else 'waiting' end as state,
      p.account_id as "accountId", c.name as "accountName", p.client_id as "clientId", ${appNameSql(tenantId, sql`p.client_id`)} as "appName",
      p.created_at as "createdAt", p.expires_at as "expiresAt", p.applied_at as "appliedAt"
    from agent_plan p join ${accountNames} c on c.tenant_id = p.tenant_id and c.account_id = p.account_id
    where ${shown} order by p.plan_id desc limit ${page.limit} offset ${page.offset}`;
  return paged(db, tenantId, page, { total, rows });
}

export interface PlanOfContact {
  planId: string;
  action: string;
  arguments: Record<string, unknown>;
  sentence: string;
  createdAt: string;
  appliedAt: string | null;
}

/** In the order of their ids. */
export function selectPlansOf(
  db: Runner,
  tenantId: number,
  contactId: string,
  after: string | undefined,
  limit: number,
): Promise<PlanOfContact[]> {
  return db.rows(sql<PlanOfContact>`
    select plan_id as "planId", action, arguments, sentence, created_at as "createdAt", applied_at as "appliedAt" from agent_plan
    where tenant_id = ${tenantId} and contact_ids @> array[${contactId}::text] and plan_id > ${bytes(after ?? '')}
    order by plan_id limit ${limit}`);
}

/** A plan names its contacts, and may say what they will be. */
export async function erasePlans(db: Runner, tenantId: number, contactId: string): Promise<void> {
  await db.run(sql`delete from agent_plan where tenant_id = ${tenantId} and contact_ids @> array[${contactId}::text]`);
}

export function sweepPlans(db: Runner, days: number, atMost: number): Promise<number> {
  return db.run(sql`
    /* all tenants */ delete from agent_plan where (tenant_id, plan_id) in (
      select tenant_id, plan_id from agent_plan where created_at < now() - make_interval(days => ${days}) limit ${atMost})`);
}
