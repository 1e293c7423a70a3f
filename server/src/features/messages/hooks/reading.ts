// Helpers shared by the providers' readers.
import { invalid } from '../../../http/api-error.js';
import { parseJson } from '../../../http/json.js';
import { parseInstant } from '../../../lib/instant.js';
import { addressOf, reasonOf } from '../../../mail/bounces/fields.js';
import { judgeReply } from '../../../mail/bounces/replies.js';
import type { Notice } from '../notices.js';

/** A provider's request, as received. */
export interface Post {
  /** A header by its lower-case name. */
  header(name: string): string | undefined;
  /** Signatures cover it byte for byte. */
  body: Buffer;
  /** The key that verifies the signature, set with the hook; null: the URL alone is the secret. */
  key: string | null;
  now: Date;
}

export interface Reading {
  notices: Notice[];
  /** How many events could not be read. */
  skipped: number;
  /** The signed token, if the signature does not cover the body. It is valid with one body only. */
  token?: string;
}

export type Reader = (post: Post) => Promise<Reading>;

/** The signature is missing or wrong, or its time is not recent. */
export class NotGenuine extends Error {}

export type Fields = Record<string, unknown>;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldsIn(value: unknown): Fields {
  return isFields(value) ? value : {};
}

export function textIn(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** Normalized like contacts' addresses: trimmed, in lower case. */
export function emailIn(value: unknown): string | null {
  const email = textIn(value)?.slice(0, 400).trim().toLowerCase() ?? '';
  return addressOf(email) === email && email.isWellFormed() ? email : null;
}

/** In the API's time format; null if it is missing or not a time. */
export function instantIn(value: unknown): string | null {
  return parseInstant(textIn(value)?.trim().slice(0, 50) ?? '') ?? null;
}

const latestSecond = Date.parse('9999-12-31T23:59:59.000Z') / 1000;

/** Converts seconds since 1970, with or without a fraction. */
export function instantOfSeconds(value: unknown): string | null {
  const seconds = typeof value === 'number' ? value : Number.NaN;
  if (!(seconds >= 0 && seconds <= latestSecond)) return null;
  return new Date(Math.floor(seconds * 1000)).toISOString();
}

async function readBody(body: Buffer): Promise<unknown> {
  const { value } = await parseJson(body);
  if (value === undefined) throw invalid('body', 'is required');
  return value;
}

export async function readObject(body: Buffer): Promise<Fields> {
  const value = await readBody(body);
  if (!isFields(value)) throw invalid('body', 'must be an object');
  return value;
}

// Providers send a few hundred at most.
const mostEvents = 10_000;

/** Reads each event by itself: an unreadable one must not stop the others. `read` returns undefined for it. */
export function readEvents(
  events: unknown,
  field: string,
  read: (event: Fields) => Notice | 'ignored' | undefined,
): Reading {
  if (!Array.isArray(events)) throw invalid(field, 'must be an array');
  if (events.length > mostEvents)
    throw invalid(field, `must have at most ${mostEvents} events, not ${events.length}: send them in smaller parts`);
  const reading: Reading = { notices: [], skipped: 0 };
  for (const event of events) {
    const notice = isFields(event) ? read(event) : undefined;
    if (notice === undefined) reading.skipped++;
    else if (notice !== 'ignored') reading.notices.push(notice);
  }
  return reading;
}

/** A request with one event. */
export function readOne(notice: Notice | 'ignored' | undefined): Reading {
  if (notice === undefined) return { notices: [], skipped: 1 };
  return { notices: notice === 'ignored' ? [] : [notice], skipped: 0 };
}

type Bounce = Pick<Notice, 'isHard' | 'suppresses' | 'reason'>;

/**
 * A bounce that a provider calls hard. The mail server's reply decides whether it suppresses the address; if that is not given, the
 * provider's own verdict `suppresses` does.
 */
export function hardBounce(said: string, suppresses: boolean): Bounce {
  const text = said.slice(0, 2000).replace(/^\s*smtp;\s*/i, '');
  const code = Number(/^\s*(5\d\d)(?!\d)/.exec(text)?.[1] ?? 550);
  const verdict = judgeReply(code, text);
  const isTold = verdict.status.includes('.') || /^\s*5\d\d(?!\d)/.test(text);
  const reason = reasonOf(isTold ? verdict.status : '', text) || null;
  return { isHard: true, suppresses: isTold ? verdict.suppresses : suppresses, reason };
}

export function softBounce(said: string): Bounce {
  return { isHard: false, suppresses: false, reason: reasonOf('', said) || null };
}

// Seconds.
export const longestAgo = 15 * 60;

/** A request signed long ago, or in the future, is taken for a replay. */
export function requireRecent(seconds: string, now: Date): void {
  const at = /^\d{1,12}$/.test(seconds) ? Number(seconds) : Number.NaN;
  if (!(Math.abs(now.getTime() / 1000 - at) <= longestAgo)) throw new NotGenuine('The time is not recent.');
}
