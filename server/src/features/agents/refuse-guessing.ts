// Filters that would let an app that must not see people find out their addresses, letter by letter.
import { isObject, operators } from '@rapport/contract';
import { invalid } from '../../http/api-error.js';
import type { Session } from './tool.js';

/** Operators that look at a part of a text. */
const partsOfText = Object.entries(operators).flatMap(([name, { on }]) => (on === 'text' ? name : []));

/** `field`: what the filter or definition is called in the call. */
export function refuseGuessing({ scopes }: Session, field: string, given: unknown): void {
  if (scopes.has('people')) return;
  const place = findGuess(given, field);
  if (place !== undefined)
    throw invalid(
      place,
      'reads addresses or free text, for which the app needs the scope people: counts would give them away letter by letter',
    );
}

/** As `maskAddress` writes it: saved, it would stand for nobody. */
const maskedAddress = /^.…@|[\s"'<(:].…@/u;

function findGuess(value: unknown, path: string): string | undefined {
  if (typeof value === 'string' && maskedAddress.test(value)) return path;
  if (Array.isArray(value)) return firstOf(value.map((each, i) => [each, `${path}[${i}]`]));
  if (!isObject(value)) return undefined;
  if (value.contact === 'email' || partsOfText.some((operator) => operator in value)) return path;
  return firstOf(Object.entries(value).map(([key, each]) => [each, `${path}.${key}`]));
}

function firstOf(parts: readonly (readonly [unknown, string])[]): string | undefined {
  for (const [value, path] of parts) {
    const found = findGuess(value, path);
    if (found !== undefined) return found;
  }
  return undefined;
}
