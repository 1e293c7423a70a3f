// plan and apply: what reaches people is shown first, and done once.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Type } from 'typebox';
import type { Database } from '../../../db/database.js';
import { ApiError, notFound } from '../../../http/api-error.js';
import { isAssetId, newAssetId } from '../../../lib/ids.js';
import { type Answer, type Session, shape, tool } from '../tool.js';
import { plural } from '../tools/people.js';
import { type ActionNeeds, prepare } from './actions.js';
import { type PlanGiven, PlanInput, type Prepared } from './planned.js';
import { claimPlan, findPlan, finishPlan, insertPlan, type PlanRow, planServes, releasePlan } from './queries.js';

export interface PlanNeeds extends ActionNeeds {
  db: Database;
}

const planShape = {
  ...{ planId: 'string', sentence: 'string', reach: 'integer', firstRecipients: 'array', warnings: 'array' },
  ...{ expiresAt: 'string', cut: 'string' },
} as const;

export const planTool = (needs: PlanNeeds) =>
  tool({
    name: 'plan',
    title: 'Plan what reaches people',
    scopes: ['send'],
    description: `Says what an action would do and whom it reaches, and does nothing; apply does it within ${planServes} minutes. activate_journey on a live journey publishes its draft; enrol takes journeyId and contacts or a list; send_email takes emailId and a contact or a list; change takes the arguments of update_contact, save_email or save_list that a live journey is concerned by. Example: {"action":"send_email","emailId":"019a8b2c4d5e6f708192a3c1","dynamicListId":"019a8b2c4d5e6f708192a3b1"}`,
    input: PlanInput,
    output: shape(planShape),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    run: async (given, session) => {
      const { data, prepared } = await makePlan(needs, given, session);
      return {
        data,
        text: `Nothing is done yet. The plan reaches ${plural(prepared.reach, 'person', 'people')}. Show its sentence to the person, and call apply with its planId if they agree.`,
        touched: [`plan:${data.planId}`, ...prepared.touched],
      };
    },
  });

async function makePlan(needs: PlanNeeds, given: PlanGiven, session: Session) {
  const prepared = await prepare(needs, given, session);
  const { tenantId, accountId, clientId = null } = session.caller;
  const { action, ...rest } = given;
  const row = await insertPlan(needs.db, {
    ...{ tenantId, planId: newAssetId(), accountId, clientId, action, arguments: rest },
    ...{ contactIds: prepared.contactIds, sentence: prepared.sentence, reach: prepared.reach, basis: prepared.basis },
  });
  const { sentence, reach, firstRecipients, warnings } = prepared;
  return {
    prepared,
    data: { planId: row.planId, sentence, reach, firstRecipients, warnings, expiresAt: row.expiresAt },
  };
}

export const applyTool = (needs: PlanNeeds) =>
  tool({
    name: 'apply',
    title: 'Apply a plan',
    scopes: ['send'],
    description:
      'Does what a plan says, once; applying it again answers what the first time did. Call it only after the person has seen the sentence and agreed. A plan that is too old, of somebody else, or reaches more people by now is refused with a new one to look at. Example: {"planId":"019a8b2c4d5e6f708192a3f1"}',
    input: Type.Object({ planId: Type.String() }),
    output: shape({ applied: 'boolean', reason: 'string', result: 'object', ...planShape }),
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    run: ({ planId }, session) => applyPlan(needs, planId, session),
  });

async function applyPlan(needs: PlanNeeds, planId: string, session: Session): Promise<Answer> {
  const { tenantId, accountId } = session.caller;
  const plan = isAssetId(planId) ? await findPlan(needs.db, tenantId, planId) : undefined;
  if (!plan) throw notFound('plan');
  const isOwn = plan.accountId === accountId;
  if (plan.outcome && isOwn) return told(plan.outcome, planId);
  const given = { action: plan.action, ...plan.arguments } as PlanGiven;
  if (!isOwn) return refuse(needs, given, session, 'another person made it');
  if (plan.isExpired) return refuse(needs, given, session, `it is older than ${planServes} minutes`);
  const prepared = await prepare(needs, given, session);
  const why = whyAnew(plan, prepared);
  if (why !== undefined) return refuse(needs, given, session, why);
  const { consent } = session;
  if (consent && consent.planId !== planId)
    return {
      ...{ data: { applied: false, planId }, text: 'The person is asked first.' },
      ask: { planId, message: `${plan.sentence} This reaches ${plural(prepared.reach, 'person', 'people')}. Do it?` },
    };
  if (consent && !consent.isGiven)
    return {
      data: { applied: false, planId, reason: 'the person did not agree' },
      text: 'The person did not agree. Nothing was done.',
    };
  return carryOut(needs, plan, prepared, session);
}

/** Why a plan is no longer what the person saw. */
function whyAnew(plan: PlanRow, prepared: Prepared): string | undefined {
  if (!isDeepStrictEqual(plan.basis, JSON.parse(JSON.stringify(prepared.basis))))
    return 'what it was made from has changed since';
  const { reach } = prepared;
  if (reach > plan.reach * 1.1 || reach > plan.reach + 10)
    return `it reaches ${plural(reach, 'person', 'people')} by now, not ${plan.reach}`;
  return undefined;
}

async function refuse(needs: PlanNeeds, given: PlanGiven, session: Session, why: string): Promise<Answer> {
  const { data, prepared } = await makePlan(needs, given, session);
  return {
    data: { applied: false, reason: why, ...data },
    text: `Nothing was done: the plan was refused, because ${why}. Here is a new one, which reaches ${plural(prepared.reach, 'person', 'people')}; show it to the person.`,
    touched: [`plan:${data.planId}`, ...prepared.touched],
    isError: true,
  };
}

// Another request applies it: what it did is told when it is done.
const lookMs = 100;
const mostLooks = 100;

async function carryOut({ db }: PlanNeeds, plan: PlanRow, prepared: Prepared, { caller }: Session): Promise<Answer> {
  const { tenantId } = caller;
  const { planId } = plan;
  for (let looks = 0; !(await claimPlan(db, tenantId, planId)); looks++) {
    const first = await findPlan(db, tenantId, planId);
    if (first?.outcome) return told(first.outcome, planId);
    if (!first || looks >= mostLooks)
      throw new ApiError('INVALID_STATE', {
        reason: 'The plan is being applied. Apply it again in a minute to see what it did.',
      });
    await sleep(lookMs);
  }
  try {
    const result = await prepared.run((part) => keyOf(planId, part));
    const outcome = { applied: true, planId, sentence: plan.sentence, reach: prepared.reach, result };
    await finishPlan(db, tenantId, planId, outcome);
    return { ...told(outcome, planId), touched: [`plan:${planId}`, ...prepared.touched] };
  } catch (error) {
    // What was done already has its key, and is not done again.
    await releasePlan(db, tenantId, planId);
    throw error;
  }
}

/** Names a part of a plan to the idempotency of the API. */
function keyOf(planId: string, part: number): { key: string; bodyHash: string } {
  const key = `plan-${planId}-${part}`;
  return { key, bodyHash: createHash('sha256').update(key).digest('hex') };
}

function told(outcome: Record<string, unknown>, planId: string): Answer {
  return { data: outcome, text: 'The plan is applied.', touched: [`plan:${planId}`] };
}
