import { type Condition, type Filter, isGroup } from './tree.js';

/** Every condition of a filter in its order, those over the members of an organization included. */
export function* conditionsOf(filter: Filter): Generator<Condition> {
  if (isGroup(filter)) {
    for (const part of filter.of) yield* conditionsOf(part);
    return;
  }
  yield filter;
  if (filter.kind === 'orgMembers') yield* conditionsOf(filter.where);
}
