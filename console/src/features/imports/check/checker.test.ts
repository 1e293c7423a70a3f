import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eachPortion } from '../file/in-turns.ts';
import { readHead } from '../file/read-file.ts';
import { guessMapping } from '../mapping/mapping.ts';
import type { Known, MappedColumn, Target } from '../mapping/mapping-target.ts';
import { Checker } from './checker.ts';

const known: Known = { types: new Map(), topics: new Map([['news', 'News']]), lists: new Map([['1', 'VIP']]) };
const column = (target: Target): MappedColumn => ({ name: target.kind, samples: [], target });
const email = column({ kind: 'email' });

function checked(columns: readonly MappedColumn[], ...rows: string[][]) {
  const checker = new Checker(columns, known);
  checker.take([columns.map(({ name }) => name), ...rows]);
  return checker.told();
}
const kinds = (told: ReturnType<typeof checked>) => told.findings.map(({ kind, rows }) => [kind, rows]);

describe('the check of a file', () => {
  it('finds rows without an address, with a wrong one, and with one that came before', () => {
    const told = checked([email], ['a@x.de'], ['  '], [], ['nobody'], ['A@X.de '], ['b@x.de']);
    expect(told.findings).toEqual([
      { kind: 'noAddress', at: 0, rows: 1, examples: [{ row: 3, cell: '  ' }] },
      { kind: 'badAddress', at: 0, rows: 1, examples: [{ row: 5, cell: 'nobody' }] },
      { kind: 'duplicate', at: 0, rows: 1, examples: [{ row: 6, cell: 'a@x.de' }] },
    ]);
    expect([told.rows, told.refused]).toEqual([5, 2]);
  });

  it('finds dates that do not read, and tells how many would with day and month the other way round', () => {
    const date = column({ kind: 'property', key: 'd', type: 'date', format: 'dmy' });
    const told = checked(
      [email, date],
      ['a@x.de', '04/17/2026'],
      ['b@x.de', '04/18/2026'],
      ['c@x.de', ''],
      ['d@x.de', 'x'],
    );
    expect(kinds(told)).toEqual([['badDate', 3]]);
    expect(told.dates.get(1)).toEqual({ bad: 3, badOtherwise: 1 });
    expect(told.refused).toBe(3);
  });

  it('finds words that say neither yes nor no, and statuses that are not known', () => {
    const columns = [
      email,
      column({ kind: 'topic', key: 'news' }),
      column({ kind: 'status', reading: 'words', topicKey: '' }),
    ];
    const told = checked(
      columns,
      ['a@x.de', 'TRUE', 'cleaned'],
      ['b@x.de', 'maybe', 'odd'],
      ['c@x.de', '', 'subscribed'],
    );
    expect(kinds(told)).toEqual([
      ['badWord', 1],
      ['badStatus', 1],
    ]);
    expect([told.refused, told.suppressed]).toEqual([1, 1]);
  });

  it('finds lists by name, and those that there are none of', () => {
    const told = checked(
      [email, column({ kind: 'list' })],
      ['a@x.de', 'vip; Beta'],
      ['b@x.de', 'Beta'],
      ['c@x.de', ''],
    );
    expect([told.listIds, told.unknownLists, told.refused]).toEqual([['1'], ['Beta'], 0]);
    expect(kinds(told)).toEqual([['unknownList', 2]]);
  });

  it('finds rows that are longer than the header, but not empty cells at their end', () => {
    const told = checked([email, column({ kind: 'skip' })], ['a@x.de', 'x', ' '], ['b@x.de'], ['c@x.de', 'x', 'y']);
    expect(kinds(told)).toEqual([['longRow', 1]]);
    expect(told.isUneven).toBe(true);
    expect(checked([email], ['a@x.de']).isUneven).toBe(false);
  });

  it('stops comparing addresses where there are too many, and says so', () => {
    const checker = new Checker([email], known, 2);
    checker.take([['email'], ['a@x.de'], ['b@x.de'], ['c@x.de'], ['c@x.de'], ['a@x.de']]);
    expect(checker.told()).toMatchObject({ isPartlyCompared: true, findings: [{ kind: 'duplicate', rows: 1 }] });
  });

  it('finds the same however the rows are cut into portions', () => {
    const cell = fc.constantFrom('a@x.de', 'b@x.de', '', 'nobody');
    const rows = fc.array(fc.oneof(fc.constant([] as string[]), fc.tuple(cell)), { maxLength: 20 });
    fc.assert(
      fc.property(rows, fc.nat(20), (all, cut) => {
        const whole = new Checker([email], known);
        whole.take([['email'], ...all]);
        const parts = new Checker([email], known);
        parts.take([['email'], ...all.slice(0, cut)]);
        parts.take(all.slice(cut));
        expect(parts.told()).toEqual(whole.told());
      }),
    );
  });

  it('reads a long file in many turns, says how far it is, and stops when it is told to', async () => {
    const file = new Blob([
      `email,n\n${Array.from({ length: 60_000 }, (_, n) => `c${n % 50_000}@x.de,${n}\n`).join('')}`,
    ]);
    const head = await readHead(file);
    const checker = new Checker(guessMapping(head.header, head.rows, known), known);
    const shares: number[] = [];
    await eachPortion(
      file,
      head,
      (rows) => checker.take(rows),
      (share) => shares.push(share),
      new AbortController().signal,
    );
    expect(checker.told()).toMatchObject({ rows: 60_000, findings: [{ kind: 'duplicate', rows: 10_000 }] });
    expect(shares.at(-1)).toBe(1);
    expect(shares.length).toBeGreaterThan(2);
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    const aborting = new AbortController();
    const stopped = eachPortion(
      file,
      head,
      () => aborting.abort(),
      () => undefined,
      aborting.signal,
    );
    await expect(stopped).rejects.toThrow();
  });
});
