import fc from 'fast-check';
import { expect, it } from 'vitest';
import { useDatabase } from '../../../../test/database.js';
import { sql } from '../../../db/sql.js';
import { sweepGuesses } from './queries.js';
import { forgiveTries, giveTryBack, networkOf, takeTry } from './throttle.js';

const t = useDatabase();

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:0DB8:0:0:ffff::1', '2001:db8:0:0'],
  ['2001:db8:1:2::', '2001:db8:1:2'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
])('%s belongs to %s', (address, network) => expect(networkOf(address)).toBe(network));

it('treats all addresses of a /64 network as one, and others as different', () => {
  const group = fc.integer({ min: 0, max: 0xffff }).map((n) => n.toString(16));
  const half = fc.array(group, { minLength: 4, maxLength: 4 }).map((groups) => groups.join(':'));
  fc.assert(
    fc.property(half, half, half, (network, one, other) => {
      expect(networkOf(`${network}:${one}`)).toBe(networkOf(`${network}:${other}`));
      expect(networkOf(`${network}:${one}`)).toBe(network);
    }),
  );
});

it('lets a fixed number through per window, however many come at once', async () => {
  const limit = { key: 'a', most: 7, seconds: 60 };
  const waits = await Promise.all(Array.from({ length: 50 }, () => takeTry(t.db, [limit])));
  expect(waits.filter((wait) => wait === 0)).toHaveLength(7);
  for (const wait of waits.filter((each) => each > 0)) expect(wait).toBeLessThanOrEqual(60);
});

it('starts over when the window ends', async () => {
  const limit = { key: 'b', most: 1, seconds: 60 };
  await takeTry(t.db, [limit]);
  expect(await takeTry(t.db, [limit])).toBeGreaterThan(0);
  await t.db.run(sql`update guess set since = now() - interval '61 seconds'`);
  expect(await takeTry(t.db, [limit])).toBe(0);
});

it('does not count under a wider limit what a narrower one refused', async () => {
  const wide = { key: 'c', most: 3, seconds: 60 };
  for (let i = 0; i < 20; i++) await takeTry(t.db, [{ key: 'c from here', most: 2, seconds: 60 }, wide]);
  expect(await takeTry(t.db, [{ key: 'c from there', most: 2, seconds: 60 }, wide])).toBe(0);
});

it('gives one try back, or forgets all', async () => {
  const limit = { key: 'd', most: 2, seconds: 60 };
  for (let i = 0; i < 2; i++) await takeTry(t.db, [limit]);
  await giveTryBack(t.db, [limit]);
  expect(await takeTry(t.db, [limit])).toBe(0);
  expect(await takeTry(t.db, [limit])).toBeGreaterThan(0);
  await forgiveTries(t.db, [limit]);
  expect(await takeTry(t.db, [limit])).toBe(0);
});

it('keeps no count for long', async () => {
  await takeTry(t.db, [{ key: 'e', most: 1, seconds: 60 }]);
  await t.db.run(sql`update guess set since = now() - interval '25 hours'`);
  expect(await sweepGuesses(t.db, 1000)).toBeGreaterThan(0);
  expect(await t.db.rows(sql`select from guess`)).toEqual([]);
});
