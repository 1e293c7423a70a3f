// JSON → checked tree. Pure.
import { readCondition } from './read-condition.js';
import { Reading, readTree } from './read-tree.js';
import type { Subjects } from './subjects.js';
import type { Filter } from './tree.js';

/** Reads a filter, or throws FilterFaults. `path` names where it stands in what was sent; `most`: so many faults are told. */
export function readFilter(json: unknown, subjects: Subjects, path = 'filter', most?: number): Filter {
  const reading = new Reading(path, subjects, most);
  const filter = readTree(json, path, reading, readCondition);
  reading.end();
  return filter;
}
