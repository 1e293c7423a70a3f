// Values that people take for one and filters do not: Pro, pro and "pro " with a space; the number 10 and the text "10".
import { foldCase } from '../../lib/text.js';
import type { CountedValue } from './queries.js';

const mostGroups = 50;
const mostAlike = 10;

/** Groups of values that differ in case, in spaces or in their type alone. The most frequent first, in groups and between them. */
export function lookAlikes(values: readonly CountedValue[]): CountedValue[][] {
  const groups = new Map<string, CountedValue[]>();
  for (const each of values) {
    const look = foldCase(String(each.value)).trim().replace(/\s+/gu, ' ');
    const group = groups.get(look);
    if (group) group.push(each);
    else groups.set(look, [each]);
  }
  const total = (group: readonly CountedValue[]) => group.reduce((sum, { count }) => sum + count, 0);
  return [...groups.values()]
    .filter((group) => group.length > 1)
    .sort((one, other) => total(other) - total(one))
    .slice(0, mostGroups)
    .map((group) => group.slice(0, mostAlike));
}
