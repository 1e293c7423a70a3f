import { describe, expect, it } from 'vitest';
import { readEventTest, type TestedEvent } from './event-test.js';
import { FilterFaults } from './fault.js';

const now = Date.parse('2026-03-01T00:00:00.000Z');

function eventWith(properties: Record<string, unknown> | null): TestedEvent {
  return { userId: null, orgId: null, eventDate: '2026-02-28T00:00:00.000Z', properties };
}

function holds(where: unknown, properties: Record<string, unknown>, entry?: Record<string, unknown>): boolean {
  return readEventTest(where, 'where', { allowEntry: true }).holds(eventWith(properties), { now, entry });
}

function faultsOf(where: unknown, allowEntry = true): readonly unknown[] {
  try {
    readEventTest(where, 'definition.steps[0].branches[1].event.where', { allowEntry });
  } catch (error) {
    if (error instanceof FilterFaults) return error.faults.map(({ path, words }) => `${path}: ${words}`);
  }
  return [];
}

describe('a value of the entry event', () => {
  const sameOrder = { eventProperty: 'orderId', is: { entry: ['order', 'id'] } };

  it('means the same order', () => {
    const entry = { order: { id: 'o-7' } };
    expect(holds(sameOrder, { orderId: 'o-7' }, entry)).toBe(true);
    expect(holds(sameOrder, { orderId: 'o-8' }, entry)).toBe(false);
    expect(holds(sameOrder, {}, entry)).toBe(false);
  });

  it.each([
    ['is missing', {}],
    ['is null', { order: { id: null } }],
    ['is an object', { order: { id: { a: 1 } } }],
    ['is an array', { order: { id: ['o-7'] } }],
    ['would be inside an array', { order: [{ id: 'o-7' }] }],
  ])('makes its operator false and a negative one true when it %s', (_, entry) => {
    expect(holds(sameOrder, { orderId: 'o-7' }, entry)).toBe(false);
    expect(holds({ eventProperty: 'orderId', isNot: { entry: ['order', 'id'] } }, { orderId: 'o-7' }, entry)).toBe(
      true,
    );
    expect(holds({ eventProperty: 'orderId', in: [{ entry: ['order', 'id'] }] }, { orderId: 'o-7' }, entry)).toBe(
      false,
    );
    expect(holds({ eventProperty: 'orderId', notIn: [{ entry: ['order', 'id'] }] }, { orderId: 'o-7' }, entry)).toBe(
      true,
    );
  });

  it('makes its operator false when there is no entry event at all', () => {
    expect(holds(sameOrder, { orderId: 'o-7' })).toBe(false);
  });

  it('makes its operator false when it is not of the kind that the operator wants', () => {
    expect(holds({ eventProperty: 'total', gt: { entry: 'total' } }, { total: 10 }, { total: '5' })).toBe(false);
    expect(holds({ eventProperty: 'total', gt: { entry: 'total' } }, { total: 10 }, { total: 5 })).toBe(true);
    expect(holds({ eventProperty: 'at', after: { entry: 'at' } }, { at: '2026-01-02' }, { at: 'soon' })).toBe(false);
    expect(holds({ eventProperty: 'at', notWithinLast: { entry: 'for' } }, { at: '2026-02-28' }, { for: 'P1Y' })).toBe(
      true,
    );
    expect(holds({ eventProperty: 'n', between: [{ entry: 'low' }, 9] }, { n: 9 }, { low: 10 })).toBe(false);
  });

  it('leaves a list with what is there', () => {
    const where = { eventProperty: 'plan', in: ['pro', { entry: 'plan' }] };
    expect(holds(where, { plan: 'pro' }, {})).toBe(true);
    expect(holds(where, { plan: 'team' }, { plan: 'team' })).toBe(true);
    expect(holds(where, { plan: 'free' }, { plan: 'team' })).toBe(false);
  });

  it('is read with its place where it is wrong', () => {
    const place = 'definition.steps[0].branches[1].event.where';
    expect(faultsOf({ eventProperty: 'a', is: { entry: [] } })).toEqual([
      `${place}.is.entry: a list of 1 to 5 keys is wanted`,
    ]);
    expect(faultsOf({ all: [{ eventProperty: 'a', is: { entry: 'b', or: 1 } }] })).toEqual([
      `${place}.all[0].is.or: not known here`,
    ]);
    expect(faultsOf({ eventProperty: 'a', between: [{ entry: 'b' }, 'x'] })[0]).toContain(`${place}.between[`);
    expect(faultsOf({ eventProperty: 'a', exists: { entry: 'b' } })).toEqual([
      `${place}.exists: true or false is wanted`,
    ]);
    expect(faultsOf({ eventProperty: 'a', in: { entry: 'b' } })).toEqual([
      `${place}.in: a list of 1 to 1,000 values is wanted`,
    ]);
  });

  it('is refused where there is no entry event', () => {
    expect(faultsOf({ eventProperty: 'a', is: { entry: 'b' } }, false)).toEqual([
      'definition.steps[0].branches[1].event.where.is: a text, a number, true or false is wanted',
    ]);
  });
});
