// Parts of a message, read as leniently as by Segment's own API: a number passes for an id, blank text for none.
import { isSoundText } from '../../lib/text.js';
import { arePropertiesSound, readItem, snakeCase } from '../contacts/index.js';

/** A message cannot be applied; the text says why. */
export class Refused extends Error {}

export type Fields = Record<string, unknown>;

const longest = 255;

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** An object inside a message; empty when there is none. */
export function readFields(message: Fields, key: string): Fields {
  const value = message[key] ?? {};
  if (!isFields(value)) throw new Refused(`${key} must be an object.`);
  return value;
}

/** A number as text, if it is surely the one that was sent: larger ones lose digits, and two ids would become one. */
export function asText(value: unknown): unknown {
  return typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER ? String(value) : value;
}

/** Trimmed text, or null when there is none. */
export function readText(message: Fields, key: string): string | null {
  const given = asText(message[key]) ?? '';
  if (typeof given !== 'string') throw new Refused(`${key} must be a string.`);
  const text = given.trim();
  if (text.length > longest && [...text].length > longest)
    throw new Refused(`${key} must have at most ${longest} characters.`);
  if (!isSoundText(text)) throw new Refused(`${key} must be valid Unicode without NUL.`);
  return text || null;
}

/** The email in traits, normalized, or null when there is none. */
export function readEmail(traits: unknown): string | null {
  const email = isFields(traits) ? (traits.email ?? '') : '';
  if (typeof email === 'string' && email.trim() === '') return null;
  const item = readItem({ email });
  if (!item.ok) throw new Refused(item.error);
  return item.email;
}

/** Traits as properties: `firstName` and `First Name` become `first_name`. */
export function readTraits(message: Fields): Fields {
  const traits = readFields(message, 'traits');
  if (!arePropertiesSound(traits)) throw new Refused('traits must be valid Unicode without NUL.');
  return Object.fromEntries(Object.entries(traits).map(([key, value]) => [snakeCase(key), value]));
}
