// Filters over conditions that were evaluated before: of a row `p`, whose `holds` says for each whether it holds.
import { type Sql, sql, unnamed } from '../../../db/sql.js';
import { type Filter, isGroup } from '../tree.js';
import { group } from './event-filters.js';

/** `places`: where each condition is in `holds`, by its path, from 1. */
export function inPattern(filter: Filter, places: ReadonlyMap<string, number>): Sql {
  if (!isGroup(filter)) return unnamed(sql`p.holds[${places.get(filter.path) ?? 0}::integer]`);
  return group(
    filter.kind,
    filter.of.map((part) => ({ holds: inPattern(part, places) })),
  );
}
