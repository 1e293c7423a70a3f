import { createHash } from 'node:crypto';

/** A statement with its values, ready to be sent under its name, or unnamed. `Row` is the type of its rows. */
export class Sql<Row = unknown> {
  declare readonly '~row': Row;
  constructor(
    readonly text: string,
    readonly name: string,
    readonly values: unknown[],
    /** How PostgreSQL must plan it, and any statement that contains it: see hashed(). */
    readonly isHashed = false,
  ) {}
}

interface Compiled {
  text: string;
  name: string;
}
const compiledByTemplate = new WeakMap<TemplateStringsArray, Map<string, Compiled>>();

/**
 * The only way to write SQL. Values become parameters, never text; a nested `sql` fragment becomes text with its own
 * parameters. A template is compiled once for each combination of fragments.
 */
export function sql<Row = unknown>(strings: TemplateStringsArray, ...values: unknown[]): Sql<Row> {
  let fragments = '';
  for (const value of values) {
    if (!(value instanceof Sql)) fragments += '?';
    else if (value.name !== '') fragments += value.name;
    else return new Sql(assemble(strings, values), '', values.flatMap(valuesOf), values.some(isHashed));
  }
  let compiled = compiledByTemplate.get(strings)?.get(fragments);
  if (!compiled) {
    compiled = compile(strings, values);
    const known = compiledByTemplate.get(strings);
    if (known) known.set(fragments, compiled);
    else compiledByTemplate.set(strings, new Map([[fragments, compiled]]));
  }
  return new Sql(compiled.text, compiled.name, values.flatMap(valuesOf));
}

function isHashed(value: unknown): boolean {
  return value instanceof Sql && value.isHashed;
}

/**
 * A part of a statement that joins bounded sets. Without statistics PostgreSQL estimates the size of sets, often as one row, and would then
 * read one set again for every row of the other. The statement's runner rules that out: sets are joined by hash or merge, and one side is
 * looked up in the other only if a lateral says so. Nor is a whole table read, with the rows of all tenants: an index serves it. Unnamed.
 */
export function hashed<Row>(statement: Sql<Row>): Sql<Row> {
  return new Sql(statement.text, '', statement.values, true);
}

// A value may itself be an array, which flatMap would flatten.
function valuesOf(value: unknown): unknown[] {
  return value instanceof Sql ? value.values : [value];
}

/**
 * A statement, or a part of one, whose text varies without bound, such as a custom filter. Neither it nor anything built from it has a name, so
 * neither a connection nor this process keeps every text.
 */
export function unnamed<Row>(statement: Sql<Row>): Sql<Row> {
  return statement.name === '' ? statement : new Sql(statement.text, '', statement.values);
}

function compile(strings: TemplateStringsArray, values: unknown[]): Compiled {
  const text = assemble(strings, values);
  // Named statements are parsed and planned once per connection: nearly twice the throughput of unnamed ones.
  return { text, name: createHash('sha1').update(text).digest('base64url') };
}

function assemble(strings: TemplateStringsArray, values: unknown[]): string {
  let text = strings[0] ?? '';
  let count = 0;
  values.forEach((value, i) => {
    if (value instanceof Sql) {
      const offset = count;
      text += value.text.replace(/\$(\d+)/g, (_, n: string) => `$${Number(n) + offset}`);
      count += value.values.length;
    } else text += `$${++count}`;
    text += strings[i + 1];
  });
  return text;
}

/** A hex id as a bytea parameter. Ids come back as hex too: see the type parsers in connect.ts. */
export function bytes(hex: string): string {
  return `\\x${hex}`;
}

/**
 * A column of a set-based statement as one parameter, to be read with `string_to_table(…, E'\\n')`. An array parameter
 * would be quoted element by element on this side and unquoted on the other: 6 % of the time of a batch write. Only for
 * values that cannot contain a line break: ids, emails, compact JSON.
 */
export function lines(values: readonly string[]): string {
  return values.join('\n');
}
