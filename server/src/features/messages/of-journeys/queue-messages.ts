// Queues messages of journey steps, subject to their journeys' caps.
import type { Transaction } from '../../../db/database.js';
import { selectLiveIds } from '../../emails/index.js';
import { insertJourneyMessages, type NewJourneyMessage, type Queued, selectCounted } from './queries.js';

/** The most messages from all journeys that a contact gets in a period. */
interface Cap {
  readonly messages: number;
  readonly perMs: number;
}

export interface JourneyMessage extends Omit<NewJourneyMessage, 'words' | 'arms'> {
  /** `{{event.…}}` and `{{webhook.…}}`: the event's properties and a webhook's response, which may be any JSON. */
  words: { readonly event?: Readonly<Record<string, unknown>>; readonly webhook?: unknown } | null;
  /** The arms that the enrolment has taken, by the id of the split. Null if it has taken none. */
  arms?: Readonly<Record<string, string>> | null;
  cap: Cap | null;
}

/**
 * Queues messages in order and returns what became of each. Messages that are not sent are in the ledger too: `skipped` as requested, by a
 * cap (`capped`), or because the email is gone (`emailDeleted`). Erased contacts get no row. Caps are exact as long as one worker per
 * tenant calls this at a time, because it sees what it queued before.
 */
export async function queueJourneyMessages(
  tx: Transaction,
  tenantId: number,
  messages: readonly JourneyMessage[],
  now: string,
): Promise<Queued[]> {
  if (messages.length === 0) return [];
  const capped = await overCap(tx, tenantId, messages);
  const rows = messages.map(({ words, arms, cap: _, ...message }, i) => ({
    ...message,
    skipped: capped.has(i) ? 'capped' : message.skipped,
    words: words === null ? null : JSON.stringify(words),
    arms: arms ? JSON.stringify(arms) : null,
  }));
  return insertJourneyMessages(tx, tenantId, rows, now);
}

/** The indexes of messages that caps hold back. */
async function overCap(tx: Transaction, tenantId: number, messages: readonly JourneyMessage[]): Promise<Set<number>> {
  const after = new Map<string, number>();
  for (const { contactId, cap, dueAt, kind } of messages) {
    if (cap === null || kind === 'transactional') continue;
    const begin = Date.parse(dueAt) - cap.perMs;
    after.set(contactId, Math.min(begin, after.get(contactId) ?? begin));
  }
  if (after.size === 0) return new Set();
  const contacts = [...after].map(([contactId, begin]) => ({ contactId, after: begin }));
  const counted = await selectCounted(tx, tenantId, contacts);
  const live = await selectLiveIds(tx, tenantId, [...new Set(messages.map(({ emailId }) => emailId))]);
  return decideCaps(messages, counted, (emailId) => live.has(emailId));
}

/**
 * In order: each message counts towards the caps of those after it unless it is skipped. `counted` has the times of earlier messages
 * by contact; messages queued here are added to it. Pure.
 */
export function decideCaps(
  messages: readonly Pick<JourneyMessage, 'contactId' | 'kind' | 'emailId' | 'dueAt' | 'cap' | 'skipped'>[],
  counted: ReadonlyMap<string, readonly number[]>,
  isLive: (emailId: string) => boolean,
): Set<number> {
  const times = new Map([...counted].map(([contactId, own]) => [contactId, [...own]]));
  const over = new Set<number>();
  for (const [i, { contactId, kind, emailId, dueAt, cap, skipped }] of messages.entries()) {
    if (kind === 'transactional' || skipped !== null || !isLive(emailId)) continue;
    const own = times.get(contactId) ?? [];
    times.set(contactId, own);
    const at = Date.parse(dueAt);
    if (cap !== null && own.filter((time) => time > at - cap.perMs).length >= cap.messages) over.add(i);
    else own.push(at);
  }
  return over;
}
