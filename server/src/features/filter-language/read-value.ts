// What may stand at one place of a filter. Each reader answers the value, or throws the fault with its place.
import { type Duration, filterLimits, isPropertyKey, parseDuration } from '@rapport/contract';
import { parseInstant } from '../../lib/instant.js';
import { isSoundText } from '../../lib/text.js';
import { FilterFault, listOf, placeOf } from './fault.js';
import type { Scalar } from './tree.js';

/** An object of the filter, as it came. Read it with own keys only: `constructor` is nothing special. */
export type Fields = Readonly<Record<string, unknown>>;

/** What PostgreSQL's integer holds. */
const largestCount = 2_147_483_647;

export function readObject(value: unknown, path: string, words = 'an object is wanted'): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new FilterFault(path, words);
  return value as Fields;
}

export function has(fields: Fields, key: string): boolean {
  return Object.hasOwn(fields, key);
}

/** Reads an optional key. */
export function readKey<T>(fields: Fields, path: string, key: string, read: (value: unknown, path: string) => T) {
  return has(fields, key) ? read(fields[key], placeOf(path, key)) : undefined;
}

/** Reads a key that has to be there. */
export function readWanted<T>(fields: Fields, path: string, key: string, read: (value: unknown, path: string) => T): T {
  if (!has(fields, key)) throw new FilterFault(path, `"${key}" is wanted`);
  return read(fields[key], placeOf(path, key));
}

export function refuseOthers(fields: Fields, path: string, known: readonly string[]): void {
  const other = Object.keys(fields).find((key) => !known.includes(key));
  if (other !== undefined) throw new FilterFault(placeOf(path, other), 'not known here');
}

export function readList(value: unknown, path: string, least: number, most: number, what: string): readonly unknown[] {
  const words = `a list of ${least} to ${most.toLocaleString('en')} ${what} is wanted`;
  if (!Array.isArray(value) || value.length < least || value.length > most) throw new FilterFault(path, words);
  return value;
}

export function readBoolean(value: unknown, path: string): boolean {
  if (typeof value !== 'boolean') throw new FilterFault(path, 'true or false is wanted');
  return value;
}

export function readNumber(value: unknown, path: string): number {
  if (typeof value !== 'number') throw new FilterFault(path, 'a number is wanted');
  // 1e999 is valid JSON and parses to Infinity.
  if (!Number.isFinite(value)) throw new FilterFault(path, 'the number is too large');
  // Not -0: it equals 0 everywhere but in what JavaScript thinks is the same.
  return value + 0;
}

export function readWhole(value: unknown, path: string, least = 0, most = largestCount): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < least || value > most) {
    const range = `from ${least} to ${most.toLocaleString('en')}`;
    throw new FilterFault(path, `a whole number ${range} is wanted`);
  }
  return value + 0;
}

export function readScalar(value: unknown, path: string): Scalar {
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return readNumber(value, path);
  if (typeof value !== 'string') throw new FilterFault(path, 'a text, a number, true or false is wanted');
  return sound(value, path);
}

/** Text of 1 to 255 characters, as it is: blanks at its ends may be what is looked for. */
export function readText(value: unknown, path: string, most: number = filterLimits.characters): string {
  if (typeof value !== 'string' || value === '' || isTooLong(value, most)) {
    throw new FilterFault(path, `a text of 1 to ${most.toLocaleString('en')} characters is wanted`);
  }
  return sound(value, path);
}

/** The name of an event or another thing that the API trims when it is written. */
export function readName(value: unknown, path: string): string {
  return readText(typeof value === 'string' ? value.trim() : value, path);
}

function sound(text: string, path: string): string {
  if (!isSoundText(text)) throw new FilterFault(path, 'a text must be valid Unicode without NUL');
  return text;
}

// Characters, not UTF-16 units; counted only where that can make a difference.
function isTooLong(text: string, most: number): boolean {
  return text.length > most && (text.length > most * 2 || [...text].length > most);
}

export function readOneOf<const Word extends string>(words: readonly Word[]) {
  return (value: unknown, path: string): Word => {
    const word = words.find((one) => one === value);
    if (word === undefined) throw new FilterFault(path, `${quoted(words)} is wanted`);
    return word;
  };
}

export function quoted(words: readonly string[], last: 'and' | 'or' = 'or'): string {
  return listOf(
    words.map((word) => `"${word}"`),
    last,
  );
}

/** A time, as the API writes it. */
export function readTime(value: unknown, path: string): string {
  const time = typeof value === 'string' ? parseInstant(value) : undefined;
  if (time === undefined) throw new FilterFault(path, 'a time is wanted, such as 2026-11-15T09:30:00Z or 2026-11-15');
  return time;
}

export function readDuration(value: unknown, path: string): Duration {
  const duration = parseDuration(typeof value === 'string' ? value : '');
  if (typeof duration === 'string') throw new FilterFault(path, duration);
  return duration;
}

export function readPropertyKey(value: unknown, path: string): string {
  if (typeof value === 'string' && isPropertyKey(value)) return value;
  throw new FilterFault(
    path,
    'no property can have this key; one has 1 to 64 of a-z, 0-9 and _ and begins with no digit',
  );
}

/** Where in an event's properties: a key, or keys from the outside in. */
export function readPath(value: unknown, path: string): readonly string[] {
  if (!Array.isArray(value)) return [readText(value, path)];
  return readList(value, path, 1, filterLimits.keys, 'keys').map((key, i) => readText(key, `${path}[${i}]`));
}

const assetId = /^[0-9a-f]{24}$/;

/** The id of a list, journey or email. Any other text is an id that nothing has. */
export function readAssetId(what: string) {
  return (value: unknown, path: string): string => {
    if (typeof value !== 'string') throw new FilterFault(path, `the id of ${what} is wanted`);
    if (!assetId.test(value)) throw new FilterFault(path, 'nothing has this id');
    return value;
  };
}
