import { describe, expect, it } from 'vitest';
import { nextLook, winnerOf } from './decide-winners.js';

const hour = 3_600_000;
const named = (...names: string[]) => ({ arms: names.map((name) => ({ name, percent: 50, next: null })) });
const figures = (arm: string, messages: number, clicks: number, enrolments = 0, goals = 0) => ({
  ...{ arm, messages, clicks, enrolments, goals },
});
const winner = (by: 'clicked' | 'goal', minimum: number) => ({ by, minimum, after: { text: 'PT1H', ms: hour } });

/** Of arms A and B, with so many messages and clicks each, after so many hours. */
const between = (a: [number, number], b: [number, number], hours: number, minimum = 100) =>
  winnerOf(named('A', 'B'), winner('clicked', minimum), [figures('A', ...a), figures('B', ...b)], hours * hour);

describe('the winner of a split', () => {
  it('is the arm with the best rate of clicks, not with the most, as soon as it is surely better', () => {
    const found = between([10_000, 500], [1000, 100], 1);
    expect(found).toMatchObject({ arm: 'B', isSignificant: true, against: 'A' });
    expect(found?.difference).toBeCloseTo(0.05, 12);
    expect(found?.interval?.[0]).toBeGreaterThan(0);
  });

  // Newcombe 1998, table II: 9 of 10 against 3 of 10 is told apart, 5 of 56 against 0 of 29 is not.
  it.each([
    [[10, 9], [10, 3], 'A'],
    [[7, 6], [7, 2], 'A'],
    [[29, 0], [56, 5], undefined],
    [[1000, 50], [1000, 51], undefined],
    [[1000, 0], [1000, 0], undefined],
  ] as const)('of %j and %j is %s while there is time', (a, b, arm) => {
    expect(between([...a], [...b], 2.9, 1)?.arm).toBe(arm);
  });

  it('is the better one at three times the time in any case, and it is noted that this is not significant', () => {
    const found = between([1000, 50], [1000, 51], 3);
    expect(found).toMatchObject({ arm: 'B', isSignificant: false, against: 'A' });
    expect(found?.interval?.[0]).toBeLessThan(0);
  });

  it('is not known before every arm has sent enough, however late it is', () => {
    expect(between([1000, 50], [99, 99], 1000)).toBeUndefined();
    expect(winnerOf(named('A', 'B'), winner('clicked', 1), [figures('A', 5, 1)], 1000 * hour)).toBeUndefined();
  });

  it('must be better than every other arm, and is told against the one that comes closest', () => {
    const three = [figures('A', 1000, 200), figures('B', 1000, 190), figures('C', 1000, 10)];
    const found = (hours: number) => winnerOf(named('A', 'B', 'C'), winner('clicked', 1), three, hours * hour);
    expect(found(2)).toBeUndefined();
    expect(found(3)).toMatchObject({ arm: 'A', isSignificant: false, against: 'B' });
  });

  it('by goals is the arm in which the largest share reached it', () => {
    const found = [figures('A', 10, 9, 1000, 100), figures('B', 10, 0, 1000, 200)];
    expect(winnerOf(named('A', 'B'), winner('goal', 10), found, hour)).toMatchObject({ arm: 'B', isSignificant: true });
  });

  it('of two that did as well is the first', () => {
    const found = [figures('B', 4, 2), figures('A', 2, 1)];
    expect(winnerOf(named('A', 'B'), winner('clicked', 1), found, 3 * hour)).toMatchObject({
      ...{ arm: 'A', isSignificant: false, difference: 0 },
    });
  });

  it('of a single arm is that one, without a rival', () => {
    const found = winnerOf(named('A'), winner('clicked', 1), [figures('A', 1, 0)], hour);
    expect(found).toEqual({ arm: 'A', isSignificant: true, against: null, difference: null, interval: null });
  });
});

describe('the next look for a winner', () => {
  const rest = (ageHours: number, tookMs = 0) => nextLook(ageHours * hour, hour, tookMs) - ageHours * hour;

  it('is rarer the longer it was in vain, and within a minute', () => {
    expect([rest(1), rest(1.1), rest(2), rest(100)]).toEqual([5000, 36_000, 50_000, 50_000]);
  });

  it('is not later than the moment at which it is decided in any case', () => {
    expect(rest(3 - 10 / 3600)).toBeCloseTo(10_000, 3);
  });

  it('leaves the database alone for twenty times as long as it took', () => {
    expect(rest(100, 12_000)).toBe(240_000);
  });
});
