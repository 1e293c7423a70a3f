// What a plan did whose process ended before it could say so. Actions on a journey are one transaction each: all of it is done, or nothing.
import { isDeepStrictEqual } from 'node:util';
import * as contract from '@rapport/contract';
import type { Session } from '../tool.js';
import { changeEmail, changeList } from '../tools/save.js';
import type { ActionNeeds } from './actions.js';
import { changedFields } from './change.js';
import { journeyIdOf, type PlanGiven } from './planned.js';

type Result = Record<string, unknown>;

/** The result, if it is done. Undefined: it is not, or it has parts, each with a key of its own. */
export async function findDone(
  needs: ActionNeeds,
  given: PlanGiven,
  basis: Result,
  session: Session,
): Promise<Result | undefined> {
  const { action } = given;
  if (action === 'enrol' || action === 'send_email') return undefined;
  if (action === 'change') return doneChange(needs, given, session);
  const id = journeyIdOf(given);
  const { data } = await session.api(contract.getJourney, { params: { id } });
  const isActive = data.status === 'active';
  const told = { journeyId: id, status: data.status };
  if (action === 'activate_journey')
    return (await isActivated(needs, data, basis, session))
      ? { ...told, ...(basis.status === 'active' ? { published: true } : {}) }
      : undefined;
  if (action === 'stop_journey') return isActive ? undefined : { ...told, isPaused: false };
  const isPaused = action === 'pause_journey';
  return isActive && data.isPaused === isPaused ? { ...told, isPaused } : undefined;
}

async function isActivated(
  { drafts }: ActionNeeds,
  { journeyId, status, revision, definition }: contract.DataValue<typeof contract.getJourney>,
  basis: Result,
  { caller }: Session,
): Promise<boolean> {
  if (status !== 'active') return false;
  const { tenantId } = caller;
  if (basis.status === 'active') {
    const draft = await drafts.find(tenantId, journeyId);
    if (revision === basis.revision || (draft && !isDeepStrictEqual(draft.definition, definition))) return false;
  }
  await drafts.drop(tenantId, journeyId);
  return true;
}

async function doneChange(needs: ActionNeeds, given: PlanGiven, session: Session): Promise<Result | undefined> {
  const { emailId, dynamicListId } = given;
  // A contact has what was written, however often it is written.
  if (emailId === undefined && dynamicListId === undefined) return undefined;
  const body = { ...changedFields(given), dryRun: true };
  const way = { isPlanned: true };
  const { data } =
    emailId === undefined ? await changeList(needs, body, session, way) : await changeEmail(needs, body, session, way);
  const { differences, faults, warnings, ...told } = data;
  return (differences as unknown[]).length === 0 ? { ...told, saved: true, faults, warnings } : undefined;
}
