import { describe, expect, it } from 'vitest';
import { useDatabase } from '../../test/database.js';
import { bytes, type Sql, sql, unnamed } from './sql.js';

const t = useDatabase();

describe('the sql tag', () => {
  it('makes parameters of values, never text', () => {
    const evil = "'; drop table tenant; --";
    const statement = sql`select ${evil} as a, ${null} as b, ${5} as c`;
    expect(statement.text).toBe('select $1 as a, $2 as b, $3 as c');
    expect(statement.values).toEqual([evil, null, 5]);
  });

  it('puts a fragment into the text and renumbers its parameters', () => {
    const filter = sql`name = ${'x'} and age > ${7}`;
    const statement = sql`select * from t where tenant_id = ${1} and ${filter} limit ${10}`;
    expect(statement.text).toBe('select * from t where tenant_id = $1 and name = $2 and age > $3 limit $4');
    expect(statement.values).toEqual([1, 'x', 7, 10]);
  });

  it('nests fragments to any depth, the same one twice too', () => {
    const inner = sql`a = ${'i'}`;
    const middle = sql`(${inner} or b = ${'m'} or ${inner})`;
    const outer = sql`${'first'} ${middle} ${'last'} ${sql``}`;
    expect(outer.text).toBe('$1 (a = $2 or b = $3 or a = $4) $5 ');
    expect(outer.values).toEqual(['first', 'i', 'm', 'i', 'last']);
  });

  it('numbers more than nine parameters', () => {
    const list = (values: number[]) => values.reduce((all, value) => sql`${all}, ${value}`, sql`${0}`);
    const statement = sql`select ${'x'}, ${list([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])}`;
    expect(statement.text).toBe('select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13');
    expect(statement.values).toEqual(['x', 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  it('keeps an array whole: it is one parameter', () => {
    const statement = sql`select ${[1, 2]}::int[], ${sql`${['a', 'b']}::text[]`}, ${[]}::int[]`;
    expect(statement.text).toBe('select $1::int[], $2::text[], $3::int[]');
    expect(statement.values).toEqual([[1, 2], ['a', 'b'], []]);
  });

  it('gives the same name to the same text, and another to another', () => {
    const byId = (id: number, extra = sql``) => sql`select ${id}${extra}`;
    expect(byId(1).name).toBe(byId(2).name);
    expect(byId(1).name).not.toBe(byId(1, sql` limit 1`).name);
    expect(byId(1, sql` limit 1`).name).toBe(byId(9, sql` limit 1`).name);
    expect(byId(1).values).toEqual([1]);
    // PostgreSQL truncates longer names, and then two statements would share one.
    expect(byId(1).name.length).toBeLessThan(64);
  });

  it('compiles one template anew for every combination of fragments', () => {
    const where = (condition: ReturnType<typeof sql>, value: number) =>
      sql`select 1 where ${condition} and ${value} = 1`;
    expect(where(sql`true`, 1).text).toBe('select 1 where true and $1 = 1');
    expect(where(sql`${5} = 5`, 1).text).toBe('select 1 where $1 = 5 and $2 = 1');
    expect(where(sql`true`, 2).values).toEqual([2]);
  });

  it('is understood by PostgreSQL, with ids as hex on both ways', async () => {
    const id = '019a8b2c4d5e6f708192a3b4';
    const row = await t.db.row(sql<{ id: string; numbers: number[]; text: string; big: number }>`
      select ${bytes(id)}::bytea as id, ${[1, 2]}::int[] as numbers, ${"it's $1"}::text as text, ${2 ** 52}::int8 as big`);
    expect(row).toEqual({ id, numbers: [1, 2], text: "it's $1", big: 2 ** 52 });
  });
});

describe('a statement without a name', () => {
  const filters = Array.from({ length: 30 }, (_, i) => unnamed(sql`${i} = ${i}`)).map((first, i) =>
    Array.from({ length: i }).reduce<Sql>((all, _, n) => sql`${all} and ${n}::int = ${n}::int`, first),
  );

  it('makes everything built from it nameless too', () => {
    for (const filter of filters) expect(sql`select 1 where ${filter}`.name).toBe('');
    expect(sql`select 1 where ${filters[2]} and ${filters[1]}`.text).toBe(
      'select 1 where $1 = $2 and $3::int = $4::int and $5::int = $6::int and $7 = $8 and $9::int = $10::int',
    );
  });

  it('leaves nothing behind on the connection, however many texts there are', async () => {
    const kept = sql<{ count: number }>`select count(*) from pg_prepared_statements`;
    const before = await t.db.row(kept);
    for (const filter of filters) {
      const row = await t.db.row(sql<{ one: number }>`select 1 as one where ${filter}`);
      expect(row).toEqual({ one: 1 });
    }
    expect(await t.db.row(kept)).toEqual(before);
  });
});
