// Hourly figures that stay exact and need no lock. Writers add deltas; a chore folds them into hours, days and one total. A figure is the
// sum of folded and unfolded rows. A fold is one statement, so no reader sees anything twice. The hours in which a window begins and ends
// are not here: the owner of the rows counts those.
import type { Runner } from './database.js';
import { type Sql, sql } from './sql.js';

export interface Tallies {
  /** The folded table: tenant_id, span, `key`, since, `counts`. */
  table: Sql;
  /** tenant_id, delta_no, `key`, hour, `counts`. */
  deltas: Sql;
  key: readonly Sql[];
  counts: readonly Sql[];
}

/** Both ends are inclusive, to the millisecond. Null: open. */
export interface Window {
  from: string | null;
  to: string | null;
}

/** Milliseconds since 1970, the end exclusive. */
export type Stretch = readonly [number, number];

/** A window in pieces that do not overlap: whole days, whole hours around them, and the rest at its ends. */
interface Pieces {
  days: Stretch[];
  hours: Stretch[];
  /** To be counted from rows. */
  rest: Stretch[];
}

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;

export function piecesOf({ from, to }: Window): Pieces {
  const start = from === null ? Number.NEGATIVE_INFINITY : Date.parse(from);
  const end = to === null ? Number.POSITIVE_INFINITY : Date.parse(to) + 1;
  const up = (at: number, unit: number) => Math.ceil(at / unit) * unit;
  const down = (at: number, unit: number) => Math.floor(at / unit) * unit;
  const some = (stretches: Stretch[]) => stretches.filter(([first, last]) => first < last);
  const firstHour = up(start, hourMs);
  const lastHour = down(end, hourMs);
  if (firstHour >= lastHour) return { days: [], hours: [], rest: some([[start, end]]) };
  const rest = some([
    [start, firstHour],
    [lastHour, end],
  ]);
  const firstDay = up(firstHour, dayMs);
  const lastDay = down(lastHour, dayMs);
  if (firstDay >= lastDay) return { days: [], hours: [[firstHour, lastHour]], rest };
  const hours = some([
    [firstHour, firstDay],
    [lastDay, lastHour],
  ]);
  return { days: [[firstDay, lastDay]], hours, rest };
}

/** Whether a column lies within one of these. */
export function within(column: Sql, stretches: readonly Stretch[]): Sql {
  const parts = stretches.map(
    ([from, to]) => sql`${column} >= ${timeOf(from)}::timestamptz and ${column} < ${timeOf(to)}::timestamptz`,
  );
  return parts.length === 0 ? sql`false` : sql`(${parts.reduce((a, b) => sql`${a} or ${b}`)})`;
}

/** A window may end with the last millisecond that can be written: the one after it has no text. */
function timeOf(at: number): string {
  if (at === Number.NEGATIVE_INFINITY) return '-infinity';
  return at > lastTime ? 'infinity' : new Date(at).toISOString();
}
const lastTime = Date.parse('9999-12-31T23:59:59.999Z');

/**
 * The counts of a window's whole hours, for the subjects that `which` selects: `key`, `since`, `counts`. With a `grain`, `since`
 * is the start of the hour or day, else null. A key may have several rows: the caller sums them up, and most have more to add. (With a sum
 * here as well, a rollup over 500 journeys took the database a fifth longer.)
 */
export function tallied(
  { table, deltas, key, counts }: Tallies,
  tenantId: number,
  which: Sql,
  window: Window,
  grain: 'hour' | 'day' | null = null,
): Sql {
  const { days, hours } = piecesOf(window);
  const moment = (column: Sql) =>
    grain === null ? sql`null::timestamptz` : grain === 'hour' ? column : sql`date_trunc('day', ${column}, 'UTC')`;
  // `all` is literal in the statement: a generic plan for any span estimates a third of the table, and reads it whole.
  const folded = (span: Sql, when: Sql) => sql`
    select ${listed(key)}, ${moment(sql`since`)} as since, ${listed(counts)}
    from ${table} where tenant_id = ${tenantId} and span = ${span} and ${which} and ${when}`;
  const isWhole = window.from === null && window.to === null;
  const parts =
    grain === 'hour'
      ? [folded(sql`${'hour'}`, within(sql`since`, [...days, ...hours]))]
      : isWhole && grain === null
        ? [folded(sql`'all'`, sql`true`)]
        : [folded(sql`${'day'}`, within(sql`since`, days)), folded(sql`${'hour'}`, within(sql`since`, hours))];
  return sql`
    ${parts.reduce((a, b) => sql`${a} union all ${b}`)}
    union all select ${listed(key)}, ${moment(sql`hour`)}, ${listed(counts)} from ${deltas}
      where tenant_id = ${tenantId} and ${which} and ${within(sql`hour`, [...days, ...hours])}`;
}

/** Folds the oldest deltas. Returns how many. Concurrent processes take different ones, and wait only for the row of a sum. */
export async function foldTallies(
  db: Runner,
  { table, deltas, key, counts }: Tallies,
  atMost: number,
): Promise<number> {
  const sums = counts.map((count) => sql`sum(${count}) as ${count}`);
  const added = counts.map((count) => sql`${count} = t.${count} + excluded.${count}`);
  const row = await db.row(sql<{ folded: number }>`
    /* all tenants */ with oldest as (
      select tenant_id, delta_no from ${deltas} order by tenant_id, delta_no limit ${atMost} for update skip locked
    ), gone as (
      delete from ${deltas} d using oldest o where d.tenant_id = o.tenant_id and d.delta_no = o.delta_no returning d.*
    ), folded as (
      insert into ${table} as t (tenant_id, span, ${listed(key)}, since, ${listed(counts)})
      select tenant_id, s.span, ${listed(key)}, s.since, ${listed(sums)} from gone cross join lateral (
        values ('hour', hour), ('day', date_trunc('day', hour, 'UTC')), ('all', timestamptz '1970-01-01T00:00:00Z')
      ) s (span, since) group by tenant_id, s.span, ${listed(key)}, s.since order by tenant_id, s.span, ${listed(key)}, s.since
      on conflict (tenant_id, span, ${listed(key)}, since) do update set ${listed(added)}
    )
    select count(*) as folded from gone`);
  return row?.folded ?? 0;
}

// A check that must not itself take long.
const mostCounted = 100_000;

/** How many deltas wait to be folded, counted up to 100,000. */
export async function countUnfolded(db: Runner, { deltas }: Tallies): Promise<number> {
  const row = await db.row(sql<{ n: number }>`
    /* all tenants */ select count(*) as n from (select 1 from ${deltas} limit ${mostCounted}) d`);
  return row?.n ?? 0;
}

/** How many figures a tenant has: folded ones by hour, and deltas. */
export async function countFigures(db: Runner, { table, deltas }: Tallies, tenantId: number): Promise<number> {
  const row = await db.row(sql<{ n: number }>`
    select (select count(*) from ${table} where tenant_id = ${tenantId} and span = 'hour')
      + (select count(*) from ${deltas} where tenant_id = ${tenantId}) as n`);
  return row?.n ?? 0;
}

function listed(fragments: readonly Sql[]): Sql {
  return fragments.reduce((a, b) => sql`${a}, ${b}`);
}
