// What may stand at one place of a definition and is no filter. Each reader answers the value, or throws the fault with its place.
import { isPropertyKey, localTimePattern, timeOfDayPattern } from '@rapport/contract';
import { isZone, type Local } from '../../../lib/zoned-time.js';
import { isPlatformKey } from '../../contacts/index.js';
import {
  type Duration,
  FilterFault,
  readDuration,
  readList,
  readPath,
  readScalar,
  readText,
  readWhole,
} from '../../filter-language/index.js';
import type { Value } from './definition.js';
import type { Part } from './part.js';

export const noDuration: Duration = { ms: 0, text: '' };
export const everyDay: readonly number[] = [1, 2, 3, 4, 5, 6, 7];

const timeOfDay = new RegExp(timeOfDayPattern);

/** Minutes since midnight. */
export function readTimeOfDay(value: unknown, place: string): number {
  const parts = typeof value === 'string' ? timeOfDay.exec(value) : null;
  if (parts === null) throw new FilterFault(place, 'a time of day from 00:00 to 23:59 is wanted, such as 09:00');
  return Number(parts[1]) * 60 + Number(parts[2]);
}

const localTime = new RegExp(localTimePattern);

/** A date and a time of day, without a zone. */
export function readLocalTime(value: unknown, place: string): Local {
  const isWellFormed = typeof value === 'string' && localTime.test(value);
  const at = isWellFormed ? Date.parse(`${value}Z`) : Number.NaN;
  // The 30th of February reads as a day in March.
  if (isWellFormed && !Number.isNaN(at) && new Date(at).toISOString().startsWith(value)) return at;
  throw new FilterFault(place, 'a date and a time of day without a zone are wanted, such as 2026-11-20T09:00');
}

/** Weekdays in their order; 1 is Monday. */
export function readDays(value: unknown, place: string): readonly number[] {
  const days = readList(value, place, 1, 7, 'weekdays').map((day, i) => readWhole(day, `${place}[${i}]`, 1, 7));
  const twice = days.findIndex((day, i) => days.indexOf(day) < i);
  if (twice >= 0) throw new FilterFault(`${place}[${twice}]`, 'this weekday is there already');
  return days.toSorted();
}

export function readZone(value: unknown, place: string): string {
  if (typeof value === 'string' && isZone(value)) return value;
  throw new FilterFault(
    place,
    'there is no such time zone; one is called as in the IANA database, such as Europe/Berlin',
  );
}

/** A duration with a sign before it where it is negative, in milliseconds. */
export function readOffset(value: unknown, place: string): number {
  const sign = typeof value === 'string' ? /^[+-]/.exec(value)?.[0] : undefined;
  const { ms } = readDuration(sign === undefined ? value : String(value).slice(1), place);
  return sign === '-' ? -ms : ms;
}

export function readPropertyKey(value: unknown, place: string): string {
  if (typeof value === 'string' && isPropertyKey(value)) return value;
  throw new FilterFault(
    place,
    'no property can have this key; one has 1 to 64 of a-z, 0-9 and _ and begins with no digit',
  );
}

/** One that a step may set. */
export function readOwnKey(value: unknown, place: string): string {
  const key = readPropertyKey(value, place);
  if (!isPlatformKey(key)) return key;
  throw new FilterFault(place, 'the service keeps this property itself: it follows the suppressions');
}

/** The API trims the names of events when they are stored. */
export function readEventName(value: unknown, place: string): string {
  return readText(typeof value === 'string' ? value.trim() : value, place);
}

/** A scalar, null for none, or where in the entry event it stands. `hasEvent`: there is one. */
export function readValue(value: unknown, place: string, hasEvent: boolean): Value {
  if (value === null) return { value };
  if (typeof value !== 'object' || Array.isArray(value)) return { value: readScalar(value, place) };
  const keys = Object.keys(value);
  if (keys.length !== 1 || !Object.hasOwn(value, 'entry')) {
    throw new FilterFault(place, 'a text, a number, true, false, null or {"entry": path} is wanted');
  }
  if (!hasEvent) throw new FilterFault(`${place}.entry`, 'only a journey that an event starts has an entry event');
  return { entry: readPath((value as { entry: unknown }).entry, `${place}.entry`) };
}

/** A list of objects, each read with its own place. Undefined where there is no list of so many. */
export function readParts<T>(
  part: Part,
  key: string,
  most: number,
  what: string,
  read: (value: unknown, place: string) => T,
): readonly T[] | undefined {
  const values = part.wanted<readonly unknown[] | undefined>(
    key,
    (value, place) => readList(value, place, 1, most, what),
    undefined,
  );
  return values?.map((value, i) => read(value, `${part.placeOf(key)}[${i}]`));
}
