import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Leased, Leases } from './leases.js';

/** A clock that moves only when told, and a queue that renews the leases in `kept`. */
function leasesOf(kept: ReadonlySet<string> = new Set()) {
  let elapsed = 0;
  const asked: { owner: string; seconds: number; leased: readonly Leased[] }[] = [];
  const leases = new Leases({
    clock: { now: () => new Date(), elapsed: () => elapsed },
    lastsMs: 60_000,
    neededMs: 5000,
    renew: async (owner, seconds, leased) => {
      asked.push({ owner, seconds, leased });
      return kept;
    },
  });
  const pass = (ms: number) => {
    elapsed += ms;
  };
  const take = (...ids: string[]) =>
    leases.take(
      7,
      async () => ids,
      (id) => id,
    );
  return { leases, pass, take, asked };
}

test('a claim is safe until too little of its lease is left', async () => {
  const { leases, pass, take } = leasesOf();
  expect(leases.isCertain('a')).toBe(false);
  await take('a');
  pass(54_999);
  expect(leases.isCertain('a')).toBe(true);
  pass(1);
  expect(leases.isCertain('a')).toBe(false);
});

test('a slow claim leaves less of the lease', async () => {
  const { leases, pass } = leasesOf();
  await leases.take(
    7,
    async () => {
      pass(55_000);
      return ['a'];
    },
    (id) => id,
  );
  expect(leases.isCertain('a')).toBe(false);
});

test('renewing keeps what is still ours and lets the rest expire', async () => {
  const { leases, pass, take, asked } = leasesOf(new Set(['a']));
  await leases.renew();
  expect(asked).toEqual([]);
  await take('a', 'b');
  pass(30_000);
  await leases.renew();
  expect(asked).toMatchObject([
    {
      owner: leases.owner,
      seconds: 60,
      leased: [
        { tenantId: 7, id: 'a' },
        { tenantId: 7, id: 'b' },
      ],
    },
  ]);
  pass(30_000);
  expect(leases.isCertain('a')).toBe(true);
  expect(leases.isCertain('b')).toBe(false);
});

test('it has ended once everything was dropped', async () => {
  const { leases, take } = leasesOf();
  await take('a', 'b');
  leases.drop(['a']);
  let isEnded = false;
  const ended = leases.ended().then(() => {
    isEnded = true;
  });
  await setImmediate();
  expect(isEnded).toBe(false);
  leases.drop(['b']);
  await ended;
  expect(leases.isCertain('b')).toBe(false);
});
