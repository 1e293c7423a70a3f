// Definitions as tests write them, and their faults.
import { FilterFaults, Subjects } from '../../src/features/filter-language/index.js';
import type { Definition } from '../../src/features/journeys/definition/definition.js';
import { readDefinition } from '../../src/features/journeys/definition/read.js';
import type { JourneyType } from '../../src/features/journeys/definition/read-entry.js';

export type Json = Record<string, unknown>;

export const list = 'a'.repeat(24);
export const email = 'b'.repeat(24);
export const plan = { property: 'plan', is: 'pro' };
export const api = { api: true };
export const ordered = { event: { eventName: 'ordered' } };

export function read(json: unknown, type: JourneyType = 'trigger'): Definition {
  return readDefinition(json, type, new Subjects([]));
}

/** `place: what is wrong there`. */
export function faultsOf(json: unknown, type: JourneyType = 'trigger'): string[] {
  try {
    read(json, type);
    return [];
  } catch (error) {
    if (error instanceof FilterFaults) return error.faults.map(({ path, words }) => `${path}: ${words}`);
    throw error;
  }
}

export function many<T>(count: number, one: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => one(i));
}
