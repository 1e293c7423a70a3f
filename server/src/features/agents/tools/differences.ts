// What would change, field by field.
import { isDeepStrictEqual } from 'node:util';
import { isObject } from '@rapport/contract';

interface Difference {
  path: string;
  before: unknown;
  after: unknown;
}

const most = 50;
const longest = 300;

/** Of what is given only: other fields stay. */
export function differences(before: Record<string, unknown> | undefined, after: Record<string, unknown>): Difference[] {
  const found: Difference[] = [];
  for (const [key, value] of Object.entries(after)) compare(before?.[key], value, key, found);
  return found.slice(0, most);
}

function compare(before: unknown, after: unknown, path: string, found: Difference[]): void {
  if (found.length >= most || isDeepStrictEqual(before, after)) return;
  if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      compare(before[key], after[key], `${path}.${key}`, found);
  } else if (Array.isArray(before) && Array.isArray(after)) {
    for (let i = 0; i < Math.max(before.length, after.length); i++)
      compare(before[i], after[i], `${path}[${i}]`, found);
  } else found.push({ path, before: short(before), after: short(after) });
}

/** Two long texts begin alike: what is shown is enough to recognize them. */
function short(value: unknown): unknown {
  if (value === undefined) return null;
  if (typeof value === 'string' && value.length > longest)
    return `${value.slice(0, longest)}… (${value.length} characters)`;
  return value;
}
