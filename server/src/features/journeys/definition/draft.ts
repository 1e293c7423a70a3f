// What any definition must be, a draft's too: an object that can be stored, read and shown in reasonable time.

import { journeyLimits } from '@rapport/contract';
import { isSoundText } from '../../../lib/text.js';
import { type Fields, FilterFault, FilterFaults, readObject } from '../../filter-language/index.js';

/** Twice what the deepest filter in the deepest place of a step needs. */
const mostDepth = 100;

/** Refuses what is no object, has more than 256 KiB, is nested too deep, or holds what no JSON in the database can hold. */
export function checkDraft(json: unknown): Fields {
  try {
    const fields = readObject(json, 'definition');
    checkWithin(fields);
    if (Buffer.byteLength(JSON.stringify(fields)) > journeyLimits.definitionBytes)
      fail('a definition has at most 256 KiB');
    return fields;
  } catch (error) {
    if (error instanceof FilterFault) throw new FilterFaults([error]);
    throw error;
  }
}

// Not recursive: what comes from outside may be nested deeper than a stack is.
function checkWithin(json: unknown): void {
  let level = [json];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > mostDepth) fail(`a definition is nested at most ${mostDepth} deep`);
    level = level.flatMap(checkOne);
  }
}

function checkOne(value: unknown): unknown[] {
  if (typeof value === 'string' && !isSoundText(value)) fail('a text must be valid Unicode without NUL');
  // 1e999 is valid JSON and parses to Infinity.
  if (typeof value === 'number' && !Number.isFinite(value)) fail('a number is too large');
  if (typeof value !== 'object' || value === null) return [];
  if (!Array.isArray(value) && !Object.keys(value).every(isSoundText)) fail('a key must be valid Unicode without NUL');
  return Object.values(value);
}

function fail(words: string): never {
  throw new FilterFault('definition', words);
}
