// Messages that steps of journeys queue, with the caps of their journeys.
import type { Transaction } from '../../../db/database.js';
import { selectLiveIds } from '../../emails/index.js';
import { insertJourneyMessages, type NewJourneyMessage, type Queued, selectCounted } from './queries.js';

/** The most messages of all journeys to a contact in a period. */
interface Cap {
  readonly messages: number;
  readonly perMs: number;
}

export interface JourneyMessage extends Omit<NewJourneyMessage, 'words' | 'arms'> {
  /** `{{event.…}}` and `{{webhook.…}}`: what the event had, and what a webhook answered, whatever JSON that is. */
  words: { readonly event?: Readonly<Record<string, unknown>>; readonly webhook?: unknown } | null;
  /** By the id of the split: the arms that the enrolment has taken. Null where it has taken none. */
  arms?: Readonly<Record<string, string>> | null;
  cap: Cap | null;
}

/**
 * Queues them in their order, and says of each what became of it. What does not leave is in the ledger too: `skipped` as told, by its
 * cap (`capped`), or because the email is gone (`emailDeleted`). Erased contacts get no row. Caps are exact as long as one worker a
 * tenant calls this at a time: what it queued before it sees.
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

/** The places of those that their caps keep here. */
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
 * One after the other: a message counts for those behind it unless it is skipped. `counted` has the times of those that were there
 * before, by contact; what is queued here joins them. Pure.
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
