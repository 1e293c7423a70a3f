// Reads the items of a write. Each is checked by itself, because a bad one must not stop the others.
import { isObject } from '@rapport/contract';
import { isSoundText, normalizeEmail } from '../../lib/text.js';
import { readTopics, type TopicWords } from './topic-words.js';

export type Item =
  | { ok: true; email: string; properties: Record<string, unknown>; topics?: TopicWords | undefined }
  | { ok: false; email: string | null; error: string };

const emailShape = /^[^\s@]+@[^\s@]+$/;
const longestEmail = 254;

/** The address in its stored form; undefined if it is invalid. */
export function parseEmail(text: string): string | undefined {
  const email = normalizeEmail(text);
  return isSoundText(email) && isAddress(email) ? email : undefined;
}

function isAddress(email: string): boolean {
  return email.length <= longestEmail && emailShape.test(email);
}

export function readItem(item: unknown): Item {
  if (!isObject(item)) return { ok: false, email: null, error: 'The item must be an object with an email.' };
  const { email: given, properties } = item;
  if (typeof given !== 'string') return { ok: false, email: null, error: 'email is required and must be a string.' };
  const email = normalizeEmail(given);
  if (!isSoundText(email)) return { ok: false, email: null, error: 'email must be valid Unicode without NUL.' };
  const shown = email.slice(0, longestEmail);
  if (!isAddress(email)) return { ok: false, email: shown, error: 'email must be an email address.' };
  const said = readTopics(item.topics);
  if (!said.ok) return { ok: false, email, error: said.error };
  const topics = said.words;
  if (properties === undefined || properties === null) return { ok: true, email, properties: {}, topics };
  if (!isObject(properties)) return { ok: false, email, error: 'properties must be an object.' };
  if (!areSound(properties)) return { ok: false, email, error: 'properties must be valid Unicode without NUL.' };
  return { ok: true, email, properties, topics };
}

/** Two levels are enough: anything nested deeper is ignored anyway. */
export function areSound(properties: Record<string, unknown>): boolean {
  for (const [key, value] of Object.entries(properties)) {
    if (!isSoundText(key)) return false;
    if (typeof value === 'string' && !isSoundText(value)) return false;
    if (Array.isArray(value) && value.some((part) => typeof part === 'string' && !isSoundText(part))) return false;
  }
  return true;
}
