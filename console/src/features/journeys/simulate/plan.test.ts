import { expect, it } from 'vitest';
import { entryEvents, reactionEvents, satisfying, usualReactions } from './plan.ts';

const from = Date.parse('2026-11-16T00:00:00.000Z');
const people = Array.from({ length: 100 }, (_, at) => ({ contactId: `c${at}`, at: from }));

it('guesses properties for which the condition of an event holds', () => {
  expect(satisfying(undefined)).toEqual({});
  expect(satisfying({ eventProperty: 'rows', gte: 1 })).toEqual({ rows: 1 });
  expect(
    satisfying({
      all: [
        { eventProperty: ['cart', 'total'], gt: 20 },
        { eventProperty: 'plan', is: 'pro' },
      ],
    }),
  ).toEqual({ cart: { total: 21 }, plan: 'pro' });
  expect(
    satisfying({
      any: [
        { eventProperty: 'a', in: [3, 4] },
        { eventProperty: 'b', is: 1 },
      ],
    }),
  ).toEqual({ a: 3 });
  expect(satisfying({ eventProperty: 'cart', is: { entry: 'cart' } })).toEqual({});
  expect(satisfying({ eventProperty: 'x', exists: true })).toEqual({ x: true });
});

it('lets everybody have the entry event within a day', () => {
  const events = entryEvents({ entry: { event: { eventName: 'signed_up' } }, steps: [] }, ['a', 'b'], from);
  expect(events.map(({ contactId, at }) => [contactId, at])).toEqual([
    ['a', '2026-11-16T00:00:00.000Z'],
    ['b', '2026-11-16T12:00:00.000Z'],
  ]);
  expect(entryEvents({ entry: { api: true }, steps: [] }, ['a'], from)).toEqual([]);
});

it('lets the given share react, each about the given time after they entered', () => {
  const events = reactionEvents([{ eventName: 'ordered', share: 40, after: 'P2D' }], people, 1000);
  expect(events.length).toBe(40);
  for (const { at } of events) {
    expect(Date.parse(at)).toBeGreaterThanOrEqual(from + 1.5 * 86_400_000);
    expect(Date.parse(at)).toBeLessThanOrEqual(from + 2.5 * 86_400_000);
  }
  expect(reactionEvents([{ eventName: 'ordered', share: 0, after: 'P2D' }], people, 1000)).toEqual([]);
  expect(reactionEvents([{ eventName: 'ordered', share: 100, after: 'P2D' }], people, 7)).toHaveLength(7);
});

it('asks about every event that the journey waits for, once', () => {
  const branches = [{ event: { eventName: 'ordered' } }, { filter: { property: 'plan', is: 'pro' } }];
  const steps = [
    { id: 'a', type: 'waitUntil' as const, branches, timeout: 'P1D' },
    { id: 'b', type: 'waitUntil' as const, branches, timeout: 'P1D' },
  ];
  expect(usualReactions({ entry: { api: true }, steps })).toEqual([
    { eventName: 'ordered', share: 50, after: 'P1D', where: undefined },
  ]);
});
