// A filter in the API's format. Only the service can parse it fully; here only its outline is known.
import { isObject } from '@rapport/contract';

export type FilterJson = { readonly [key: string]: unknown };
export type Scalar = string | number | boolean;

export const groupWords = ['all', 'any', 'none'] as const;
export type GroupWord = (typeof groupWords)[number];

/** Everyone: the filter without conditions. */
export const everybody: FilterJson = { all: [] };

export function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

/** The filter in a response or an address; everyone if there is none. */
export function asFilter(value: unknown): FilterJson {
  return isObject(value) ? value : everybody;
}

/** A filter from text that may have been changed by hand; undefined if it is not one. */
export function parseFilter(text: string | undefined): FilterJson | undefined {
  if (!text) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isFilter(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isFilter(value: unknown): value is FilterJson {
  return isObject(value) && (groupOf(value)?.parts.every(isFilter) ?? true);
}

type JsonFault = { kind: 'syntax'; line?: number } | { kind: 'shape' };

/** Why text is not a filter; undefined if it is one. Browsers report the position in their own words, if at all. */
export function jsonFault(text: string): JsonFault | undefined {
  if (parseFilter(text)) return undefined;
  try {
    JSON.parse(text);
    return { kind: 'shape' };
  } catch (error) {
    const [, line, position, end] = /line (\d+)|position (\d+)|(end of)/i.exec(String(error)) ?? [];
    if (line) return { kind: 'syntax', line: Number(line) };
    if (!position && !end) return { kind: 'syntax' };
    return { kind: 'syntax', line: text.slice(0, position ? Number(position) : undefined).split('\n').length };
  }
}

/** The operator of a group and its parts; undefined for a condition. */
export function groupOf(json: FilterJson): { word: GroupWord; parts: readonly unknown[] } | undefined {
  const keys = Object.keys(json);
  const word = groupWords.find((each) => each === keys[0]);
  if (!word || keys.length !== 1) return undefined;
  const parts = json[word];
  return Array.isArray(parts) ? { word, parts } : undefined;
}

/** Whether a filter matches everyone because it has no conditions. */
export function isEmptyFilter(json: FilterJson): boolean {
  const group = groupOf(json);
  return group !== undefined && group.word !== 'any' && group.parts.length === 0;
}
