// Faults that the filter reader finds.
import { FilterFaults } from '../../src/features/filter-language/fault.js';
import { readFilter } from '../../src/features/filter-language/read.js';
import { Subjects } from '../../src/features/filter-language/subjects.js';

/** What is wrong with it, as the API reports it; empty if it is a valid filter. */
export function faultsOf(json: unknown, subjects = new Subjects([]), path = 'filter'): string[] {
  try {
    readFilter(json, subjects, path);
    return [];
  } catch (error) {
    if (error instanceof FilterFaults) return error.faults.map((fault) => `${fault.path}: ${fault.words}`);
    throw error;
  }
}
