import fc from 'fast-check';
import { expect, it } from 'vitest';
import { layoutOf, parseInSlices } from './long-json.js';

it('reads arrays that are long, or hold long ones, as JSON.parse does', async () => {
  const leaf = fc.oneof(fc.string(), fc.integer(), fc.constantFrom(null, true, '[,]{":\\'));
  const long = fc.tuple(fc.integer({ min: 1, max: 8000 }), leaf).map(([length, value]) => Array(length).fill(value));
  const { json } = fc.letrec((tie) => ({
    json: fc.oneof(
      { maxDepth: 6, depthIdentifier: 'json' },
      leaf,
      long,
      fc.array(tie('json')),
      fc.dictionary(fc.string(), tie('json')),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), json), async (value) => {
      const text = JSON.stringify(value);
      expect(JSON.stringify(await parseInSlices(Buffer.from(text)))).toBe(JSON.stringify(JSON.parse(text)));
    }),
    { numRuns: 40 },
  );
});

it('weighs an item without the arrays that are cut from it, and with them', () => {
  const item = `{"a":[${Array(10_000).fill(1).join()}]}`;
  const { heaviest, largest, longest } = layoutOf(Buffer.from(`{"items":[${item},${item}]}`));
  expect(heaviest).toBeLessThan(20);
  expect(largest).toBeGreaterThan(10_000);
  expect(largest).toBeLessThan(10_010);
  expect(longest).toBe(2);
});
