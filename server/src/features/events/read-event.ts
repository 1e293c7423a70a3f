// Reads the events of a write. Each is checked by itself, because a bad one must not stop the others.

import { isObject } from '@rapport/contract';
import { parseInstant } from '../../lib/instant.js';
import { isSoundText } from '../../lib/text.js';
import { parseEmail } from '../contacts/index.js';

/** What an event says, checked as far as possible without the database. */
export interface EventItem {
  eventId: string | null;
  userId: string | null;
  email: string | null;
  orgId: string | null;
  eventName: string;
  eventDate: string;
  /** Compact JSON of an object; null when it is empty. */
  properties: string | null;
}
export type ReadEvent = { ok: true; event: EventItem } | { ok: false; eventId: string | null; error: string };

const longest = 255;
const mostBytes = 32 * 1024;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const controls = /[\u0000-\u001f\u007f]/;

class Fault extends Error {}

/** `arrivedAt` is the date of an event that has none. */
export function readEvent(item: unknown, arrivedAt: string): ReadEvent {
  if (!isObject(item)) return { ok: false, eventId: null, error: 'The event must be an object with an eventName.' };
  let eventId: string | null = null;
  try {
    eventId = readId(item, 'eventId');
    const eventName = readText(item, 'eventName');
    if (eventName === null) throw new Fault('eventName is required.');
    const userId = readText(item, 'userId');
    const email = readEmail(item);
    if (userId === null && email === null) throw new Fault('The event must name a userId or an email.');
    const orgId = readText(item, 'orgId');
    const eventDate = readDate(item, arrivedAt);
    return {
      ok: true,
      event: { eventId, userId, email, orgId, eventName, eventDate, properties: readProperties(item) },
    };
  } catch (error) {
    if (error instanceof Fault) return { ok: false, eventId, error: error.message };
    throw error;
  }
}

// null is the same as absent.
function given(item: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(item, key) ? (item[key] ?? undefined) : undefined;
}

function readText(item: Record<string, unknown>, key: string): string | null {
  const value = given(item, key);
  if (value === undefined) return null;
  if (typeof value !== 'string') throw new Fault(`${key} must be a string.`);
  const text = value.trim();
  if (text === '' || isTooLong(text)) throw new Fault(`${key} must have 1 to ${longest} characters.`);
  if (!isSoundText(text)) throw new Fault(`${key} must be valid Unicode without NUL.`);
  return text;
}

// Characters, not UTF-16 units; counted only if that can make a difference.
function isTooLong(text: string): boolean {
  return text.length > longest && (text.length > longest * 2 || [...text].length > longest);
}

function readId(item: Record<string, unknown>, key: string): string | null {
  const id = readText(item, key);
  if (id !== null && controls.test(id)) throw new Fault(`${key} must not have control characters.`);
  return id;
}

function readEmail(item: Record<string, unknown>): string | null {
  const value = given(item, 'email');
  if (value === undefined) return null;
  if (typeof value !== 'string') throw new Fault('email must be a string.');
  const email = parseEmail(value);
  if (email === undefined) throw new Fault('email must be an email address.');
  return email;
}

function readDate(item: Record<string, unknown>, arrivedAt: string): string {
  const value = given(item, 'eventDate');
  if (value === undefined) return arrivedAt;
  const date = typeof value === 'string' ? parseInstant(value) : undefined;
  if (date === undefined) throw new Fault('eventDate must be an RFC 3339 time, such as 2026-11-15T09:30:00Z.');
  return date;
}

function readProperties(item: Record<string, unknown>): string | null {
  const value = given(item, 'eventProperties');
  if (value === undefined) return null;
  if (!isObject(value)) throw new Fault('eventProperties must be an object.');
  return packed(value);
}

/** The properties of an event as they are stored, or why they cannot be. */
export function packProperties(value: Readonly<Record<string, unknown>>): { json: string | null } | { error: string } {
  try {
    return { json: packed(value) };
  } catch (error) {
    if (error instanceof Fault) return { error: error.message };
    throw error;
  }
}

function packed(value: Readonly<Record<string, unknown>>): string | null {
  const json = JSON.stringify(value);
  if (json === '{}') return null;
  const bytes = json.length * 3 <= mostBytes ? 0 : Buffer.byteLength(json);
  if (bytes > mostBytes) throw new Fault(`eventProperties take ${bytes} bytes; at most ${mostBytes} are allowed.`);
  // Checked only if traces show: NUL and lone surrogates are written as \\u…, a number too large for JavaScript as null.
  if (json.includes('\\u') || json.includes('null')) requireSound(value);
  return json;
}

function requireSound(value: unknown): void {
  if (typeof value === 'string' && !isSoundText(value))
    throw new Fault('eventProperties must be valid Unicode without NUL.');
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new Fault('eventProperties have a number that is too large.');
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    requireSound(key);
    requireSound(part);
  }
}
