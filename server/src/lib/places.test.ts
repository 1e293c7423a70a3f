import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Places } from './places.js';

function placesOf(count: number, { waitMs = 60_000, mostWaiting = 100 } = {}): Places {
  return new Places({ places: count, mostEach: count - 1, waitMs, mostWaiting, refuse: () => new Error('no place') });
}

/** Notes who is served, in order, and lets the test return places. */
function watched(places: Places) {
  const served: number[] = [];
  const held: { tenant: number; giveBack: () => void }[] = [];
  return {
    served,
    ask: (tenant: number, times = 1) => {
      for (let i = 0; i < times; i++)
        void places.take(tenant).then(
          (giveBack) => {
            served.push(tenant);
            held.push({ tenant, giveBack });
          },
          // A caller still waiting at the end of the test would be refused a minute later, while another file runs.
          () => undefined,
        );
      return setImmediate();
    },
    giveBack: (tenant: number) => {
      const at = held.findIndex((place) => place.tenant === tenant);
      held.splice(at, 1)[0]?.giveBack();
      return setImmediate();
    },
  };
}

it('gives a single tenant all places but one, and the last to the next tenant', async () => {
  const { served, ask } = watched(placesOf(4));
  await ask(1, 100);
  expect(served).toEqual([1, 1, 1]);
  await ask(2);
  expect(served).toEqual([1, 1, 1, 2]);
});

it('gives the next free place to the tenant that was served longest ago', async () => {
  const { served, ask, giveBack } = watched(placesOf(4));
  await ask(1, 50);
  await ask(2, 50);
  await ask(3, 50);
  expect(served).toEqual([1, 1, 1, 2]);
  for (const tenant of [1, 1, 1, 2]) await giveBack(tenant);
  expect(served.slice(4)).toEqual([3, 1, 2, 3]);
});

it('lets no tenant hold more than half while others wait', async () => {
  const { served, ask, giveBack } = watched(placesOf(4));
  await ask(1, 3);
  await ask(2, 9);
  await ask(3, 1);
  await giveBack(1);
  await ask(1, 9);
  await giveBack(3);
  const holding = (tenant: number) => served.filter((one) => one === tenant).length;
  expect([holding(1) - 1, holding(2), holding(3) - 1]).toEqual([2, 2, 0]);
});

it('remembers who was served a moment ago though it holds nothing now', async () => {
  const { served, ask, giveBack } = watched(placesOf(1));
  await ask(1);
  await ask(2);
  await giveBack(1);
  await ask(3);
  await ask(1);
  await giveBack(2);
  expect(served).toEqual([1, 2, 3]);
});

it('refuses callers that waited too long, and serves the others', async () => {
  const places = placesOf(1, { waitMs: 20 });
  const giveBack = await places.take(1);
  await expect(places.take(2)).rejects.toThrow('no place');
  giveBack();
  (await places.take(2))();
});

it('refuses at once when the line of a tenant is long, and not those of another', async () => {
  const places = placesOf(1, { mostWaiting: 2 });
  const giveBack = await places.take(1);
  const waiting = [places.take(1), places.take(1)];
  await expect(places.take(1)).rejects.toThrow('no place');
  const other = places.take(2);
  giveBack();
  (await other)();
  for (const one of waiting) (await one)();
});
