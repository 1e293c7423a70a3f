import fc from 'fast-check';
import { expect, it } from 'vitest';
import { useDatabase } from '../../test/database.js';
import { counterValue, foldCounters } from './counters.js';
import { sql } from './sql.js';

const t = useDatabase();

async function newTenant(): Promise<number> {
  const row = await t.db.row(sql<{ id: number }>`insert into tenant (name) values ('T') returning tenant_id as id`);
  return row?.id as number;
}

async function add(tenantId: number, counter: string, delta: number): Promise<void> {
  await t.db.run(sql`insert into counter_delta (tenant_id, counter, delta) values (${tenantId}, ${counter}, ${delta})`);
}

async function readValue(tenantId: number, counter: string): Promise<number | undefined> {
  return (await t.db.row(sql<{ value: number }>`select ${counterValue(tenantId, counter)} as value`))?.value;
}

async function rowsOf(tenantId: number): Promise<number | undefined> {
  const row = await t.db.row(sql<{ n: number }>`select count(*) as n from counter_delta where tenant_id = ${tenantId}`);
  return row?.n;
}

it('have the same value before and after folding, and one row at most', async () => {
  const deltas = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: -5, max: 5 })), { maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(fc.array(deltas, { maxLength: 4 }), async (rounds) => {
      const tenantId = await newTenant();
      const expected = new Map([
        ['a', 0],
        ['b', 0],
        ['c', 0],
      ]);
      for (const round of rounds) {
        for (const [counter, delta] of round) {
          await add(tenantId, counter, delta);
          expected.set(counter, (expected.get(counter) as number) + delta);
        }
        await foldCounters(t.db.background, 1000);
        for (const [counter, value] of expected) expect(await readValue(tenantId, counter)).toBe(value);
        expect(await rowsOf(tenantId)).toBe([...expected.values()].filter((value) => value !== 0).length);
      }
    }),
    { numRuns: 25 },
  );
});

it('are folded once per change, a few at a time, and not looked at again until they change', async () => {
  const tenantId = await newTenant();
  await foldCounters(t.db.background, 1000);
  for (let i = 0; i < 5; i++) await add(tenantId, `c${i}`, 1);
  expect(await foldCounters(t.db.background, 3)).toBe(3);
  expect(await foldCounters(t.db.background, 3)).toBe(2);
  expect(await foldCounters(t.db.background, 3)).toBe(0);
  await add(tenantId, 'c4', 1);
  expect(await foldCounters(t.db.background, 3)).toBe(1);
  expect(await readValue(tenantId, 'c4')).toBe(2);
});

it('lose nothing that is added while two workers fold them', async () => {
  const tenantId = await newTenant();
  const adding = Array.from({ length: 4 }, async () => {
    for (let i = 0; i < 40; i++) await add(tenantId, 'busy', 1);
  });
  const folding = Array.from({ length: 2 }, async () => {
    for (let i = 0; i < 25; i++) await foldCounters(t.db.background, 10);
  });
  await Promise.all([...adding, ...folding]);
  await foldCounters(t.db.background, 10);
  expect(await readValue(tenantId, 'busy')).toBe(160);
  // Each may leave a row of its own: the next change joins them.
  expect(await rowsOf(tenantId)).toBeLessThanOrEqual(2);
});
