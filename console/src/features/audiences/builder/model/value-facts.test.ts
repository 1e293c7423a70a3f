import { describe, expect, it } from 'vitest';
import { likeness, othersBeside, withThem } from './value-facts.ts';

const facts = {
  types: [
    { type: 'time', count: 488, examples: ['2026-03-04'] },
    { type: 'text', count: 10, examples: ['soon', 'n/a'] },
    { type: 'number', count: 2, examples: [7] },
  ] as const,
  values: [
    { value: 'pro', count: 90 },
    { value: 'free', count: 50 },
    { value: 10, count: 3 },
  ],
  lookAlikes: [
    [
      { value: 'pro', count: 90 },
      { value: 'Pro', count: 4 },
      { value: 'pro ', count: 1 },
    ],
  ],
};

describe('values of another type', () => {
  it('are counted where dates or numbers are compared', () => {
    expect(othersBeside({ property: 'at', withinLast: 'P90D' }, facts)).toEqual({
      ...{ wanted: 'time', count: 12, total: 500, examples: ['soon', 'n/a', 7], doMatch: false },
    });
    expect(othersBeside({ property: 'at', gt: 3 }, facts)).toMatchObject({ wanted: 'number', count: 498 });
    expect(othersBeside({ property: 'at', notWithinLast: 'P1D' }, facts)).toMatchObject({ doMatch: true });
  });

  it('do not matter to other operators, or where there are none', () => {
    expect(othersBeside({ property: 'at', is: 'soon' }, facts)).toBeUndefined();
    expect(othersBeside({ property: 'at', contains: 'o' }, facts)).toBeUndefined();
    expect(othersBeside({ property: 'at', before: '' }, { ...facts, types: facts.types.slice(0, 1) })).toBeUndefined();
  });
});

describe('values that look like the chosen one', () => {
  it('are those that differ in case, spaces or type', () => {
    const { of, others } = likeness({ property: 'plan', is: 'pro' }, facts);
    expect([of, others.map(({ value }) => value)]).toEqual([['pro'], ['Pro', 'pro ']]);
    expect(likeness({ property: 'plan', in: ['pro', 'Pro'] }, facts).others).toEqual([{ value: 'pro ', count: 1 }]);
    expect(likeness({ property: 'plan', is: '10' }, facts).others).toEqual([{ value: 10, count: 3 }]);
    expect(likeness({ property: 'plan', is: 'FREE' }, facts).others).toEqual([{ value: 'free', count: 50 }]);
  });

  it('are named before one is chosen, and not for operators that ignore case', () => {
    expect(likeness({ property: 'plan', is: '' }, facts)).toMatchObject({ others: [], groups: facts.lookAlikes });
    expect(likeness({ property: 'plan', is: 'free' }, facts)).toEqual({ of: [], others: [], groups: [] });
    expect(likeness({ property: 'plan', contains: 'pro' }, facts).others).toEqual([]);
  });

  it('are included by an operator that takes several', () => {
    const others = [{ value: 'Pro', count: 4 }];
    expect(withThem({ property: 'plan', is: 'pro' }, others)).toEqual({ property: 'plan', in: ['pro', 'Pro'] });
    expect(withThem({ property: 'plan', isNot: 'pro' }, others)).toEqual({ property: 'plan', notIn: ['pro', 'Pro'] });
    expect(withThem({ property: 'plan', in: ['pro'] }, others)).toEqual({ property: 'plan', in: ['pro', 'Pro'] });
    expect(withThem({ property: 'plan', hasEverBeen: 'pro' }, others)).toBeUndefined();
  });
});
