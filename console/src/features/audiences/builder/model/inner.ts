// Filters inside conditions: which events count, which members.

import { isObject } from '@rapport/contract';
import type { FilterJson } from './filter-json.ts';

type Change = (inner: FilterJson) => FilterJson;

/** The condition with each inner filter changed. */
export function withInner(json: FilterJson, change: Change): FilterJson {
  const changed = withWhere(json, change);
  if (Array.isArray(changed.sequence)) {
    const sequence = changed.sequence.map((step: unknown) => (isObject(step) ? withWhere(step, change) : step));
    return { ...changed, sequence };
  }
  return isObject(changed.orgMembers) ? { ...changed, orgMembers: withWhere(changed.orgMembers, change) } : changed;
}

export function innerFilters(json: FilterJson): readonly FilterJson[] {
  const found: FilterJson[] = [];
  withInner(json, (inner) => {
    found.push(inner);
    return inner;
  });
  return found;
}

function withWhere(json: FilterJson, change: Change): FilterJson {
  return isObject(json.where) ? { ...json, where: change(json.where) } : json;
}
