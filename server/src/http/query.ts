import type { ChoiceParam, Param, Params, WholeParam } from '@rapport/contract';
import { parseInstant } from '../lib/instant.js';
import { isSoundText } from '../lib/text.js';
import { invalid } from './api-error.js';

type Pairs = [name: string, value: string | undefined][];

/** Keeps repeats and order; a value with invalid percent-encoding is undefined. */
export function splitQuery(text: string): Pairs {
  if (text === '') return [];
  return text
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('=');
      const name = decode(at < 0 ? part : part.slice(0, at));
      return [name ?? '', at < 0 ? '' : decode(part.slice(at + 1))];
    });
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

export type ReadQuery = (text: string) => Record<string, unknown>;

/** Builds the reader of a route's query string. Unknown parameters are ignored. */
export function queryReader(params: Params, snakeCase: boolean): ReadQuery {
  const spellings = new Map<string, string>();
  for (const [name, param] of Object.entries(params)) {
    spellings.set(name, name);
    if (param.repeatable) spellings.set(`${name}[]`, name);
    else if (snakeCase) spellings.set(toSnakeCase(name), name);
  }
  return (text) => {
    const given = new Map<string, string[]>();
    for (const [spelling, value] of splitQuery(text)) {
      const name = spellings.get(spelling);
      if (name === undefined) continue;
      if (value === undefined || !isSoundText(value))
        throw invalid(name, 'must be valid percent-encoded UTF-8 without NUL');
      const values = given.get(name);
      if (values) values.push(value);
      else given.set(name, [value]);
    }
    const out: Record<string, unknown> = {};
    for (const [name, param] of Object.entries(params)) out[name] = readParam(name, param, given.get(name) ?? []);
    return out;
  };
}

function toSnakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function readParam(name: string, param: Param, values: string[]): unknown {
  if (param.repeatable) return values.map((value) => readValue(name, param, value));
  if (values.length > 1) throw invalid(name, 'must be given once');
  const value = values[0];
  if (value === undefined && param.required) throw invalid(name, 'is required');
  if (value === undefined) return param.kind === 'whole' ? param.default : undefined;
  return readValue(name, param, value);
}

function readValue(name: string, param: Param, value: string): unknown {
  switch (param.kind) {
    case 'whole':
      return readWhole(name, param, value);
    case 'choice':
      return readChoice(name, param, value);
    case 'instant':
      return readInstant(name, value);
    case 'text':
      return value === '' && param.emptyIsAbsent ? undefined : value;
  }
}

function readWhole(name: string, { min, max }: WholeParam, value: string): number {
  const number = /^\d+$/.test(value) ? Number(value) : Number.NaN;
  if (!(number >= min && number <= max)) throw invalid(name, `must be a whole number from ${min} to ${max}`);
  return number;
}

function readChoice(name: string, { words }: ChoiceParam, value: string): string {
  if (!words.includes(value)) throw invalid(name, `must be one of: ${words.join(', ')}`);
  return value;
}

function readInstant(name: string, value: string): string {
  // The plus sign of an offset that was not percent-encoded arrives as a space.
  const instant = parseInstant(value.replace(' ', '+'));
  if (instant === undefined) throw invalid(name, 'must be an RFC 3339 time, such as 2026-11-15T09:30:00Z');
  return instant;
}
