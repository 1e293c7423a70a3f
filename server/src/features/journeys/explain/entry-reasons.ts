// Why a contact entered or did not: the journey's state, what makes one enter, and whether it may enter again.
import type { Runner } from '../../../db/database.js';
import type { Reentry } from '../definition/definition.js';
import { mayEnter } from '../definition/reentry.js';
import { sayStored } from '../timeline/say-fact.js';
import { entryReason } from './entry-kinds.js';
import { findWaiting, selectRefusals, type ToldJourney } from './queries.js';
import { type Case, type Reason, reason } from './reason.js';

const mostRefusals = 5;

export function journeyReason({ state, activatedAt, pausedAt }: ToldJourney): Reason {
  if (state === 'draft')
    return reason('journey', false, 'The journey is a draft: no one enters until it is activated.', null, { state });
  if (state === 'inactive')
    return reason(
      'journey',
      false,
      'The journey was stopped or has finished: no one enters until it is activated again.',
      null,
      { state },
    );
  if (pausedAt !== null)
    return reason('journey', false, 'The journey is paused: no one enters or moves until it is resumed.', pausedAt, {
      state: 'paused',
    });
  return reason('journey', true, 'The journey is active.', activatedAt);
}

export async function entryReasons(db: Runner, one: Case): Promise<Reason[]> {
  const { tenantId, contactId, journey, entered, enrolments } = one;
  const found = [await entryReason(db, one, entered.definition.entry)];
  const waiting = await findWaiting(db, tenantId, journey.journeyNo, contactId);
  if (waiting !== undefined)
    found.push(reason('entry', journey.pausedAt === null, sayWaiting(journey.pausedAt !== null), waiting));
  for (const { at, ...refusal } of await selectRefusals(db, tenantId, journey.journeyId, contactId, mostRefusals))
    found.push(reason('entry', false, sayStored(refusal) ?? '', at));
  const [last] = enrolments;
  if (last) found.push(reentryReason(one, entered.definition.reentry, last.enteredAt));
  return found;
}

function sayWaiting(isPaused: boolean): string {
  const then = isPaused ? 'it will be processed once the journey is resumed' : 'it will be processed in a moment';
  return `New activity of this contact is waiting for the journey: ${then}.`;
}

function reentryReason({ enrolments, now }: Case, reentry: Reentry, last: string): Reason {
  const isActive = enrolments.some(({ state }) => state === 'active');
  const holds = mayEnter(reentry, Date.parse(last), isActive, now);
  return reason('reentry', holds, `They entered on ${last}; ${sayReentry(reentry, isActive)}.`, last);
}

function sayReentry(reentry: Reentry, isActive: boolean): string {
  if (reentry === 'never') return 'this journey can be entered only once';
  if (reentry === 'always') return 'they can enter again at any time';
  if (reentry === 'afterExit')
    return isActive
      ? 'they can enter again once that enrollment ends'
      : 'that enrollment has ended, so they can enter again';
  return `they can enter again ${reentry.after.text} after that`;
}
