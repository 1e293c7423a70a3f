import type { Runner } from '../../../db/database.js';
import { bytes, sql } from '../../../db/sql.js';
import { isAssetId } from '../../../lib/ids.js';

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
  appliedAt: string | null;
  outcome: Record<string, unknown> | null;
}

const planColumns = sql`
  tenant_id as "tenantId", plan_id as "planId", account_id as "accountId", client_id as "clientId", action, arguments,
  contact_ids as "contactIds", sentence, reach, basis, expires_at as "expiresAt", expires_at <= now() as "isExpired",
  applied_at as "appliedAt", outcome`;

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
 * Of several who apply a plan, one gets it, for two minutes: longer than any plan takes. If its process is killed, the next one goes on,
 * and what was done already is not done again, because each part has its own idempotency key.
 */
export async function claimPlan(db: Runner, tenantId: number, planId: string): Promise<boolean> {
  const touched = await db.run(sql`
    update agent_plan set leased_until = now() + interval '2 minutes'
    where tenant_id = ${tenantId} and plan_id = ${bytes(planId)} and applied_at is null
      and (leased_until is null or leased_until < now())`);
  return touched === 1;
}

/** What the plan did not do can be tried again. */
export async function releasePlan(db: Runner, tenantId: number, planId: string): Promise<void> {
  await db.run(sql`
    update agent_plan set leased_until = null where tenant_id = ${tenantId} and plan_id = ${bytes(planId)} and applied_at is null`);
}

export async function finishPlan(db: Runner, tenantId: number, planId: string, outcome: object): Promise<void> {
  await db.run(sql`
    update agent_plan set applied_at = now(), leased_until = null, outcome = ${JSON.stringify(outcome)}::jsonb
    where tenant_id = ${tenantId} and plan_id = ${bytes(planId)}`);
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
