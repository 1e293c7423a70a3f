// One pass over the events of the evaluated contacts, for all conditions that only add something up. A table of months is expensive to plan
// and to open: twenty lists that read it once each took twenty times as long as reading it once for all.
import { type Sql, sql } from '../../../db/sql.js';
import type { Ground, Table } from '../subject.js';
import type { Duration, EventWindow } from '../tree.js';
import { type Log, rowsOf } from './event-filters.js';
import { every, identifier, listed } from './fragments.js';
import { ago } from './moments.js';
import type { Tested } from './value-tests.js';

/** Which events a condition is about. */
interface Asked {
  readonly name: string;
  readonly window: EventWindow;
  /** What else has to be true of one. */
  readonly tested?: Tested | undefined;
}

/** The events that a condition looks at, as expressions over an event. */
export interface Rows {
  readonly log: Log;
  readonly name: string;
  readonly window: EventWindow;
  /** It is looked at. Events later than now are: the earliest of those is a moment to look again. */
  readonly matches: Sql;
  /** It counts now. */
  readonly counts: Sql;
  /** When it comes to count, or may cease to by itself; null for most. */
  readonly wake: Sql;
}

export function findRows(log: Log, { name, window, tested }: Asked, { now }: Ground): Rows {
  const isPast = sql`e.event_date <= ${now}`;
  // An event that a timed test refuses now may come to count: it is looked at all the same.
  const late = tested?.next ? tested : undefined;
  const isNamed = sql`e.event_name = ${name}`;
  return {
    log,
    name,
    window,
    matches: every([isNamed, ...windowOf(window, now), ...(tested && !late ? [tested.holds] : [])]),
    counts: late ? every([isPast, late.holds]) : isPast,
    wake: sql`case when e.event_date > ${now} then e.event_date ${late?.next ? sql`else ${late.next}` : sql``} end`,
  };
}

function windowOf({ withinLast, from, to }: EventWindow, now: Sql): Sql[] {
  return [
    ...(withinLast ? [sql`e.event_date >= ${ago(now, withinLast)}`] : []),
    ...(from === undefined ? [] : [sql`e.event_date >= ${from}::timestamptz`]),
    ...(to === undefined ? [] : [sql`e.event_date <= ${to}::timestamptz`]),
  ];
}

/** An aggregate over the events that count, or over all that are read. */
export interface Sum {
  readonly of: Sql;
  readonly over: 'counts' | 'matches';
}

/** Adds up; returns where the sums are found, null for a contact who has no such event. */
export function addUp(rows: Rows, on: Ground, sums: readonly Sum[]): Sql[] {
  const { log, window } = rows;
  // Windows that end now share a scan as far back as the longest; others only with their like.
  const span = window.withinLast ? 'lately' : JSON.stringify([window.from, window.to]);
  const { name, made } = on.share(`${log.table.text} ${span}`, () => new EventScan(log, on));
  return sums.map((sum) => sql`${name}.${made.column(rows, sum)}`);
}

class EventScan implements Table {
  private readonly all: Rows[] = [];
  private readonly columns = new Map<string, { rows: Rows; sum: Sum; name: Sql }>();

  constructor(
    private readonly log: Log,
    private readonly on: Ground,
  ) {}

  column(rows: Rows, sum: Sum): Sql {
    const { of, over } = sum;
    const key = keyOf(rows.matches, of, ...(over === 'counts' ? [rows.counts] : []));
    const known = this.columns.get(key);
    if (known) return known.name;
    const name = identifier(`s${this.columns.size + 1}`);
    this.all.push(rows);
    this.columns.set(key, { rows, sum, name });
    return name;
  }

  table(): Sql {
    const isAlone = new Set(this.all.map((rows) => keyOf(rows.matches))).size === 1;
    const sums = [...this.columns.values()].map(({ rows, sum, name }) => {
      const parts = [...(isAlone ? [] : [rows.matches]), ...(sum.over === 'counts' ? [rows.counts] : [])];
      return parts.length === 0 ? sql`${sum.of} as ${name}` : sql`${sum.of} filter (where ${every(parts)}) as ${name}`;
    });
    const conditions = isAlone ? [(this.all[0] as Rows).matches] : this.bounds();
    return sql`select e.contact_id, ${listed(sums)} from ${rowsOf(this.log, this.on, conditions)} group by e.contact_id`;
  }

  /** What all of them have in common. */
  private bounds(): Sql[] {
    const names = [...new Set(this.all.map((rows) => rows.name))];
    const windows = this.all.map(({ window }) => window);
    const longest = windows.reduce<Duration | undefined>(
      (far, { withinLast }) => (far && withinLast && far.ms >= withinLast.ms ? far : withinLast),
      undefined,
    );
    const [{ from, to }] = windows as [EventWindow];
    return [sql`e.event_name = any (${names}::text[])`, ...windowOf({ withinLast: longest, from, to }, this.on.now)];
  }
}

function keyOf(...parts: readonly Sql[]): string {
  return JSON.stringify(parts.map(({ text, values }) => [text, values]));
}
