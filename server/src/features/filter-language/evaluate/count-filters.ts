// Counts several filters that are made of the conditions of one.
import type { Runner } from '../../../db/database.js';
import { every } from '../compile/fragments.js';
import { compileNodes } from '../compile/index.js';
import { inPattern } from '../compile/patterns.js';
import { type Filter, isGroup } from '../tree.js';
import { countPatterns, groundFor, type Moment } from './queries.js';

/**
 * For how many contacts each of `filters` holds, of everyone or of these contacts: all made of conditions of `whole`, and undefined for what
 * always holds. One statement that evaluates every condition once.
 */
export function countFilters(
  db: Runner,
  tenantId: number,
  moment: Pick<Moment, 'exact'>,
  whole: Filter,
  filters: readonly (Filter | undefined)[],
  contactIds?: readonly string[],
): Promise<number[]> {
  const { joins, nodes } = compileNodes(whole, groundFor(tenantId, moment, contactIds));
  const conditions = nodes.filter(({ node }) => !isGroup(node));
  const places = new Map(conditions.map(({ path }, i) => [path, i + 1]));
  const counted = filters.map((filter) => (filter ? inPattern(filter, places) : every([])));
  return countPatterns(db, tenantId, { joins, holds: conditions.map(({ holds }) => holds) }, counted, contactIds);
}
