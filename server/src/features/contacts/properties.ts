// Which properties are allowed, and how a write changes them. Pure.

type Scalar = string | number | boolean | null;
export type PropertyValue = Scalar | Scalar[];
export type Properties = Record<string, PropertyValue>;

export interface Change {
  field: string;
  oldValue: PropertyValue;
  newValue: PropertyValue;
}

export type Merged =
  | { ok: true; properties: Properties; json: string; changes: Change[]; ignored: string[] }
  | { ok: false; error: string; ignored: string[] };

const mostKeys = 500;
const mostBytes = 32 * 1024;

/** Properties that only the platform sets: they state what the platform knows, and a caller could be wrong. */
const platformKeys = new Set(['unsubscribed']);

/** Set only by the platform; other writes to it are ignored. */
export function isPlatformKey(key: string): boolean {
  return platformKeys.has(key);
}

/**
 * Later values win, missing keys stay, null removes. Keys and values that cannot be stored are ignored and reported. `isOurs`: the
 * platform itself writes.
 */
export function mergeProperties(
  current: Properties,
  wanted: Record<string, unknown>,
  owner = 'contact',
  isOurs = false,
): Merged {
  const ignored: string[] = [];
  const changes: Change[] = [];
  for (const [field, value] of Object.entries(wanted)) {
    const isReserved = isPlatformKey(field) && owner === 'contact' && !isOurs;
    if (isReserved || !isPropertyKey(field) || !isPropertyValue(value)) {
      ignored.push(field);
      continue;
    }
    const oldValue = Object.hasOwn(current, field) ? (current[field] as PropertyValue) : null;
    if (!isSame(oldValue, value)) changes.push({ field, oldValue, newValue: value });
  }
  if (changes.length === 0) return { ok: true, properties: current, json: '', changes, ignored };
  const properties = { ...current };
  for (const { field, newValue } of changes) {
    if (newValue === null) delete properties[field];
    else properties[field] = newValue;
  }
  return checkLimits(properties, changes, ignored, owner);
}

/** What the platform sets is not counted. */
function checkLimits(properties: Properties, changes: Change[], ignored: string[], owner: string): Merged {
  const isOurs = (key: string) => owner === 'contact' && isPlatformKey(key);
  const keys = Object.keys(properties);
  const count = keys.length > mostKeys ? keys.filter((key) => !isOurs(key)).length : keys.length;
  if (count > mostKeys) {
    return {
      ok: false,
      error: `The ${owner} would have ${count} properties; at most ${mostKeys} are allowed.`,
      ignored,
    };
  }
  const json = JSON.stringify(properties);
  // A UTF-16 unit takes at most three bytes, so only long strings need counting.
  const bytes =
    json.length * 3 <= mostBytes || Buffer.byteLength(json) <= mostBytes
      ? 0
      : Buffer.byteLength(JSON.stringify(properties, (key, value) => (isOurs(key) ? undefined : value)));
  if (bytes > mostBytes) {
    return {
      ok: false,
      error: `The ${owner}'s properties would take ${bytes} bytes; at most ${mostBytes} are allowed.`,
      ignored,
    };
  }
  return { ok: true, properties, json, changes, ignored };
}

/** Turns an external name into a key: `firstName` and `First Name` become `first_name`. */
export function snakeCase(name: string): string {
  return name
    .trim()
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replace(/[\s.-]+/g, '_')
    .toLowerCase();
}

function isScalar(value: unknown): value is Scalar {
  // 1e999 is valid JSON but parses to Infinity, which cannot be written as JSON.
  return value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function isPropertyValue(value: unknown): value is PropertyValue {
  return isScalar(value) || (Array.isArray(value) && value.every(isScalar));
}

function isSame(a: PropertyValue, b: PropertyValue): boolean {
  if (a === b) return true;
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  return a.every((item, i) => item === b[i]);
}

import { isPropertyKey } from '@rapport/contract';
