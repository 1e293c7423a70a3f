import { isDeepStrictEqual } from 'node:util';
import type { BodyValue, updateJourney as route } from '@rapport/contract';
import type { Transaction } from '../../db/database.js';
import { ApiError, invalid, notFound } from '../../http/api-error.js';
import { isAssetId } from '../../lib/ids.js';
import type { Fault } from '../filter-language/index.js';
import { type Authoring, getHeld, isFolder, refuseUnfit } from './authoring.js';
import { dropHeaders, sealHeaders } from './headers/headers.js';
import { editActive } from './life/edit-active.js';
import { lockJourneys } from './life/queries.js';
import {
  type By,
  type Content,
  findDetails,
  findJourney,
  type HeldJourney,
  type JourneyDetails,
  updateJourneyRow,
} from './queries.js';

type Change = BodyValue<typeof route>;
/** If the database takes too long to try something. */
export const tryAgain = 'try again in a moment';

/** Changes what is given. `ifMatch`: only if it has not been changed since. */
export async function updateJourney(
  authoring: Authoring,
  by: By,
  id: string,
  change: Change,
  ifMatch: readonly string[] | undefined,
): Promise<JourneyDetails> {
  refuseUnfit(change.definition);
  if (change.inFlight !== undefined && change.definition === undefined)
    throw invalid('definition', 'is required with inFlight');
  const { db } = authoring;
  for (;;) {
    const before = isAssetId(id) ? await findJourney(db, by.tenantId, id) : undefined;
    if (!before) throw notFound('journey');
    // Only then does it change what others listen to: saving a draft makes nothing wait.
    const isLive = before.state === 'active' && change.definition !== undefined;
    const known = isLive ? await authoring.templateFaults(by.tenantId, change.definition) : undefined;
    const transact = () => db.transaction((tx) => changeIf(tx, authoring, by, id, change, ifMatch, known));
    const changed = await (isLive ? authoring.alone(by.tenantId, transact) : transact());
    if (changed) return changed;
  }
}

/** What changing a journey that is not active would refuse: it is done, and undone. */
export function tryUpdate(
  authoring: Authoring,
  by: By,
  id: string,
  change: Change,
): Promise<JourneyDetails | undefined> {
  refuseUnfit(change.definition);
  const act = (tx: Transaction) => changeIf(tx, authoring, by, id, change, undefined, undefined);
  return authoring.db.rehearse(by.tenantId, act, tryAgain);
}

/** Nothing: it was activated meanwhile, and other locks are needed. */
async function changeIf(
  tx: Transaction,
  authoring: Authoring,
  by: By,
  id: string,
  given: Change,
  ifMatch: readonly string[] | undefined,
  /** Of the definition of an active journey. */
  known: readonly Fault[] | undefined,
): Promise<JourneyDetails | undefined> {
  const { tenantId } = by;
  const now = known ? await lockJourneys(tx, tenantId) : undefined;
  const folderIsThere = await isFolder(tx, tenantId, given.folderId);
  const journey = await getHeld(tx, tenantId, id);
  if (ifMatch && !ifMatch.includes('*') && !ifMatch.includes(String(journey.revision)))
    throw new ApiError('EDIT_CONFLICT');
  if (!folderIsThere) throw invalid('folderId', 'is not a folder');
  refuseOtherType(journey, given);
  const change = await withSealed(tx, authoring, tenantId, journey, given);
  if (journey.state === 'active' && change.definition !== undefined) {
    if (now === undefined || known === undefined) return undefined;
    await editActive(
      tx,
      tenantId,
      journey,
      { definition: change.definition, inFlight: change.inFlight },
      authoring,
      now,
      known,
    );
  }
  const content = merge(journey, change);
  // The same again: nothing to save, and no edit conflicts with it.
  if (!isDeepStrictEqual(content, merge(journey, {}))) {
    await updateJourneyRow(tx, by, journey.journeyId, content);
    await dropHeaders(tx, tenantId, journey.journeyNo, journey.definition, content.definition);
  }
  return findDetails(tx, tenantId, journey.journeyId);
}

async function withSealed(
  tx: Transaction,
  { box }: Authoring,
  tenantId: number,
  { definition: stored }: HeldJourney,
  change: Change,
): Promise<Change> {
  if (change.definition === undefined) return change;
  return { ...change, definition: await sealHeaders(tx, box, tenantId, change.definition, stored) };
}

/** Its versions and runs are those of its type. */
function refuseOtherType({ type, version }: HeldJourney, change: Change): void {
  if (change.type === undefined || change.type === type || version === null) return;
  const reason = `The type cannot change once a journey has been active: this one stays ${type}. Create another journey.`;
  throw new ApiError('INVALID_STATE', { reason });
}

/** Null clears what is optional. */
function merge(journey: HeldJourney, { name, type, tags, folderId, definition }: Change): Content {
  return {
    name: name ?? journey.name,
    type: type ?? journey.type,
    tags: tags === undefined ? journey.tags : [...new Set(tags)],
    folderId: folderId === undefined ? journey.folderId : folderId,
    definition: definition === undefined ? journey.definition : definition,
  };
}
