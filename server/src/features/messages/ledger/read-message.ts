import type { DataValue, listOutbox, getMessage as route } from '@rapport/contract';
import type { Database, Runner } from '../../../db/database.js';
import type { Page, PageOf } from '../../../db/paged.js';
import { ApiError, notFound } from '../../../http/api-error.js';
import { isMessageUuid } from '../../../lib/ids.js';
import { findOutboxMessage, selectOutbox } from '../../emails/index.js';
import { messageIdIn } from '../notices.js';
import {
  type AttemptRow,
  cancelQueued,
  type EventRow,
  findMessage,
  findWhole,
  type LedgerRow,
  selectKinds,
} from './queries.js';

type Detail = DataValue<typeof route>;
type Entry = Detail['timeline'][number];

/** The most shown at once; the right of access has no such limit. */
const mostEntries = 500;

/** A message with everything that happened to it. */
export async function readMessage(db: Runner, tenantId: number, messageId: string): Promise<Detail> {
  const found = isMessageUuid(messageId) ? await findWhole(db, tenantId, messageId, mostEntries) : undefined;
  if (!found) throw notFound('message');
  const { row, attempts, events } = found;
  return { ...row, timeline: timelineOf(row, attempts, events).slice(-mostEntries), attempts };
}

export async function getMessage(db: Runner, tenantId: number, messageId: string): Promise<LedgerRow> {
  const row = isMessageUuid(messageId) ? await findMessage(db, tenantId, messageId) : undefined;
  if (!row) throw notFound('message');
  return row;
}

/** Messages kept instead of sent, newest first. */
export async function readOutbox(
  db: Database,
  tenantId: number,
  page: PageOf,
): Promise<Page<DataValue<typeof listOutbox>>> {
  const { rows, total } = await selectOutbox(db, tenantId, page);
  return { rows: await withKinds(db, tenantId, rows), total };
}

export async function readOutboxMessage(db: Runner, tenantId: number, messageId: string) {
  const row = await findOutboxMessage(db, tenantId, messageId);
  const [message] = await withKinds(db, tenantId, row ? [row] : []);
  if (!message) throw notFound('message');
  return message;
}

/** The outbox identifies a message by its Message-ID header, which contains the id. */
async function withKinds<Row extends { messageId: string }>(db: Runner, tenantId: number, rows: readonly Row[]) {
  const ids = rows.map(({ messageId }) => messageIdIn(messageId));
  const kinds = await selectKinds(
    db,
    tenantId,
    ids.filter((id) => id !== null),
  );
  return rows.map((row, i) => ({ ...row, kind: kinds.get(ids[i] ?? '') ?? null }));
}

export async function cancelMessage(db: Runner, tenantId: number, messageId: string): Promise<LedgerRow> {
  const { state } = await getMessage(db, tenantId, messageId);
  const cancelled = state === 'queued' ? await cancelQueued(db, tenantId, messageId) : undefined;
  if (cancelled) return cancelled;
  const now = state === 'queued' ? (await getMessage(db, tenantId, messageId)).state : state;
  throw new ApiError('INVALID_STATE', { reason: `The message is ${now}; only a queued one can be canceled.` });
}

const whatOf = { sent: 'sent', refused: 'bounced', later: 'deferred', failed: 'failed' } as const;

/** Oldest first. Within the same millisecond: queued first, then what we did, then what was reported. Pure. */
export function timelineOf(
  row: Pick<LedgerRow, 'queuedAt'>,
  attempts: readonly AttemptRow[],
  events: readonly EventRow[],
): Entry[] {
  const entries: Entry[] = [
    { at: row.queuedAt, what: 'queued' },
    ...attempts.map(({ at, reply, outcome }) => ({ at, what: whatOf[outcome], detail: reply })),
    ...events.map(({ at, what, detail, isMachine }) => {
      const isSoft = what === 'softBounced';
      const said = [...(isSoft ? ['soft'] : []), ...(detail ? [detail] : []), ...(isMachine ? ['automated'] : [])].join(
        '; ',
      );
      return { at, what: isSoft ? 'bounced' : what, ...(said === '' ? {} : { detail: said }) };
    }),
  ];
  return entries.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}
