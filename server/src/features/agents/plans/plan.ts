// plan and apply: what reaches people is shown first, and done once.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Type } from 'typebox';
import type { Database } from '../../../db/database.js';
import { ApiError, notFound } from '../../../http/api-error.js';
import { isAssetId, newAssetId } from '../../../lib/ids.js';
import { type Session, shape, type ToolAnswer, tool } from '../tool.js';
import { plural } from '../tools/people.js';
import { type ActionNeeds, prepare } from './actions.js';
import { findDone } from './interrupted.js';
import { type DoPart, hasGrown, type PlanGiven, PlanInput, type Prepared } from './planned.js';
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
    alsoWants: ({ action, emailId, dynamicListId }) => {
      if (action !== 'change') return [];
      return emailId === undefined && dynamicListId === undefined ? ['write', 'people'] : ['write'];
    },
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

async function applyPlan(needs: PlanNeeds, planId: string, session: Session): Promise<ToolAnswer> {
  const { accountId } = session.caller;
  const plan = await settled(needs.db, session, planId);
  const isOwn = plan.accountId === accountId;
  if (plan.outcome && isOwn) return told(plan.outcome, planId);
  const given = { action: plan.action, ...plan.arguments } as PlanGiven;
  if (!isOwn) return refuse(needs, given, session, 'another person made it');
  if (plan.isInterrupted) {
    const result = await findDone(needs, given, plan.basis, session);
    if (result) return finish(needs, plan, plan.reach, result, session);
  } else if (plan.isExpired) return refuse(needs, given, session, `it is older than ${planServes} minutes`);
  const { prepared, why } = await prepareAgain(needs, plan, given, session);
  if (!prepared) {
    // Another request may have applied it meanwhile, which is why it is not what it was.
    const first = await settled(needs.db, session, planId);
    if (first.outcome) return told(first.outcome, planId);
    return plan.isInterrupted ? leaveOff(planId, why) : refuse(needs, given, session, why);
  }
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

type Again = { prepared: Prepared; why: '' } | { prepared: undefined; why: string };

/** What the plan would do now, if that is still what the person saw. */
async function prepareAgain(needs: PlanNeeds, plan: PlanRow, given: PlanGiven, session: Session): Promise<Again> {
  if (plan.isForgotten) return { prepared: undefined, why: 'it was interrupted too long ago' };
  const prepared = await prepare(needs, given, session).catch((error: unknown) => {
    if (error instanceof ApiError && error.code === 'INVALID_STATE') return error;
    throw error;
  });
  const why = prepared instanceof ApiError ? undefined : whyAnew(plan, prepared);
  if (prepared instanceof ApiError) {
    // In the words of the API, unless another request is the reason.
    if ((await settled(needs.db, session, plan.planId)).outcome) return { prepared: undefined, why: 'it is applied' };
    throw prepared;
  }
  return why === undefined ? { prepared, why: '' } : { prepared: undefined, why };
}

/** Why a plan is no longer what the person saw. */
function whyAnew(plan: PlanRow, prepared: Prepared): string | undefined {
  if (!isDeepStrictEqual(plan.basis, JSON.parse(JSON.stringify(prepared.basis))))
    return 'what it was made from has changed since';
  const { reach } = prepared;
  if (hasGrown(reach, plan.reach)) return `it reaches ${plural(reach, 'person', 'people')} by now, not ${plan.reach}`;
  return undefined;
}

async function refuse(needs: PlanNeeds, given: PlanGiven, session: Session, why: string): Promise<ToolAnswer> {
  const { data, prepared } = await makePlan(needs, given, session);
  return {
    data: { applied: false, reason: why, ...data },
    text: `Nothing was done: the plan was refused, because ${why}. Here is a new one, which reaches ${plural(prepared.reach, 'person', 'people')}; show it to the person.`,
    touched: [`plan:${data.planId}`, ...prepared.touched],
    isError: true,
  };
}

/** A new plan would do again what is done already. */
function leaveOff(planId: string, why: string): ToolAnswer {
  return {
    data: { applied: false, planId, reason: `it was interrupted, and ${why}` },
    text: `Nothing more was done: the plan was interrupted when it was applied, and ${why}. Look at what it did before you plan the rest.`,
    touched: [`plan:${planId}`],
    isError: true,
  };
}

// Another request applies it; the result is known when that is done.
const lookMs = 100;
const mostLooks = 100;

/** A plan that no other request is applying. */
async function settled(db: Database, { caller }: Session, planId: string): Promise<PlanRow> {
  for (let looks = 0; looks < mostLooks; looks++) {
    const plan = isAssetId(planId) ? await findPlan(db, caller.tenantId, planId) : undefined;
    if (!plan) throw notFound('plan');
    if (plan.outcome || !plan.isTaken) return plan;
    await sleep(lookMs);
  }
  throw new ApiError('INVALID_STATE', {
    reason: 'The plan is being applied. Apply it again in a minute to see what it did.',
  });
}

async function carryOut(needs: PlanNeeds, plan: PlanRow, prepared: Prepared, session: Session): Promise<ToolAnswer> {
  const { db } = needs;
  const { tenantId } = session.caller;
  const { planId } = plan;
  while (!(await claimPlan(db, tenantId, planId))) {
    const first = await settled(db, session, planId);
    if (first.outcome) return told(first.outcome, planId);
  }
  let isBegun = plan.isInterrupted;
  const step: DoPart = async (part, act) => {
    const answer = await act(keyOf(planId, part));
    isBegun = true;
    return answer;
  };
  try {
    const result = await prepared.run(step, plan.reach);
    const answer = await finish(needs, plan, prepared.reach, result, session);
    return { ...answer, touched: [`plan:${planId}`, ...prepared.touched] };
  } catch (error) {
    // What was done already has its key, and is not done again.
    await releasePlan(db, tenantId, planId, isBegun);
    throw error;
  }
}

async function finish(
  { db }: PlanNeeds,
  { planId, sentence }: PlanRow,
  reach: number,
  result: Record<string, unknown>,
  { caller }: Session,
): Promise<ToolAnswer> {
  const outcome = { applied: true, planId, sentence, reach, result };
  await finishPlan(db, caller.tenantId, planId, outcome);
  return told(outcome, planId);
}

/** Names a part of a plan to the idempotency of the API. */
function keyOf(planId: string, part: number): { key: string; bodyHash: string } {
  const key = `plan-${planId}-${part}`;
  return { key, bodyHash: createHash('sha256').update(key).digest('hex') };
}

function told(outcome: Record<string, unknown>, planId: string): ToolAnswer {
  return { data: outcome, text: 'The plan is applied.', touched: [`plan:${planId}`] };
}
