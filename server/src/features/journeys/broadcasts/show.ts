// Broadcasts as they are answered: with their progress, or with their figures.
import type { BroadcastRecord, BroadcastRow } from '@rapport/contract';
import type { Static } from 'typebox';
import type { Database, Runner } from '../../../db/database.js';
import { notFound } from '../../../http/api-error.js';
import { isAssetId } from '../../../lib/ids.js';
import { SharedReads } from '../../../lib/shared-reads.js';
import { keptReason } from '../../../mail/transport.js';
import { countFatesOfJourney, type FateCount, sumByJourney } from '../../messages/index.js';
import { findBroadcast, type StoredBroadcast } from './queries.js';

export type Broadcast = Static<typeof BroadcastRecord>;
type Row = Static<typeof BroadcastRow>;

/** The broadcast with this id; any other text, and a journey's id, is simply not found. */
export async function getBroadcast(db: Runner, tenantId: number, id: string): Promise<StoredBroadcast> {
  const found = isAssetId(id) ? await findBroadcast(db, tenantId, id) : undefined;
  if (!found) throw notFound('broadcast');
  return found;
}

/**
 * With its progress, for which all messages are counted: of millions that takes seconds. So this is a slow read, and never part of a
 * transaction, which would fail with it and keep the tenant's journeys waiting. `counts`: where pages that ask again and again share them.
 */
export async function showBroadcast(
  db: Database,
  tenantId: number,
  stored: StoredBroadcast,
  counts: SharedReads<FateCount[]> = new SharedReads(),
): Promise<Broadcast> {
  const { broadcastId, status } = stored;
  const count = () => countFatesOfJourney(db.slow(tenantId), tenantId, broadcastId);
  const fates = status === 'draft' ? [] : await counts.get(`${tenantId}:${broadcastId}:${status}`, count);
  const { audience } = stored.settings;
  return {
    ...shownFields(stored),
    audienceListId: audience && 'filter' in audience ? audience.dynamicListId : null,
    revision: stored.revision,
    progress: progressOf(stored, fates),
  };
}

function shownFields({ settings, revision: _, members: total, ...row }: StoredBroadcast) {
  const { emailId, audience, when, abTest = null } = settings;
  const shown = audience && 'filter' in audience ? { filter: audience.filter } : audience;
  return { ...row, total, emailId, audience: shown, when, abTest };
}

/** What became of its messages. Pure. */
function progressOf({ status, members }: StoredBroadcast, fates: readonly FateCount[]): Broadcast['progress'] {
  const sum = (of: (fate: FateCount) => number) => fates.reduce((all, fate) => all + of(fate), 0);
  const inState = (...states: FateCount['state'][]) =>
    sum(({ state, messages }) => (states.includes(state) ? messages : 0));
  const settled = sum(({ messages }) => messages) - inState('queued', 'sending');
  const hasEnded = status === 'sent' || status === 'cancelled';
  const rest = Math.max(0, (members ?? 0) - settled);
  return {
    waiting: hasEnded ? 0 : rest,
    sent: inState('sent', 'delivered', 'bounced'),
    kept: sum(({ state, reason, messages }) => (state === 'sent' && reason === keptReason ? messages : 0)),
    opened: sum(({ opened }) => opened),
    clicked: sum(({ clicked }) => clicked),
    bounced: inState('bounced'),
    unsubscribed: sum(({ unsubscribed }) => unsubscribed),
    failed: inState('failed'),
    skipped: inState('skipped', 'cancelled'),
    skippedBy: fates
      .flatMap(({ state, reason, messages: count }) => {
        if (state === 'cancelled') return [{ reason: state, count }];
        return state === 'skipped' ? [{ reason: reason ?? state, count }] : [];
      })
      .sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1)),
    notReached: hasEnded ? rest : 0,
  };
}

export async function showRows(db: Runner, tenantId: number, rows: readonly StoredBroadcast[]): Promise<Row[]> {
  const ids = rows.map(({ broadcastId }) => broadcastId);
  const sums = ids.length === 0 ? [] : await sumByJourney(db, tenantId, ids, { from: null, to: null });
  const byId = new Map(sums.map((one) => [one.journeyId, one]));
  return rows.map((row) => {
    const of = byId.get(row.broadcastId);
    return {
      ...shownFields(row),
      figures: {
        sent: of?.sent ?? 0,
        delivered: of?.delivered ?? 0,
        opened: of?.uniqueOpened ?? 0,
        clicked: of?.uniqueClicked ?? 0,
        bounced: (of?.hardBounced ?? 0) + (of?.softBounced ?? 0),
        unsubscribed: of?.unsubscribed ?? 0,
      },
    };
  });
}
