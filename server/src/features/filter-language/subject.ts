import type { Runner } from '../../db/database.js';
import type { Sql } from '../../db/sql.js';
import type { Fault } from './fault.js';

/** A derived table with a column `contact_id`, each contact at most once. */
export interface Table {
  table(): Sql;
}

/** How many contacts are evaluated: all of the tenant, a large part of them, or some thousands at most. */
export type Extent = 'all' | 'many' | 'few';

/** Where a condition is evaluated: for some contacts of a tenant, at one moment. */
export interface Ground {
  readonly tenantId: number;
  /** The same as an expression, see tenantSql(). */
  readonly tenant: Sql;
  /** The moment, as an expression. */
  readonly now: Sql;
  /** The current contact: the name to read its columns by. */
  readonly contact: Sql;
  /** The id of the current contact, as an expression. */
  readonly contactId: Sql;
  /** True for the evaluated contacts, given an expression of their id: bounds what a derived table reads. */
  scope(contactId: Sql): Sql;
  readonly extent: Extent;
  /**
   * Joins a derived table that has a column `contact_id`, each contact at most once. Returns the name to read its other columns by;
   * they are null for a contact who is not in it.
   */
  join(table: Sql): Sql;
  /** The same for a table that more than one condition adds to: it is written down once all have. */
  share<Made extends Table>(key: string, make: () => Made): { readonly name: Sql; readonly made: Made };
}

/** What a condition comes to. */
export interface Piece {
  /** True or false, never null. */
  readonly holds: Sql;
  /** The next moment at which it may change by itself, or null. Absent: it never does. */
  readonly next?: Sql | undefined;
  /** What an explanation shows of it, as jsonb. */
  readonly value?: Sql | undefined;
}

/** What things are called that conditions refer to by their id. Without a name the id is shown. */
export interface Names {
  staticList?(id: string): string | undefined;
  dynamicList?(id: string): string | undefined;
  topic?(id: string): string | undefined;
}

/** A kind of condition that another feature brings: `{"marketing": …}`. The filter knows it by its key alone. */
export interface Subject<Spec = unknown> {
  /** The key that names it in a condition. */
  readonly key: string;
  /** Keys of other subjects that it takes as its own: a marketing condition may have a `journeyId`, which names a subject elsewhere. */
  readonly also?: readonly string[];
  /** It looks at the contact's own row alone, whatever the time is. */
  readonly isPlain?: boolean;
  /** It looks further, but time alone never changes it. */
  readonly isTimeless?: boolean;
  /** Checks the whole condition; throws a FilterFault, which has the place. */
  read(condition: Readonly<Record<string, unknown>>, path: string): Spec;
  /** The rest of a sentence that begins with whom it is about: `opened an email at least once in the last 30 days`. */
  say(spec: Spec, names: Names): string;
  /** What it reads. Code that changes this for a contact marks the contact: see markChanged(). */
  reads(spec: Spec): readonly string[];
  compile(spec: Spec, on: Ground): Piece;
  /** What it names and is not there: each place, and what is wrong there. */
  missing?(db: Runner, tenantId: number, spec: Spec, path: string): Promise<readonly Fault[]>;
}
