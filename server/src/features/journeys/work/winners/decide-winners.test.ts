import { describe, expect, it } from 'vitest';
import { winnerOf } from './decide-winners.js';

const arms = ['A', 'B'].map((name) => ({ name, percent: 50, next: null }));
const figures = (arm: string, messages: number, clicks: number, enrolments = 0, goals = 0) => ({
  ...{ arm, messages, clicks, enrolments, goals },
});

describe('the winner of a split', () => {
  it('is the arm with the best rate of clicks, not with the most', () => {
    const found = [figures('A', 1000, 50), figures('B', 100, 10)];
    expect(winnerOf({ arms }, { by: 'clicked', minimum: 100 }, found)).toBe('B');
  });

  it('is not known before every arm has sent enough', () => {
    const found = [figures('A', 1000, 50), figures('B', 99, 99)];
    expect(winnerOf({ arms }, { by: 'clicked', minimum: 100 }, found)).toBeUndefined();
    expect(winnerOf({ arms }, { by: 'clicked', minimum: 1 }, [figures('A', 5, 1)])).toBeUndefined();
  });

  it('by goals is the arm in which the largest share reached it', () => {
    const found = [figures('A', 10, 9, 10, 1), figures('B', 10, 0, 10, 2)];
    expect(winnerOf({ arms }, { by: 'goal', minimum: 10 }, found)).toBe('B');
  });

  it('of two that did as well is the first', () => {
    expect(winnerOf({ arms }, { by: 'clicked', minimum: 1 }, [figures('B', 4, 2), figures('A', 2, 1)])).toBe('A');
  });
});
