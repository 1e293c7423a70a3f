// Which events are meant: by name, by date, and by what they say. The event's row has the alias `e`.
import { type Sql, sql } from '../../../db/sql.js';
import type { Ground } from '../subject.js';
import { type EventFieldCondition, type EventFilter, isGroup } from '../tree.js';
import { earliest, every, not, some } from './fragments.js';
import { jsonTest, type Tested, textTest, timeTest } from './value-tests.js';

/** The value at a path: only into objects, because a key that is text finds nothing in an array. */
export function valueAt(path: readonly string[]): Sql {
  return path.reduce((value, key) => sql`(${value} -> ${key}::text)`, sql`e.properties`);
}

export function eventTest(filter: EventFilter, now: Sql): Tested {
  if (isGroup(filter)) {
    const parts = filter.of.map((part) => eventTest(part, now));
    return { holds: group(filter.kind, parts), next: earliest(parts.map((part) => part.next)) };
  }
  return filter.kind === 'eventProperty' ? jsonTest(valueAt(filter.at), filter.test, now) : fieldTest(filter, now);
}

/** What a group of conditions comes to. */
export function group(kind: 'all' | 'any' | 'none', parts: readonly { holds: Sql }[]): Sql {
  const holds = parts.map((part) => part.holds);
  switch (kind) {
    case 'all':
      return every(holds);
    case 'any':
      return some(holds);
    case 'none':
      return not(some(holds));
    default:
      throw new Error(`No such group: ${kind satisfies never}`);
  }
}

function fieldTest({ field, test }: EventFieldCondition, now: Sql): Tested {
  switch (field) {
    case 'userId':
      return { holds: textTest(sql`e.user_id`, test) };
    case 'orgId':
      return { holds: textTest(sql`e.org_id`, test) };
    case 'eventDate':
      return timeTest(sql`e.event_date`, test, now);
    default:
      throw new Error(`No such field of an event: ${field satisfies never}`);
  }
}

/**
 * What happened to contacts, with the key of table event: (tenant_id, contact_id, event_date, event_no), and what it was as event_name.
 * Its row has the alias `e`.
 */
export interface Log {
  readonly table: Sql;
  /** True for the rows that readers see; all, where it is absent. */
  readonly shown?: Sql;
}

export const productEvents: Log = {
  table: sql`event`,
  // Months that are about to be dropped are gone for every reader.
  shown: sql`e.event_date >= (select month_start(greatest(month, 12)) from event_floor where is_only)`,
};

/** The rows of the evaluated contacts: what follows `from`. */
export function rowsOf({ table, shown }: Log, on: Ground, conditions: readonly Sql[]): Sql {
  return sql`${table} e where ${every([
    sql`e.tenant_id = ${on.tenant}`,
    on.scope(sql`e.contact_id`),
    ...(shown ? [shown] : []),
    ...conditions,
  ])}`;
}

export function eventsOf(on: Ground, conditions: readonly Sql[]): Sql {
  return rowsOf(productEvents, on, conditions);
}
