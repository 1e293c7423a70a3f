// One pass over rows of the evaluated contacts, for all conditions on such rows: joined once, however many conditions there are.
import { type Sql, sql } from '../../../db/sql.js';
import { splitNegation } from '../negation.js';
import type { Ground, Piece, Table } from '../subject.js';
import type { ValueTest } from '../tree.js';
import { identifier, listed } from './fragments.js';
import { jsonTest } from './value-tests.js';

/** An expression over a row, and what it comes to over all rows of a contact. */
interface Column {
  readonly each: Sql;
  readonly over: 'any' | 'earliest' | 'values';
}

/** What is asked of the rows; `places` are values by which their scan is bounded: ids of lists, keys of properties. */
interface Asked {
  readonly columns: readonly { readonly name: Sql; readonly each: Sql; readonly total: (of: Sql) => Sql }[];
  readonly places: readonly string[];
}

/** Writes the table down: contact_id, and every column by its name. */
export type RowSource = (asked: Asked, on: Ground) => Sql;

const totals = {
  any: (of: Sql) => sql`bool_or(${of})`,
  earliest: (of: Sql) => sql`min(${of})`,
  values: (of: Sql) => sql`jsonb_agg(${of}) filter (where ${of} is not null)`,
};

export class RowScan implements Table {
  private readonly columns = new Map<string, { name: Sql; each: Sql; total: (of: Sql) => Sql }>();
  private readonly places = new Set<string>();

  private constructor(
    private readonly source: RowSource,
    private readonly on: Ground,
  ) {}

  /** Those that look into the same rows share them. Returns how to find a column: null for a contact without such a row. */
  static of(kind: string, source: RowSource, on: Ground, place?: string): (column: Column) => Sql {
    const { name, made } = on.share(kind, () => new RowScan(source, on));
    if (place !== undefined) made.places.add(place);
    return (column) => sql`${name}.${made.column(column)}`;
  }

  table(): Sql {
    return this.source({ columns: [...this.columns.values()], places: [...this.places] }, this.on);
  }

  private column({ each, over }: Column): Sql {
    const key = JSON.stringify([over, each.text, each.values]);
    const known = this.columns.get(key);
    if (known) return known.name;
    const name = identifier(`s${this.columns.size + 1}`);
    this.columns.set(key, { name, each, total: totals[over] });
    return name;
  }
}

/** Every column over the rows themselves. */
export function totalsOf({ columns }: Asked): Sql {
  return listed(columns.map(({ name, each, total }) => sql`${total(each)} as ${name}`));
}

/** One of several rows fits; for a negative test, none does. */
export function someRow(column: (of: Column) => Sql, fits: Sql, isNegative = false): Sql {
  const found = column({ each: fits, over: 'any' });
  return isNegative ? sql`(${found} is not true)` : sql`(${found} is true)`;
}

/** One of several values fits; for a negative test, none does. */
export function oneOf(column: (of: Column) => Sql, value: Sql, test: ValueTest, on: Ground): Piece {
  const { positive, isNegative } = splitNegation(test);
  const { holds, next } = jsonTest(value, positive, on.now);
  return {
    holds: someRow(column, holds, isNegative),
    next: next && column({ each: next, over: 'earliest' }),
    // Asked for when somebody wants to see it: most do not.
    get value() {
      return column({ each: value, over: 'values' });
    },
  };
}
