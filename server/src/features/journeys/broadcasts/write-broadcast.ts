// Makes a broadcast and changes it until it begins.
import { isDeepStrictEqual } from 'node:util';
import type { BodyValue, createBroadcast as createRoute, updateBroadcast as updateRoute } from '@rapport/contract';
import type { Transaction } from '../../../db/database.js';
import { ApiError, invalid, notFound } from '../../../http/api-error.js';
import { isAssetId, newAssetId } from '../../../lib/ids.js';
import { type OwnList, selectDynamicNames } from '../../dynamic-lists/index.js';
import { selectLiveIds } from '../../emails/index.js';
import { selectListNames } from '../../lists/index.js';
import { type Authoring, getHeld } from '../authoring.js';
import { editActive } from '../life/edit-active.js';
import { lockJourneys } from '../life/queries.js';
import { type By, type HeldJourney, insertJourney, updateJourneyRow } from '../queries.js';
import { type StoredBroadcast, setSettings } from './queries.js';
import {
  type Audience,
  definitionOf,
  longAgo,
  ownListOf,
  readAudience,
  readWhen,
  refuseIncomplete,
  refuseUnfit,
  type Settings,
} from './settings.js';
import { getBroadcast } from './show.js';

type Change = BodyValue<typeof updateRoute>;
type GivenAudience = NonNullable<Change['audience']>;

const nothing: Settings = { emailId: null, audience: null, when: { kind: 'now' } };

export async function createBroadcast(
  tx: Transaction,
  authoring: Authoring,
  by: By,
  { name, ...given }: BodyValue<typeof createRoute>,
): Promise<StoredBroadcast> {
  const broadcastId = newAssetId();
  const content = { name, type: 'batch' as const, tags: [], folderId: null, definition: null };
  // First the broadcast: the list of its filter is made for it.
  await insertJourney(tx, by, broadcastId, content, { ...nothing });
  const settings = await merged(tx, authoring, by, { journeyId: broadcastId, name }, nothing, given);
  await setSettings(tx, by.tenantId, broadcastId, settings);
  return getBroadcast(tx, by.tenantId, broadcastId);
}

/** It was sent meanwhile, and the change needs other locks. An error, because the list of its filter may have been changed already. */
export class SentMeanwhile extends Error {}

/** `isLive`: it was scheduled when it was looked at, so that edits need the lock of journeys. Throws SentMeanwhile. */
export async function updateBroadcast(
  tx: Transaction,
  authoring: Authoring,
  by: By,
  id: string,
  { name, ...given }: Change,
  ifMatch: readonly string[] | undefined,
  isLive: boolean,
): Promise<StoredBroadcast> {
  const { tenantId } = by;
  const before = await getBroadcast(tx, tenantId, id);
  // Lists are locked before journeys, everywhere.
  const owner = { journeyId: id, name: name ?? before.name };
  const settings = await merged(tx, authoring, by, owner, before.settings, given);
  const now = isLive ? await lockJourneys(tx, tenantId) : longAgo;
  const journey = await getOwn(tx, tenantId, id);
  if (ifMatch && !ifMatch.includes('*') && !ifMatch.includes(String(journey.revision)))
    throw new ApiError('EDIT_CONFLICT');
  // It was changed in between, so the merge was made with an old record.
  if (!isDeepStrictEqual(journey.broadcast, before.settings)) throw new ApiError('EDIT_CONFLICT');
  const isSame = isDeepStrictEqual(settings, journey.broadcast);
  if (!isSame && journey.state === 'active' && !isLive) throw new SentMeanwhile();
  if (!isSame) refuseBegun(journey, now);
  const definition = isSame ? journey.definition : definitionOf(settings, now);
  if (!isSame && journey.state === 'active') {
    refuseIncomplete(settings, now);
    await editActive(tx, tenantId, journey, { definition, inFlight: 'finish' }, authoring, now, []);
  }
  const content = { ...journey, name: name ?? journey.name, definition };
  if (!isSame || content.name !== journey.name) {
    await setSettings(tx, tenantId, id, settings);
    await updateJourneyRow(tx, by, id, content);
  }
  return getBroadcast(tx, tenantId, id);
}

/** The broadcast with this id, locked until the transaction ends. */
export async function getOwn(tx: Transaction, tenantId: number, id: string): Promise<HeldJourney> {
  const journey = isAssetId(id) ? await getHeld(tx, tenantId, id, 'broadcast') : undefined;
  if (!journey?.broadcast) throw notFound('broadcast');
  return journey;
}

/** One that is paused does not begin, however late it is. */
function refuseBegun({ state, isPaused, nextRunAt }: HeldJourney, now: string): void {
  if (state === 'draft') return;
  if (state === 'active' && nextRunAt !== null && (isPaused || nextRunAt > now)) return;
  const reason = 'The broadcast has begun: only its name can change. Create another one to send something else.';
  throw new ApiError('INVALID_STATE', { reason });
}

/** What is given, checked, over what was there. Null clears. */
async function merged(
  tx: Transaction,
  authoring: Authoring,
  by: By,
  owner: OwnList,
  before: Settings,
  { emailId, audience, when, abTest = before.abTest }: Omit<Change, 'name'>,
): Promise<Settings> {
  if (emailId) await checkEmail(tx, by.tenantId, 'emailId', emailId);
  if (abTest && abTest !== before.abTest) await checkEmail(tx, by.tenantId, 'abTest.emailId', abTest.emailId);
  const made = ownListOf(before);
  const chosen = audience ? await audienceOf(tx, authoring, by, owner, audience, made) : kept(audience, before);
  const isKept = made !== undefined && !(chosen && 'filter' in chosen);
  const settings = {
    emailId: emailId === undefined ? before.emailId : emailId,
    audience: chosen,
    when: when === undefined ? before.when : readWhen(when),
    ...(abTest ? { abTest } : {}),
    ...(isKept ? { ownListId: made } : {}),
  };
  refuseUnfit(settings);
  return settings;
}

const kept = (audience: null | undefined, before: Settings) => (audience === null ? null : before.audience);

async function checkEmail(tx: Transaction, tenantId: number, field: string, emailId: string): Promise<void> {
  const live = isAssetId(emailId) ? await selectLiveIds(tx, tenantId, [emailId]) : new Set();
  if (!live.has(emailId)) throw invalid(field, 'is not an email');
}

async function audienceOf(
  tx: Transaction,
  authoring: Authoring,
  by: By,
  { journeyId, name }: OwnList,
  given: GivenAudience,
  made: string | undefined,
): Promise<Audience> {
  const kind = readAudience(given);
  if (kind === 'filter') {
    const filter = given.filter as Record<string, unknown>;
    const owner = { journeyId, name: `Audience of ${name}`.slice(0, 255) };
    return { filter, dynamicListId: await authoring.ownList(tx, by, owner, filter, made) };
  }
  const listId = given[kind] as string;
  await checkList(tx, by.tenantId, kind, listId);
  return kind === 'staticListId' ? { staticListId: listId } : { dynamicListId: listId };
}

async function checkList(
  tx: Transaction,
  tenantId: number,
  kind: 'staticListId' | 'dynamicListId',
  listId: string,
): Promise<void> {
  const names = isAssetId(listId)
    ? await (kind === 'staticListId' ? selectListNames : selectDynamicNames)(tx, tenantId, [listId])
    : new Map();
  if (!names.has(listId)) throw invalid(`audience.${kind}`, 'is not a list');
}

/** What was chosen may have been deleted since. */
export async function checkStanding(
  tx: Transaction,
  tenantId: number,
  { emailId, audience, abTest }: Settings,
): Promise<void> {
  if (emailId !== null) await checkEmail(tx, tenantId, 'emailId', emailId);
  if (abTest) await checkEmail(tx, tenantId, 'abTest.emailId', abTest.emailId);
  if (audience && 'staticListId' in audience) await checkList(tx, tenantId, 'staticListId', audience.staticListId);
  if (audience && 'dynamicListId' in audience) await checkList(tx, tenantId, 'dynamicListId', audience.dynamicListId);
}
