// A month as one number: months since year 0, so 24322 is November 2026. The database has the same in month_of().

/** The month of a time in the API's format. */
export function monthOf(instant: string): number {
  return Number(instant.slice(0, 4)) * 12 + Number(instant.slice(5, 7)) - 1;
}

/** Its first moment, UTC. */
export function monthStart(month: number): string {
  const year = String(Math.floor(month / 12)).padStart(4, '0');
  return `${year}-${String((month % 12) + 1).padStart(2, '0')}-01T00:00:00.000Z`;
}

const lastMonth = monthOf('9999-12');

/** The first moment after it. Nothing comes after the year 9999. */
export function monthEnd(month: number): string {
  return month >= lastMonth ? 'infinity' : monthStart(month + 1);
}

/** Times from `from` to before `before`. `-infinity` and `infinity` are open ends: as text they sort correctly. */
export interface Span {
  from: string;
  before: string;
}

/** The intersection of both. */
export function clip(a: Span, b: Span): Span {
  return { from: a.from > b.from ? a.from : b.from, before: a.before < b.before ? a.before : b.before };
}
