// Looks for what is wrong, opens alerts and closes them. It reads only figures that are kept anyway, some subjects at a time.
import type { FastifyBaseLogger } from 'fastify';
import type { Background, Database } from '../../db/database.js';
import type { Clock } from '../../lib/clock.js';
import { newAssetId } from '../../lib/ids.js';
import { selectDynamicSizes } from '../dynamic-lists/index.js';
import { selectLiveEntries } from '../journeys/index.js';
import { type SizeNow, selectStaticSizes } from '../lists/index.js';
import { type HealthLimits, selectFiguresAfter } from '../messages/index.js';
import { type AlertKey, closeAlerts, insertAlerts, selectOpenAfter } from './queries.js';
import { judgeEntries, judgeMail, judgeSize, leastMembers, type Trouble } from './rules.js';
import { type TellNeeds, tell } from './tell.js';

export interface WatchNeeds extends TellNeeds {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  limits: HealthLimits;
}

// Who deletes ten thousand members has halved many lists, and needs to be told of some.
const mostOpen = 50;
// Hours that one stays closed, so that nobody is told twice of one thing that goes up and down.
const restHours = 6;

export async function watchAll(needs: WatchNeeds, signal?: AbortSignal): Promise<void> {
  const { db, log } = needs;
  // Before the look: what another process opens during it must not be closed because of figures that are older.
  const open = await selectAllOpen(db.background);
  const troubles = await findTroubles(needs, signal);
  if (signal?.aborted) return;
  const isOpen = new Set(open.map(nameOf));
  const isTrouble = new Set(troubles.map(nameOf));
  const opening = byTenant(troubles.filter((each) => each.isGrave && !isOpen.has(nameOf(each))));
  const closing = byTenant(open.filter((each) => !isTrouble.has(nameOf(each))));
  for (const tenantId of new Set([...opening.keys(), ...closing.keys()])) {
    if (signal?.aborted) return;
    try {
      await change(needs, tenantId, opening.get(tenantId) ?? [], closing.get(tenantId) ?? []);
    } catch (err) {
      log.error({ err, tenantId }, 'the alerts of a tenant could not be changed; it is tried again');
    }
  }
}

/** An alert opens in the transaction that queues what is told of it: of many processes, one does both. */
async function change(
  needs: WatchNeeds,
  tenantId: number,
  opening: readonly Trouble[],
  closing: readonly AlertKey[],
): Promise<void> {
  const now = needs.clock.now().toISOString();
  const worst = opening.toSorted((a, b) => b.comparedWith - a.comparedWith);
  const alerts = worst.map((trouble) => ({ ...trouble, alertId: newAssetId() }));
  await needs.db.background.transaction(async (tx) => {
    if (closing.length > 0) await closeAlerts(tx, tenantId, closing, now);
    if (alerts.length === 0) return;
    const opened = await insertAlerts(tx, tenantId, alerts, now, { mostOpen, restHours });
    if (opened.length > 0) await tell(needs, tx, tenantId, opened);
  });
}

const nameOf = ({ tenantId, kind, subject }: AlertKey) => `${tenantId} ${kind} ${subject}`;

function byTenant<T extends { tenantId: number }>(items: readonly T[]): Map<number, T[]> {
  const sorted = new Map<number, T[]>();
  for (const item of items) {
    const own = sorted.get(item.tenantId);
    if (own) own.push(item);
    else sorted.set(item.tenantId, [item]);
  }
  return sorted;
}

// Rows of one statement: a few tens of milliseconds each.
const atOnce = 500;

async function selectAllOpen(db: Background): Promise<AlertKey[]> {
  const first: AlertKey = { tenantId: 0, kind: 'bounces', subject: '' };
  const open: AlertKey[] = [];
  await inPagesOf(
    first,
    undefined,
    (after) => selectOpenAfter(db, after, atOnce),
    (row) => open.push(row),
  );
  return open;
}

/** All that is wrong, of all tenants; incomplete once the signal is aborted. */
async function findTroubles({ db, clock, limits }: WatchNeeds, signal?: AbortSignal): Promise<Trouble[]> {
  const { background } = db;
  const now = clock.now().toISOString();
  const found: Trouble[] = [];
  const noList = { tenantId: 0, listId: '' };
  const noJourney = { tenantId: 0, journeyNo: 0 };
  const sizes = (select: typeof selectStaticSizes, type: 'staticList' | 'dynamicList') =>
    inPagesOf<SizeNow | typeof noList, SizeNow>(
      noList,
      signal,
      (after) => select(background, after, leastMembers, atOnce),
      (row) => found.push(...judgeSize(row, type)),
    );
  await inPagesOf(
    { tenantId: 0 },
    signal,
    ({ tenantId }) => selectFiguresAfter(background, tenantId, now, atOnce),
    (row) => found.push(...judgeMail(row, limits)),
  );
  await inPagesOf(
    noJourney,
    signal,
    (after) => selectLiveEntries(background, after, now, atOnce),
    (row) => found.push(...judgeEntries(row)),
  );
  await sizes(selectStaticSizes, 'staticList');
  await sizes(selectDynamicSizes, 'dynamicList');
  return found;
}

/** Reads on after the last row until a page is not full. */
async function inPagesOf<Place, Row extends Place>(
  first: Place,
  signal: AbortSignal | undefined,
  read: (after: Place) => Promise<Row[]>,
  take: (row: Row) => void,
): Promise<void> {
  let after = first;
  while (!signal?.aborted) {
    const rows = await read(after);
    for (const row of rows) take(row);
    const last = rows.at(-1);
    if (!last || rows.length < atOnce) return;
    after = last;
  }
}
