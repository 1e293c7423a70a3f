// Why an enrolment stands where it stands, or ended as it did.

import type { Runner } from '../../../db/database.js';
import { instantOf } from '../../../lib/instant.js';
import { selectNewestNamed } from '../../events/index.js';
import { evaluateFilters, type Filter, quote, say } from '../../filter-language/index.js';
import type { Definition, Step, WaitBranch } from '../definition/definition.js';
import { callStep, sayStep } from '../definition/say-step.js';
import { findStep } from '../engine/plan.js';
import { sayStored } from '../timeline/say-fact.js';
import type { ToldEnrolment } from './queries.js';
import { type Case, type Reason, reason, sayExit } from './reason.js';

const mostLooked = 100;

export async function wayReasons(
  db: Runner,
  one: Case,
  enrolment: ToldEnrolment,
  definition: Definition | undefined,
): Promise<Reason[]> {
  const entered = reason(
    'entered',
    true,
    (enrolment.cause && sayStored(enrolment.cause)) ?? 'They entered.',
    enrolment.enteredAt,
  );
  if (enrolment.state !== 'active') return [entered, ...goalOf(enrolment), endedReason(enrolment, definition)];
  if (!definition) return [entered, reason('waiting', false, 'Their version of the journey can’t be read.')];
  const step = findStep(definition, enrolment.stepId);
  return [
    entered,
    ...(step ? [waitingReason(enrolment, step, one.now)] : []),
    ...(step?.type === 'waitUntil' && enrolment.phase === 'waiting'
      ? await branchReasons(db, one, enrolment, step.branches)
      : []),
    ...(await watchedReasons(db, one, enrolment, definition)),
  ];
}

function goalOf({ goalAt }: ToldEnrolment): Reason[] {
  return goalAt === null ? [] : [reason('goal', true, 'They reached the goal.', goalAt)];
}

function endedReason(
  { state, reason: why, stepId, endedAt }: ToldEnrolment,
  definition: Definition | undefined,
): Reason {
  if (state === 'completed') return reason('ended', true, 'They completed the journey.', endedAt);
  const step = definition?.steps.find(({ id }) => id === stepId);
  const at = stepId === null ? '' : ` at the step ${callStep(step ?? { id: stepId })}`;
  const filter = why === 'exitWhen' ? definition?.exitWhen : why === 'goal' ? definition?.goal?.filter : undefined;
  return reason('ended', true, `They exited${at}: ${sayExit(why)}.${filter ? ` ${say(filter)}` : ''}`, endedAt);
}

function waitingReason({ phase, waitUntil, stepAt }: ToldEnrolment, step: Step, now: number): Reason {
  const at = `At the step ${callStep(step)}`;
  switch (phase) {
    case 'ready':
      return reason('waiting', true, `${at}, which is about to run. ${sayStep(step)}`, stepAt);
    case 'writing':
      return reason('waiting', false, `${at}, waiting for its write to be applied. ${sayStep(step)}`, stepAt);
    case 'calling':
      return reason('waiting', false, `${at}, waiting for the webhook to respond. ${sayStep(step)}`, stepAt);
    case 'waiting': {
      const isOver = waitUntil !== null && Date.parse(waitUntil) <= now;
      return reason('waiting', isOver, `${at}, waiting until ${waitUntil}. ${sayStep(step)}`, waitUntil);
    }
  }
}

async function branchReasons(
  db: Runner,
  one: Case,
  enrolment: ToldEnrolment,
  branches: readonly WaitBranch[],
): Promise<Reason[]> {
  const reasons: Reason[] = [];
  for (const branch of branches)
    reasons.push(
      branch.kind === 'event'
        ? await eventReason(db, one, enrolment, branch)
        : await filterReason(db, one, 'filter', branch.filter, enrolment.stepAt),
    );
  return reasons;
}

async function eventReason(
  db: Runner,
  { tenantId, contactId }: Case,
  { stepAt, waitUntil, entry }: ToldEnrolment,
  { eventName, where }: Extract<WaitBranch, { kind: 'event' }>,
): Promise<Reason> {
  const did = `did ${quote(eventName)}`;
  const events = await selectNewestNamed(db, tenantId, contactId, eventName, mostLooked);
  const came = events.filter(({ eventDate }) => eventDate >= stepAt && (waitUntil === null || eventDate <= waitUntil));
  const [newest] = came;
  if (!newest)
    return reason('event', false, `They have not done ${quote(eventName)} since they reached the step.`, stepAt);
  const fits = came.find(
    (event) => !where || where.holds(event, { now: Date.parse(event.eventDate), ...(entry ? { entry } : {}) }),
  );
  if (!fits) return reason('event', false, `They ${did}, but the conditions on it were not met.`, newest.eventDate);
  return reason('event', true, `They ${did}.`, fits.eventDate);
}

async function watchedReasons(
  db: Runner,
  one: Case,
  { goalAt }: ToldEnrolment,
  { goal, exitWhen }: Definition,
): Promise<Reason[]> {
  const reasons: Reason[] = [];
  if (goalAt !== null)
    reasons.push(reason('goal', true, `They reached the goal.${goal ? ` ${say(goal.filter)}` : ''}`, goalAt));
  else if (goal) reasons.push(await filterReason(db, one, 'goal', goal.filter));
  if (exitWhen) reasons.push(await filterReason(db, one, 'exitWhen', exitWhen));
  return reasons;
}

async function filterReason(
  db: Runner,
  { tenantId, contactId, now }: Case,
  what: 'filter' | 'goal' | 'exitWhen',
  filter: Filter,
  at: string | null = null,
): Promise<Reason> {
  const found = await evaluateFilters(db, tenantId, [filter], [contactId], instantOf(now));
  return reason(what, found.get(contactId)?.[0]?.holds ?? false, say(filter), at);
}
