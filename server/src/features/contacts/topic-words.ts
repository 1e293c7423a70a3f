// Statements about topics in contact writes. Consent is above contacts; it stores them in the same transaction, through what app.ts passes in.
import { isObject, topicDefaults } from '@rapport/contract';
import type { Transaction } from '../../db/database.js';
import { isSoundText } from '../../lib/text.js';

type Word = (typeof topicDefaults)[number];
/** The state asked for, by topic key. */
export type TopicWords = Readonly<Record<string, Word>>;

/** Who makes a statement about topics. */
export interface Voucher {
  readonly source: 'api' | 'person' | 'import';
  readonly accountId: number | null;
}

/** Collects what a run of writes says about topics. */
export interface TopicBook {
  /** Why the statements cannot be applied, if so. */
  faultOf(words: TopicWords): string | undefined;
  /** Notes what an item says about its contact. Returns whether that changes anything. */
  say(contactId: string, words: TopicWords, by: Voucher): boolean;
  /** Stores what was noted, once the contacts are stored. Returns for how many items an earlier choice was kept. */
  store(now: string): Promise<number>;
}

/** Opens a book for writes that name these topics and these contacts. Under the tenant's lock. */
export type OpenTopics = (
  tx: Transaction,
  tenantId: number,
  named: { keys: readonly string[]; contactIds: readonly string[] },
) => Promise<TopicBook>;

type Read = { ok: true; words: TopicWords | undefined } | { ok: false; error: string };

/** Reads `topics` of an item. Whether the topics exist is checked later. */
export function readTopics(topics: unknown): Read {
  if (topics === undefined || topics === null) return { ok: true, words: undefined };
  if (!isObject(topics)) return { ok: false, error: 'topics must be an object.' };
  for (const [key, word] of Object.entries(topics)) {
    if (!isSoundText(key)) return { ok: false, error: 'topics must be valid Unicode without NUL.' };
    if (!(topicDefaults as readonly unknown[]).includes(word)) return { ok: false, error: wrongWord(key) };
  }
  return Object.keys(topics).length === 0
    ? { ok: true, words: undefined }
    : { ok: true, words: topics as Record<string, Word> };
}

function wrongWord(key: string): string {
  return `topics.${key.slice(0, 100)} must be subscribed or unsubscribed; in a CSV file yes, no or nothing.`;
}

/** A column about a topic in a column plan. */
export const topicColumn = /^topic:([a-z0-9_]{1,40})$/;
/** What cells of a column about a topic may say. Any other cell is invalid. */
const csvWords = new Map<string, Word>([
  ['yes', 'subscribed'],
  ['no', 'unsubscribed'],
]);

export function wordOfCell(cell: string): Word | [string] {
  return csvWords.get(cell.trim().toLowerCase()) ?? [cell];
}

export function cellOfWord(word: unknown): string {
  if (Array.isArray(word)) return String(word[0]);
  return [...csvWords].find(([, each]) => each === word)?.[0] ?? '';
}
