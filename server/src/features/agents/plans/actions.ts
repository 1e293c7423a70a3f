// What can be planned: each action says what it would do and whom it reaches, and does it when it is applied.
import * as contract from '@rapport/contract';
import { ApiError } from '../../../http/api-error.js';
import { assertNever } from '../../../lib/assert-never.js';
import { faulty } from '../../filter-language/index.js';
import type { Session } from '../tool.js';
import { readJourney } from '../tools/journeys.js';
import { plural, type ShownContact, shownContact } from '../tools/people.js';
import { type ChangeNeeds, prepareChange } from './change.js';
import type { Drafts } from './drafts.js';
import { journeyIdOf, type PlanGiven, type Prepared } from './planned.js';
import { prepareEnrol, prepareSend } from './reach-lists.js';

/** Whom a live journey would reach with the draft beside it. */
export type ReachOfDraft = (
  tenantId: number,
  journeyId: string,
  draft: Record<string, unknown>,
) => Promise<contract.DataValue<typeof contract.reachJourney>>;

export interface ActionNeeds extends ChangeNeeds {
  drafts: Drafts;
  reach: ReachOfDraft;
}

export function prepare(needs: ActionNeeds, given: PlanGiven, session: Session): Promise<Prepared> {
  switch (given.action) {
    case 'activate_journey':
      return prepareActivation(needs, given, session);
    case 'pause_journey':
    case 'resume_journey':
    case 'stop_journey':
      return prepareHold(given.action, given, session);
    case 'enrol':
      return prepareEnrol(given, session);
    case 'send_email':
      return prepareSend(given, session);
    case 'change':
      return prepareChange(needs, given, session);
    default:
      return assertNever(given.action);
  }
}

async function prepareActivation(needs: ActionNeeds, given: PlanGiven, session: Session): Promise<Prepared> {
  const { drafts } = needs;
  const id = journeyIdOf(given);
  const { data, etag, draft, faults, warnings } = await readJourney(session, drafts, id);
  const isLive = data.status === 'active';
  if (isLive && !draft)
    throw new ApiError('INVALID_STATE', { reason: 'The journey is already active and has no draft to publish.' });
  if (faults.length > 0) throw faulty(faults.map(({ path, message }) => ({ path, words: message })));
  const { api } = session;
  const reach = draft
    ? await needs.reach(session.caller.tenantId, id, draft.definition)
    : (await api(contract.reachJourney, { params: { id } })).data;
  const enters = reach.enters ?? reach.audience ?? 0;
  const inside = isLive ? await inProgress(session, id) : 0;
  const inFlight = given.inFlight ?? 'finish';
  const reached = isLive && inFlight === 'move' ? enters + inside : enters;
  const what = isLive ? `Publish the draft of the live journey “${data.name}”` : `Activate the journey “${data.name}”`;
  const then = isLive
    ? `; ${plural(inside, 'person is', 'people are')} in it and will ${inFlight === 'move' ? 'move to it' : 'finish in their version'}`
    : '';
  const publish = async () => {
    const body = { definition: draft?.definition, inFlight };
    await api(contract.updateJourney, { params: { id }, body, ifMatch: etag });
    await drafts.drop(session.caller.tenantId, id);
    return { journeyId: id, status: 'active', published: true };
  };
  const activate = async () => {
    const { data: active } = await api(contract.activateJourney, { params: { id } });
    // A draft of the time when it was live before would be published by mistake.
    await drafts.drop(session.caller.tenantId, id);
    return { journeyId: id, status: active.status };
  };
  return {
    sentence: `${what}: ${plural(reached, 'person', 'people')}${reach.basis === 'last30Days' ? ', going by the last 30 days' : ''}${then}.`,
    reach: reached,
    firstRecipients: await firstOfAudience(session, draft?.definition ?? data.definition),
    warnings: [...warnings.map(({ message }) => message), ...(reach.isExact ? [] : [reach.text])],
    basis: { revision: data.revision, draft: draft?.revision ?? null, status: data.status },
    contactIds: [],
    touched: [`journey:${id}`],
    run: (step) => step<Record<string, unknown>>(0, isLive ? publish : activate),
  };
}

const holds = {
  pause_journey: { route: contract.pauseJourney, verb: 'Pause', sequel: 'stay where they are until it is resumed' },
  resume_journey: { route: contract.resumeJourney, verb: 'Resume', sequel: 'go on' },
  stop_journey: {
    route: contract.deactivateJourney,
    verb: 'Stop',
    sequel: 'leave it, and messages that have not left are skipped',
  },
} as const;

async function prepareHold(action: keyof typeof holds, given: PlanGiven, session: Session): Promise<Prepared> {
  const id = journeyIdOf(given);
  const { data } = await session.api(contract.getJourney, { params: { id } });
  const { route, verb, sequel } = holds[action];
  const isFit =
    data.status === 'active' && (action === 'stop_journey' || data.isPaused === (action === 'resume_journey'));
  if (!isFit)
    throw new ApiError('INVALID_STATE', {
      reason: `The journey is ${data.isPaused ? 'paused' : data.status}: it cannot be ${verb === 'Stop' ? 'stopp' : verb.toLowerCase().replace(/e$/, '')}ed.`,
    });
  const inside = await inProgress(session, id);
  const { rows } = await session.api(contract.listEnrolments, {
    params: { id },
    query: { state: 'active', include: 'email', pageSize: 10 },
  });
  return {
    sentence: `${verb} the journey “${data.name}”: ${plural(inside, 'person', 'people')} in it ${sequel}.`,
    reach: inside,
    firstRecipients: rows.flatMap(({ contactId, email }) => (contactId && email ? [{ contactId, email }] : [])),
    warnings: [],
    basis: { revision: data.revision, status: data.status, isPaused: data.isPaused },
    contactIds: [],
    touched: [`journey:${id}`],
    run: async (step) => {
      const answer = await step(0, () => session.api(route, { params: { id } }));
      return { journeyId: id, status: answer.data.status, isPaused: action === 'pause_journey' };
    },
  };
}

async function inProgress({ api }: Session, id: string): Promise<number> {
  return (await api(contract.getJourneyFunnel, { params: { id } })).data.inProgress;
}

/** Of a journey that runs over a list. It is not known yet who will trigger another one. */
async function firstOfAudience({ api }: Session, definition: Record<string, unknown> | null): Promise<ShownContact[]> {
  const audience = (definition?.entry as { audience?: Record<string, string> } | undefined)?.audience;
  const list = audience?.staticListId
    ? { staticListId: audience.staticListId }
    : audience?.dynamicListId
      ? { dynamicListId: audience.dynamicListId }
      : undefined;
  if (!list) return [];
  const { rows } = await api(contract.listContacts, {
    query: { filter: JSON.stringify({ all: [list] }), pageSize: 10 },
  });
  return rows.map(shownContact);
}
