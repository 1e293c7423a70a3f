// What the database reads in texts against what the API reads in them: the same, for any text.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { useDatabase } from '../../../../test/database.js';
import { sql } from '../../../db/sql.js';
import { parseInstant } from '../../../lib/instant.js';
import { foldCase, isSoundText } from '../../../lib/text.js';

const t = useDatabase();

const two = fc
  .oneof(
    fc.integer({ min: 0, max: 99 }),
    fc.integer({ min: 1, max: 12 }),
    fc.constantFrom(0, 1, 23, 28, 29, 30, 31, 59, 60),
  )
  .map((n) => String(n).padStart(2, '0'));
const year = fc
  .oneof(fc.integer({ min: 0, max: 9999 }), fc.constantFrom(0, 1, 1900, 2000, 2024, 2026, 9999))
  .map((n) => String(n).padStart(4, '0'));
const fraction = fc.oneof(
  fc.constant(''),
  fc.stringMatching(/^\.[0-9]{1,12}$/),
  fc.constantFrom('.', '.000', '.9999', '.0009'),
);
const zone = fc.oneof(
  fc.constantFrom('', 'Z', 'z', '+00:00', '-00:00', '+23:59', '-23:59', '+24:00', '+05:60', '+5:30', ' Z'),
  fc.tuple(fc.constantFrom('+', '-'), two, two).map(([sign, h, m]) => `${sign}${h}:${m}`),
);
const date = fc.tuple(year, two, two).map((parts) => parts.join('-'));
const time = fc
  .tuple(fc.constantFrom('T', 't', ' '), two, two, two, fraction, zone)
  .map(([mark, h, m, s, f, z]) => `${mark}${h}:${m}:${s}${f}${z}`);
const near = fc
  .tuple(date, fc.oneof(fc.constant(''), time), fc.constantFrom('', '', '', '', ' ', '\n', 'x'))
  .map((parts) => parts.join(''));
const canonical = fc
  .date({ min: new Date(-62135596800000), max: new Date(253402300799999), noInvalidDate: true })
  .map((at) => at.toISOString());
const anyText = fc.string({ unit: 'binary', maxLength: 12 }).filter(isSoundText);
const oneAt = fc
  .integer({ min: 1, max: 0x10ffff })
  .filter((n) => n < 0xd800 || n > 0xdfff)
  .map((n) => String.fromCodePoint(n));

async function inDatabase(name: 'instant_of' | 'fold_text', texts: string[]): Promise<(string | null)[]> {
  const call = name === 'instant_of' ? sql`instant_of(v)` : sql`fold_text(v)`;
  const rows = await t.db.rows(sql<{ out: string | null }>`
    select ${call} as out from unnest(${texts}::text[]) with ordinality as u (v, no) order by no`);
  return rows.map((row) => row.out);
}

describe('instant_of', () => {
  it('reads as a time what the API reads as one, and nothing else', async () => {
    const texts = fc.array(fc.oneof(near, near, canonical, anyText), { minLength: 200, maxLength: 400, size: 'max' });
    await fc.assert(
      fc.asyncProperty(texts, async (all) => {
        const read = await inDatabase('instant_of', all);
        expect(all.map((text, i) => [text, read[i]])).toEqual(all.map((text) => [text, parseInstant(text) ?? null]));
      }),
      { numRuns: 20 },
    );
  });

  it('reads the edges of what there is', async () => {
    const all = [
      '0000-12-31T23:30:00-01:00',
      '0001-01-01',
      '0001-01-01T00:00:00+00:01',
      '9999-12-31T23:59:59.999Z',
      '9999-12-31T23:59:59.999-00:01',
      '9999-12-31T23:59:60Z',
      '2026-12-31T23:59:60.5+00:30',
      '2026-02-29',
      '2024-02-29T12:00:00',
      '1900-02-29',
      '2000-02-29',
      '0000-01-01T00:00:00.000Z',
      '2026-00-10',
      '2026-01-00',
      '２０２６-01-01',
    ];
    expect(await inDatabase('instant_of', all)).toEqual(all.map((text) => parseInstant(text) ?? null));
  });
});

describe('fold_text', () => {
  it('folds every text as search does', async () => {
    const texts = fc.array(
      fc.oneof(
        anyText,
        fc.array(oneAt, { maxLength: 6 }).map((all) => all.join('')),
      ),
      { minLength: 100, maxLength: 300, size: 'max' },
    );
    await fc.assert(
      fc.asyncProperty(texts, async (all) => {
        const folded = await inDatabase('fold_text', all);
        expect(all.map((text, i) => [text, folded[i]])).toEqual(all.map((text) => [text, foldCase(text)]));
      }),
      { numRuns: 20 },
    );
  });

  it('folds every single character so', async () => {
    const all = Array.from({ length: 0x1f000 }, (_, n) => n)
      .filter((n) => n > 0 && (n < 0xd800 || n > 0xdfff))
      .map((n) => String.fromCodePoint(n));
    const folded = await inDatabase('fold_text', all);
    const wrong = all
      .filter((text, i) => folded[i] !== foldCase(text))
      .map((text) => text.codePointAt(0)?.toString(16));
    expect(wrong).toEqual([]);
  });
});
