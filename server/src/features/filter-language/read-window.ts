// Counts and windows: of events, of members, and of conditions that other features bring.
import { countKeys, windowKeys } from '@rapport/contract';
import { FilterFault, placeOf } from './fault.js';
import { type Fields, has, readDuration, readKey, readTime, readWhole } from './read-value.js';
import type { Counted, CountTest, EventWindow } from './tree.js';

export const countedKeys: readonly string[] = [...countKeys, ...windowKeys];

/** How many, and of when. */
export function readCounted(fields: Fields, path: string): Counted {
  return { count: readCount(fields, path), window: readWindow(fields, path) };
}

/** `atLeast`, `atMost`, both, or `exactly`; none means `atLeast: 1`. */
export function readCount(fields: Fields, path: string): CountTest {
  const atLeast = readKey(fields, path, 'atLeast', readWhole);
  const atMost = readKey(fields, path, 'atMost', readWhole);
  const exactly = readKey(fields, path, 'exactly', readWhole);
  if (exactly !== undefined) {
    if (atLeast === undefined && atMost === undefined) return { atLeast: exactly, atMost: exactly };
    throw new FilterFault(placeOf(path, 'exactly'), '"exactly" stands alone, without "atLeast" and "atMost"');
  }
  if (atLeast === undefined && atMost === undefined) return { atLeast: 1 };
  if (atLeast !== undefined && atMost !== undefined && atLeast > atMost) {
    throw new FilterFault(placeOf(path, 'atLeast'), 'the bounds are reversed: "atLeast" is more than "atMost"');
  }
  return { ...(atLeast === undefined ? {} : { atLeast }), ...(atMost === undefined ? {} : { atMost }) };
}

/** `withinLast`, or `from` and `to`, either alone; nothing is no bound. */
export function readWindow(fields: Fields, path: string): EventWindow {
  const withinLast = readKey(fields, path, 'withinLast', readDuration);
  if (withinLast === undefined) return readSpan(fields, path);
  if (has(fields, 'from') || has(fields, 'to')) {
    throw new FilterFault(placeOf(path, 'withinLast'), 'a window is "withinLast", or "from" and "to", not both');
  }
  return { withinLast };
}

/** `from` and `to` alone, where `withinLast` is an operator. */
export function readSpan(fields: Fields, path: string): EventWindow {
  const from = readKey(fields, path, 'from', readTime);
  const to = readKey(fields, path, 'to', readTime);
  // Both are written alike, so that they compare as text.
  if (from !== undefined && to !== undefined && from > to) {
    throw new FilterFault(placeOf(path, 'from'), 'the bounds are reversed: "from" is after "to"');
  }
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}
