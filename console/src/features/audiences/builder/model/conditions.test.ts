import { describe, expect, it } from 'vitest';
import { beginCondition, countOf, withCount, withMeasure, withWindow } from './begin.ts';
import { isComplete, operatorsOf, subjectOf, subjects } from './conditions.ts';
import { faultsByNode } from './faults.ts';
import { carryValue, readTyped, withOperator } from './operators.ts';

describe('a condition', () => {
  it.each([
    [{ property: 'plan', is: 'pro' }, true],
    [{ property: 'plan', is: '' }, false],
    [{ property: 'plan' }, false],
    [{ property: 'plan', is: false }, true],
    [{ property: 'seats', between: [1, 2] }, true],
    [{ property: 'seats', between: [2, 1] }, false],
    [{ property: 'seats', gte: undefined }, false],
    [{ contact: 'createdAt', withinLast: 'P30D' }, true],
    [{ contact: 'createdAt', withinLast: 'P1M' }, false],
    [{ contact: 'createdAt', before: '2026-01-01' }, true],
    [{ contact: 'email', exists: true }, false],
    [{ event: 'signed_in' }, true],
    [{ event: '' }, false],
    [{ event: 'paid', measure: 'sum', of: ['cart', 'total'], gte: 10 }, true],
    [{ event: 'paid', measure: 'sum', gte: 10 }, false],
    [{ event: 'paid', from: '' }, false],
    [{ sequence: [{ event: 'a' }, { event: 'b', not: true }] }, false],
    [{ sequence: [{ event: 'a' }, { event: 'b', not: true, within: 'P1D' }] }, true],
    [{ marketing: 'opened' }, true],
    [{ staticListId: '' }, false],
    [{ topic: 'x', isNot: 'pending' }, true],
    [{ topic: '', is: 'subscribed' }, false],
    [{ topic: 'x' }, false],
    [{ bucket: { seed: 's', of: 100, from: 0, to: 9 } }, true],
    [{ bucket: { seed: 's', of: 100, from: 9, to: 100 } }, false],
    [{ somethingNew: 1 }, true],
    [{}, false],
  ])('%j is finished: %s', (json, finished) => expect(isComplete(json)).toBe(finished));

  it('can begin about every subject, and is known by it', () => {
    for (const subject of subjects) {
      const name = subject === 'contact' ? 'email' : subject === 'organization' ? 'name' : 'userId';
      expect(subjectOf(beginCondition({ subject, name }))).toBe(subject);
    }
  });

  it('takes a journey for the subject only where it narrows no mail', () => {
    expect(subjectOf({ journeyId: 'x', state: 'entered' })).toBe('journeyId');
    expect(subjectOf({ journeyId: 'x', marketing: 'opened' })).toBe('marketing');
  });

  it('begins with the question that fits the values', () => {
    const begin = (types: Parameters<typeof beginCondition>[0]['types']) =>
      beginCondition({ subject: 'property', name: 'p', types: types ?? [] });
    expect(begin(['text'])).toEqual({ property: 'p', is: '' });
    expect(begin(['number'])).toEqual({ property: 'p', gte: undefined });
    expect(begin(['boolean'])).toEqual({ property: 'p', is: true });
    expect(begin(['time'])).toEqual({ property: 'p', withinLast: 'P30D' });
    expect(beginCondition({ subject: 'contact', name: 'createdAt' })).toEqual({
      contact: 'createdAt',
      withinLast: 'P30D',
    });
  });

  it('keeps of a value what the next operator can use', () => {
    expect(carryValue('pro', 'in')).toEqual(['pro']);
    expect(carryValue(['pro', 'team'], 'is')).toBe('pro');
    expect(carryValue('10', 'gte')).toBe(10);
    expect(carryValue(5, 'between')).toEqual([5, undefined]);
    expect(carryValue('P30D', 'is')).toBe('');
    expect(withOperator({ property: 'p', is: 'x' }, operatorsOf({ property: 'p' }), 'isNot')).toEqual({
      property: 'p',
      isNot: 'x',
    });
  });

  it('reads what is typed as the property has its values', () => {
    expect(readTyped('10', ['number'])).toBe(10);
    expect(readTyped('10', ['text'])).toBe('10');
    expect(readTyped('true', ['boolean'])).toBe(true);
    expect(readTyped('ten', ['number'])).toBe('ten');
  });

  it('says how often in one word, and back', () => {
    for (const json of [{ atLeast: 3 }, { atMost: 2 }, { exactly: 4 }, { atLeast: 1, atMost: 5 }, { exactly: 0 }]) {
      const { word, low, high } = countOf(json);
      expect(withCount({ event: 'e', atLeast: 9 }, word, low, high)).toEqual({ event: 'e', ...json });
    }
    expect(countOf({ event: 'e' })).toMatchObject({ word: 'atLeast', low: 1 });
  });

  it('drops what only the old measure or window had', () => {
    const counted = { event: 'e', atLeast: 3, withinLast: 'P7D', where: { all: [] } };
    expect(withMeasure(counted, 'sum')).toEqual({
      event: 'e',
      measure: 'sum',
      gte: undefined,
      of: '',
      withinLast: 'P7D',
      where: { all: [] },
    });
    expect(withMeasure(counted, 'last')).toEqual({
      event: 'e',
      measure: 'last',
      withinLast: 'P30D',
      where: { all: [] },
    });
    expect(withMeasure({ event: 'e', measure: 'last', withinLast: 'P1D' }, 'count')).toEqual({
      event: 'e',
      atLeast: 1,
    });
    expect(withWindow(counted, 'ever')).toEqual({ event: 'e', atLeast: 3, where: { all: [] } });
  });
});

it('puts a fault at the innermost condition that leads to its place', () => {
  const paths = new Map([
    ['root', 'filter'],
    ['first', 'filter.all[1]'],
    ['tenth', 'filter.all[10]'],
  ]);
  const faults = [
    { path: 'filter.all[1].gt', message: 'a number is wanted' },
    { path: 'filter.all[10].where.all[0]', message: 'not known here' },
    { path: 'filter', message: 'too many conditions' },
  ];
  expect(Object.fromEntries(faultsByNode(faults, paths))).toEqual({
    first: ['a number is wanted'],
    tenth: ['“where.all[0]”: not known here'],
    root: ['too many conditions'],
  });
});
