// Where a filter is compiled: the current contact, which contacts are evaluated, and what is joined to them.
import { hashed, type Sql, sql } from '../../../db/sql.js';
import type { Extent, Ground, Table } from '../subject.js';
import { identifier, inRow, tenantSql } from './fragments.js';

/** For whom, and as of when. */
export interface At {
  readonly tenantId: number;
  /** The moment, as an expression. A parameter is best: PostgreSQL then knows it when it plans. */
  readonly now: Sql;
  /** True for the contacts that are asked about, given an expression of their id: bounds what derived tables read. */
  scope(contactId: Sql): Sql;
  /** How many they are. Absent: everyone where the scope is always true, else few. */
  readonly extent?: Extent | undefined;
  /** Keeps the names of several filters in one statement apart. */
  readonly prefix?: string | undefined;
}

export class Place implements Ground {
  readonly tenantId: number;
  readonly tenant: Sql;
  readonly now: Sql;
  readonly contact: Sql;
  readonly contactId: Sql;
  private readonly tables = new Map<string, { name: Sql; made: Table }>();

  constructor(
    readonly at: At,
    /** The alias of the contact's row. */
    private readonly alias = 'c',
  ) {
    this.tenantId = at.tenantId;
    this.tenant = tenantSql(at.tenantId);
    this.now = at.now;
    this.contact = identifier(alias);
    this.contactId = sql`${this.contact}.contact_id`;
  }

  scope(contactId: Sql): Sql {
    return this.at.scope(contactId);
  }

  get extent(): Extent {
    return this.at.extent ?? (this.scope(this.contactId).text === 'true' ? 'all' : 'few');
  }

  /** Two conditions that need the same table share it. */
  join(table: Sql): Sql {
    return this.share(JSON.stringify([table.text, table.values]), () => ({ table: () => table })).name;
  }

  share<Made extends Table>(key: string, make: () => Made): { name: Sql; made: Made } {
    let known = this.tables.get(key);
    if (!known) {
      const name = identifier(`${this.at.prefix ?? ''}${this.alias === 'c' ? '' : this.alias}q${this.tables.size + 1}`);
      known = { name, made: make() };
      this.tables.set(key, known);
    }
    return known as { name: Sql; made: Made };
  }

  get joins(): Sql {
    const tables = [...this.tables.values()].map(
      ({ name, made }) => sql`left join (${made.table()}) ${name} on ${name}.contact_id = ${this.contactId}`,
    );
    return tables.length === 0 ? inRow([]) : hashed(inRow(tables));
  }
}
