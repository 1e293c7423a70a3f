import { type DataValue, type MessageText, mostDataBytes, sendMessage, type sendMessages } from '@rapport/contract';
import { isLockTimeout, passesByWaiting } from '../../../db/connect.js';
import type { Database, Runner } from '../../../db/database.js';
import { ApiError, invalid, notFound } from '../../../http/api-error.js';
import { bodyReader } from '../../../http/body.js';
import { isAssetId, isContactId, newMessageUuid } from '../../../lib/ids.js';
import { isSoundText } from '../../../lib/text.js';
import { currentTrace } from '../../../lib/tracing.js';
import { GroupCommit } from '../../../work/group-commit.js';
import { type Found, insertMessages, type NewMessage } from './queries.js';

type Queued = DataValue<typeof sendMessage>;
type Result = DataValue<typeof sendMessages>['results'][number];

/** A send request, checked as far as possible without the database. A malformed id becomes null. */
interface Wanted {
  emailId: string | null;
  to: { contactId: string | null; email: string | null };
  kind: NewMessage['kind'];
  data: string | null;
  sendAt: string | null;
  trace: NewMessage['trace'];
}

export async function queueMessage(db: Runner, tenantId: number, body: MessageText): Promise<Queued> {
  const [outcome] = await queueAll(db, tenantId, [readWanted(body)]);
  if (outcome instanceof ApiError) throw outcome;
  return { messageId: outcome as string, state: 'queued' };
}

/**
 * Single messages of a tenant, committed in groups: one statement per message reached a third of a bare INSERT over eight connections.
 * Throws a lock timeout if the contact is being erased: a group must not wait for that.
 */
export function messageGroups(db: Database) {
  return new GroupCommit<{ tenantId: number; wanted: Wanted }, string>({
    keyOf: ({ tenantId }) => tenantId,
    sizeOf: ({ wanted }) => wanted.data?.length ?? 0,
    commit: (items) =>
      queueAll(
        db,
        items[0]?.tenantId as number,
        items.map(({ wanted }) => wanted),
        false,
      ),
    // The lock concerns one message: the others are stored without it.
    isShared: (error) => passesByWaiting(error) && !isLockTimeout(error),
  });
}

const readShape = bodyReader(sendMessage.body, 'POST');

/** Each by itself: an invalid one gets its error and does not stop the others. */
export async function queueBatch(
  db: Runner,
  tenantId: number,
  items: readonly unknown[],
): Promise<DataValue<typeof sendMessages>> {
  const read = items.map((item) => attempt(() => readWanted(readShape(item) as MessageText)));
  const outcomes = await queueAll(
    db,
    tenantId,
    read.flatMap((each) => (each instanceof ApiError ? [] : each)),
  );
  let next = 0;
  const results = read.map((each, index): Result => {
    const outcome = each instanceof ApiError ? each : (outcomes[next++] as string | ApiError);
    if (!(outcome instanceof ApiError)) return { index, messageId: outcome, state: 'queued' };
    return { index, state: 'failed', error: outcome.items.map(({ message }) => message).join(' ') };
  });
  return { results };
}

/**
 * The ids of queued messages; for the others, the errors they are refused with. `mayWait` is false on shared connections: then
 * it throws a lock timeout if a contact is being erased.
 */
async function queueAll(
  db: Runner,
  tenantId: number,
  wanted: readonly Wanted[],
  mayWait = true,
): Promise<(string | ApiError)[]> {
  const messages = wanted.map((each) => (each.emailId ? newMessage(each, each.emailId) : undefined));
  const known = messages.flatMap((message) => message ?? []);
  const found = known.length === 0 ? [] : await insertMessages(db, tenantId, known, mayWait);
  let next = 0;
  return messages.map((message) => {
    // A missing email is reported first, so the contact need not be looked up if the email id is invalid.
    const outcome = message && (found[next++] as Found);
    if (!outcome?.hasEmail) return notFound('email');
    if (!outcome.hasContact) return new ApiError('BAS-E-002');
    return (message as NewMessage).messageId;
  });
}

function newMessage({ to, kind, data, sendAt, trace }: Wanted, emailId: string): NewMessage {
  return { messageId: newMessageUuid(), ...to, emailId, kind, data, sendAt, trace };
}

/** Throws an error that says what is wrong with it. */
export function readWanted({ emailId, contactId, email, data, transactional, sendAt }: MessageText): Wanted {
  if (contactId !== undefined && email !== undefined) throw invalid('email', 'must not be given with contactId');
  if (contactId === undefined && email === undefined) throw invalid('contactId', 'or email is required');
  return {
    emailId: isAssetId(emailId) ? emailId : null,
    to: { contactId: contactId !== undefined && isContactId(contactId) ? contactId : null, email: email ?? null },
    kind: transactional ? 'transactional' : 'direct',
    data: data === undefined ? null : readData(data),
    sendAt: sendAt ?? null,
    trace: currentTrace() ?? null,
  };
}

function readData(data: Record<string, unknown>): string {
  const json = JSON.stringify(data);
  const bytes = Buffer.byteLength(json);
  if (bytes > mostDataBytes) throw invalid('data', `takes ${bytes} bytes; at most ${mostDataBytes} are allowed`);
  // Checked only if traces show: NUL and lone surrogates are written as \u…, a number too large for JavaScript as null.
  if ((json.includes('\\u') || json.includes('null')) && !isSound(data))
    throw invalid('data', 'must be valid Unicode without NUL, and have no number that is too large');
  return json;
}

function isSound(value: unknown): boolean {
  if (typeof value === 'string') return isSoundText(value);
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, part]) => isSoundText(key) && isSound(part));
}

function attempt<T>(read: () => T): T | ApiError {
  try {
    return read();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
