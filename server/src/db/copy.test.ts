import { beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../../test/database.js';
import { copyField } from './copy.js';
import { sql } from './sql.js';

const t = useDatabase();
const copy = sql`copy note (id, text) from stdin`;

beforeAll(async () => {
  await t.db.run(sql`create table note (id integer primary key, text text)`);
});

describe('COPY', () => {
  it('stores rows with any characters, and distinguishes null from text that looks like it', async () => {
    const texts = [
      null,
      '',
      '\\N',
      '\\.',
      '\\',
      '\t',
      '\n',
      '\r',
      '\r\n',
      '\\t',
      'a\\\tb',
      '\b\f\v',
      '"',
      '😀',
      '\u0001',
    ];
    const rows = texts.map((text, id) => `${id}\t${copyField(text)}\n`).join('');
    await t.db.transaction((tx) => tx.copy(copy, rows));
    const stored = await t.db.rows(sql<{ text: string | null }>`select text from note order by id`);
    expect(stored.map((row) => row.text)).toEqual(texts);
    await t.db.run(sql`truncate note`);
  });

  it('stores many rows, and none', async () => {
    const long = 'x'.repeat(100_000);
    const rows = Array.from({ length: 100 }, (_, id) => `${id}\t${long}\n`).join('');
    await t.db.transaction(async (tx) => {
      await tx.copy(copy, rows);
      await tx.copy(copy, '');
    });
    expect(await t.db.row(sql`select count(*) as n, min(length(text)) as length from note`)).toEqual({
      n: 100,
      length: 100_000,
    });
    await t.db.run(sql`truncate note`);
  });

  it.each([
    ['a statement that is none', sql`copy nowhere from stdin`, '1\ta\n', '42P01'],
    ['a row that is none', copy, 'not a number\ta\n', '22P02'],
    ['a row that is there', copy, '1\ta\n1\tb\n', '23505'],
  ])('fails with the error of %s, and leaves nothing behind', async (_, statement, rows, code) => {
    // More often than there are connections, so each must be reusable.
    for (let turn = 0; turn < 8; turn++)
      await expect(t.db.transaction((tx) => tx.copy(statement, rows))).rejects.toMatchObject({ code });
    expect(await t.db.row(sql`select count(*) as n from note`)).toEqual({ n: 0 });
  });

  it('works together with the statements around it', async () => {
    const rows = await t.db.transaction(async (tx) => {
      await tx.run(sql`insert into note values (1, 'before')`);
      await tx.copy(copy, '2\tcopied\n');
      return tx.rows(sql<{ text: string }>`select text from note order by id`);
    });
    expect(rows.map((row) => row.text)).toEqual(['before', 'copied']);
  });

  it('shares a round trip with statements that are sent together, which run in their order', async () => {
    const [, , , rows] = await t.db.transaction((tx) =>
      Promise.all([
        tx.run(sql`insert into note values (3, 'before')`),
        tx.copy(copy, '4\tcopied\n'),
        tx.copy(copy, '5\ttoo\n'),
        tx.rows(sql<{ text: string }>`select text from note where id > 2 order by id`),
      ]),
    );
    expect(rows.map((row) => row.text)).toEqual(['before', 'copied', 'too']);
  });

  it('fails those sent behind it with its own error first, and harms no later transaction', async () => {
    const insert = (id: number) => sql`insert into note values (${id}, 'beside')`;
    for (let turn = 0; turn < 8; turn++) {
      const failed = t.db.transaction((tx) =>
        Promise.all([
          tx.run(insert(10)),
          tx.copy(copy, 'no number\ta\n'),
          tx.run(insert(11)),
          tx.copy(copy, '12\ta\n'),
        ]),
      );
      await expect(failed).rejects.toMatchObject({ code: '22P02' });
    }
    await t.db.transaction((tx) => Promise.all([tx.run(insert(10)), tx.copy(copy, '11\ta\n')]));
    expect(await t.db.row(sql`select count(*) as n from note where id >= 10`)).toEqual({ n: 2 });
  });
});
