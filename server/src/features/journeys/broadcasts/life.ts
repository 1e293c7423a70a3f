// Send, pause, resume, cancel, delete. Asked twice, each changes nothing the second time.
import { isLockTimeout } from '../../../db/connect.js';
import type { Database, Runner, Transaction } from '../../../db/database.js';
import { ApiError } from '../../../http/api-error.js';
import type { Authoring } from '../authoring.js';
import { deleteJourney } from '../delete-journey.js';
import { activate } from '../life/activate.js';
import { deactivate } from '../life/deactivate.js';
import { pause, resume } from '../life/pause.js';
import { bumpEdition, holdEdition, lockJourneys } from '../life/queries.js';
import { type By, type HeldJourney, updateJourneyRow } from '../queries.js';
import { endOver, findBroadcast, selectTenantsDone, setCancelled } from './queries.js';
import { definitionOf, ownListOf, refuseIncomplete, type Settings } from './settings.js';
import { getBroadcast } from './show.js';
import { checkStanding, getOwn } from './write-broadcast.js';

/** Returns whether anything changed; so do the others. */
export async function send(tx: Transaction, by: By, id: string, authoring: Authoring): Promise<boolean> {
  const now = await lockJourneys(tx, by.tenantId);
  const broadcast = await getOwn(tx, by.tenantId, id);
  if (broadcast.state !== 'draft') {
    await refuseCancelled(tx, by.tenantId, id, 'It cannot be sent. Create another one.');
    return false;
  }
  const settings = broadcast.broadcast as unknown as Settings;
  refuseIncomplete(settings, now);
  await checkStanding(tx, by.tenantId, settings);
  await updateJourneyRow(tx, by, id, { ...broadcast, definition: definitionOf(settings, now) });
  await activate(tx, by, id, authoring, []);
  return true;
}

export async function pauseBroadcast(tx: Transaction, by: By, id: string, authoring: Authoring): Promise<boolean> {
  const broadcast = await holdActive(tx, by, id, 'paused');
  if (broadcast.isPaused) return false;
  await pause(tx, by.tenantId, id, authoring);
  return true;
}

export async function resumeBroadcast(tx: Transaction, by: By, id: string, authoring: Authoring): Promise<boolean> {
  const broadcast = await holdActive(tx, by, id, 'resumed');
  if (!broadcast.isPaused) return false;
  await resume(tx, by.tenantId, id, authoring);
  return true;
}

export async function cancelBroadcast(tx: Transaction, by: By, id: string, authoring: Authoring): Promise<boolean> {
  const now = await lockJourneys(tx, by.tenantId);
  const { state } = await getOwn(tx, by.tenantId, id);
  const shown = state === 'inactive' ? await findBroadcast(tx, by.tenantId, id) : undefined;
  if (shown?.status === 'cancelled') return false;
  if (state === 'draft') throw refused('It is a draft, so there is nothing to cancel. Delete it if it is not needed.');
  if (shown) throw refused('It was already sent, so there is nothing to cancel.');
  await deactivate(tx, by, id, authoring);
  await setCancelled(tx, by.tenantId, id, now);
  return true;
}

/** Gives the name that it had. The list that was made for it goes too, unless something else uses it. */
export async function deleteBroadcast(tx: Transaction, by: By, id: string, authoring: Authoring): Promise<string> {
  const ownList = ownListOf((await getBroadcast(tx, by.tenantId, id)).settings);
  // Lists are locked before journeys, and journeys before one of them. If it is refused below, the list is back.
  if (ownList !== undefined) await authoring.dropOwnList(tx, by, ownList);
  await holdEdition(tx, by.tenantId);
  const { state } = await getOwn(tx, by.tenantId, id);
  if (state === 'active') throw refused('It is being sent. Cancel it first.');
  return deleteJourney(tx, by, id);
}

async function holdActive(tx: Transaction, by: By, id: string, what: string): Promise<HeldJourney> {
  await lockJourneys(tx, by.tenantId);
  const broadcast = await getOwn(tx, by.tenantId, id);
  if (broadcast.state === 'active') return broadcast;
  if (broadcast.state === 'draft') throw refused(`It is a draft, so it cannot be ${what}. Send it first.`);
  await refuseCancelled(tx, by.tenantId, id, `It cannot be ${what}.`);
  throw refused(`It was already sent, so it cannot be ${what}.`);
}

async function refuseCancelled(db: Runner, tenantId: number, id: string, then: string): Promise<void> {
  if ((await findBroadcast(db, tenantId, id))?.status === 'cancelled') throw refused(`It was canceled. ${then}`);
}

const refused = (reason: string) => new ApiError('INVALID_STATE', { reason });

/**
 * Broadcasts whose last message has left are over. Unlike other batch journeys they are not finished with their last enrolment: until the
 * messages have left, there is something to pause. Those of a workspace whose journeys are locked for long are ended next time.
 */
export async function endBroadcasts(db: Database['background'], signal: AbortSignal): Promise<void> {
  for (const tenantId of await selectTenantsDone(db)) {
    if (signal.aborted) return;
    await db.transaction((tx) => endAllOver(tx, tenantId)).catch(unlessLocked);
  }
}

async function endAllOver(tx: Transaction, tenantId: number): Promise<void> {
  const now = await lockJourneys(tx, tenantId);
  if ((await endOver(tx, tenantId, now)) > 0) await bumpEdition(tx, tenantId);
}

function unlessLocked(error: unknown): void {
  if (!isLockTimeout(error)) throw error;
}
