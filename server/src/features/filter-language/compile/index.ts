// A filter that was read, as SQL: parameterized, bound to a tenant, over some contacts or all.
import { type Sql, unnamed } from '../../../db/sql.js';
import type { Piece } from '../subject.js';
import { type Condition, type Filter, isGroup } from '../tree.js';
import { group } from './event-filters.js';
import { eventCondition } from './events.js';
import { earliest, every } from './fragments.js';
import { organization, orgMembers, orgProperty } from './organizations.js';
import { bucket, contactField, dynamicList, property, staticList, userProperty } from './people.js';
import { type At, Place } from './place.js';
import { sequence } from './sequence.js';
import { isTimed } from './value-tests.js';

export type { At } from './place.js';

/** Over an alias `c` of table contact. */
export interface Compiled {
  /** What follows `from contact c`; every contact stays one row. */
  readonly joins: Sql;
  /** Only of columns of `c`, and independent of time: who fails it neither is in nor will be by the clock alone. */
  readonly narrow: Sql | undefined;
  /** True or false, never null. */
  readonly holds: Sql;
  /**
   * The earliest moment after now at which `holds` may change by the clock alone, or null. It may be too early, never too late.
   * Undefined: never.
   */
  readonly next: Sql | undefined;
}

export interface CompiledNode {
  readonly path: string;
  readonly node: Filter;
  readonly holds: Sql;
  /** What is stored, as jsonb; undefined where there is nothing to show. */
  readonly value: Sql | undefined;
}

export function compile(filter: Filter, at: At): Compiled {
  const { joins, parts } = compileAll([filter], at);
  return { joins, ...(parts[0] as Part) };
}

type Part = Omit<Compiled, 'joins'>;

/** Several filters over the same contacts, in one statement: what two of them need is joined once. */
export function compileAll(filters: readonly Filter[], at: At): { joins: Sql; parts: readonly Part[] } {
  const place = new Place(at);
  const parts = filters.map((filter) => compilePart(filter, place));
  return { joins: place.joins, parts };
}

function compilePart(filter: Filter, place: Place): Part {
  const { holds, next } = piece(filter, place);
  const narrow = narrowOf(filter).map((part) => piece(part, place).holds);
  return {
    holds: unnamed(holds),
    next: next && unnamed(next),
    narrow: narrow.length === 0 ? undefined : every(narrow),
  };
}

/** Every group and condition in order, those inside a `where` left out: what an explanation shows. */
export function compileNodes(filter: Filter, at: At): { joins: Sql; nodes: readonly CompiledNode[] } {
  const place = new Place(at);
  const nodes = nodesOf(filter, place);
  return { joins: place.joins, nodes };
}

function nodesOf(node: Filter, place: Place): CompiledNode[] {
  if (!isGroup(node)) {
    const { holds, value } = condition(node, place);
    return [{ path: node.path, node, holds: unnamed(holds), value: value && unnamed(value) }];
  }
  const parts = node.of.map((part) => nodesOf(part, place));
  const self: CompiledNode = {
    ...{ path: node.path, node, value: undefined },
    // Made when it is asked for: it has the text of everything inside once more.
    get holds() {
      // The first of each is the part itself.
      return group(
        node.kind,
        parts.map(([part]) => part as CompiledNode),
      );
    },
  };
  return [self, ...parts.flat()];
}

function piece(filter: Filter, place: Place): Piece {
  if (!isGroup(filter)) return condition(filter, place);
  const parts = filter.of.map((part) => piece(part, place));
  return { holds: group(filter.kind, parts), next: earliest(parts.map((part) => part.next)) };
}

function condition(of: Condition, place: Place): Piece {
  switch (of.kind) {
    case 'property':
      return property(of, place);
    case 'contact':
      return contactField(of, place);
    case 'userProperty':
      return userProperty(of, place);
    case 'orgProperty':
      return orgProperty(of, place);
    case 'organization':
      return organization(of, place);
    case 'orgMembers':
      return orgMembers(of, place, compilePart);
    case 'event':
      return eventCondition(of, place);
    case 'sequence':
      return sequence(of, place);
    case 'staticList':
      return staticList(of, place);
    case 'dynamicList':
      return dynamicList(of, place);
    case 'bucket':
      return bucket(of, place);
    case 'registered':
      return of.subject.compile(of.spec, place);
    default:
      throw new Error(`No such condition: ${of satisfies never}`);
  }
}

/** The parts that all have to be true, and that only need the contact's row. */
function narrowOf(filter: Filter): Filter[] {
  if (filter.kind === 'all') return filter.of.flatMap(narrowOf);
  return isNarrow(filter) ? [filter] : [];
}

function isNarrow(filter: Filter): boolean {
  if (isGroup(filter)) return filter.of.every(isNarrow);
  switch (filter.kind) {
    case 'property':
      return filter.test.op !== 'hasEverBeen' && !isTimed(filter.test);
    case 'contact':
      return !isTimed(filter.test);
    case 'registered':
      return filter.subject.isPlain ?? false;
    default:
      return filter.kind === 'bucket';
  }
}
