// A person takes somebody out of a journey, or past a wait. In the worker's place: under its lock, so that nothing races.
import type { Transaction } from '../../../db/database.js';
import { locks, waitForTenant } from '../../../db/locks.js';
import { ApiError, notFound } from '../../../http/api-error.js';
import { isAssetId, isMessageUuid } from '../../../lib/ids.js';
import { skipEnrolmentMessages } from '../../messages/index.js';
import { type EnrolmentRow, findEnrolment, findJourneyNo } from '../enrolments/queries.js';
import { withStepNames } from '../enrolments/step-names.js';
import { bumpEdition } from '../life/queries.js';
import type { Interests } from '../news/interests.js';
import { type TurnContext, turnContextOf } from '../turn/context.js';
import type { EnrolmentInHand } from '../turn/enrolment.js';
import { TurnEnrolments } from '../turn/enrolments.js';
import { findActive } from '../turn/queries.js';
import { storeEnrolments } from '../turn/store/store.js';
import { type Enroller, handOf } from './enroll-contacts.js';
import { finishBatches } from './queries.js';

export interface Which {
  readonly id: string;
  readonly enrolmentId: string;
}

/** The contact exits where they stand. Mail that waits to leave is skipped; a webhook that has not been answered is given up. */
export function takeOut(tx: Transaction, caller: Enroller, which: Which, interests: Interests): Promise<EnrolmentRow> {
  return change(tx, caller, which, interests, async (one, { now }) => {
    one.takeOut({ code: 'takenOutByHand', ...(await handOf(tx, caller)) }, now);
    await skipEnrolmentMessages(tx, caller.tenantId, one.id, 'takenOut');
  });
}

/** As if the wait ended now. `stepId` is the step that the caller saw: the contact may have gone on since. */
export function skipWait(
  tx: Transaction,
  caller: Enroller,
  which: Which & { readonly stepId: string },
  interests: Interests,
): Promise<EnrolmentRow> {
  return change(tx, caller, which, interests, async (one, { now }) => {
    const { stepId, phase, waitUntil } = one.state;
    if (stepId !== which.stepId || phase !== 'waiting')
      throw refused(`The contact is not waiting at the step ${which.stepId}. Check where they are now.`);
    if (waitUntil !== null && waitUntil <= now)
      throw refused('This wait is already over. The contact continues in a moment, or when the journey is resumed.');
    one.skipWait({ code: 'waitSkipped', ...(await handOf(tx, caller)) }, now);
  });
}

async function change(
  tx: Transaction,
  caller: Enroller,
  { id, enrolmentId }: Which,
  interests: Interests,
  move: (one: EnrolmentInHand, context: TurnContext) => Promise<void>,
): Promise<EnrolmentRow> {
  const { tenantId } = caller;
  const now = await waitForTenant(tx, tenantId, locks.journeyWork);
  const context = await turnContextOf(interests, tx, tenantId, now);
  const journeyNo = isAssetId(id) ? await findJourneyNo(tx, tenantId, id) : undefined;
  if (journeyNo === undefined) throw notFound('journey');
  const find = () => findEnrolment(tx, tenantId, journeyNo, enrolmentId);
  const found = isMessageUuid(enrolmentId) ? await find() : undefined;
  if (!found) throw notFound('enrolment');
  const row = found.state === 'active' ? await findActive(tx, tenantId, enrolmentId) : undefined;
  const enrolments = new TurnEnrolments(context);
  const [one] = row ? await enrolments.add([row]) : [];
  if (!one) throw refused('The contact is no longer in the journey.');
  if (one.journey.isStopping) throw refused('The journey was stopped: everyone in it is leaving.');
  await move(one, context);
  await storeEnrolments(context, enrolments, []);
  if (one.ended && one.journey.type === 'batch') {
    const finished = await finishBatches(tx, tenantId, [journeyNo]);
    if (finished.length > 0) await bumpEdition(tx, tenantId);
  }
  const [shown] = await withStepNames(tx, tenantId, [(await find()) ?? found], () => id);
  return shown as EnrolmentRow;
}

const refused = (reason: string) => new ApiError('INVALID_STATE', { reason });
