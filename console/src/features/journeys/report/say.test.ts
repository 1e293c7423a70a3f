import { expect, it } from 'vitest';
import { points } from '../../../texts/numbers.ts';
import { sayDecision, sayLift, verdictOf } from './say-holdout.ts';
import { sayStay } from './say-stay.ts';

it('says how long people stayed', () => {
  expect([0, 0.4, 1, 90, 5400, 172_800].map(sayStay)).toEqual([
    ...['under a second', 'under a second', '1 second', '1.5 minutes', '1.5 hours', '2 days'],
  ]);
});

it('says that groups differ only where the interval leaves no doubt', () => {
  expect(verdictOf({ difference: 0.2, interval: [0.1, 0.3] }).tone).toBe('good');
  expect(verdictOf({ difference: -0.2, interval: [-0.3, -0.1] }).tone).toBe('bad');
  expect(verdictOf({ difference: 0.2, interval: [-0.01, 0.3] }).tone).toBe('quiet');
  expect(verdictOf({ difference: null, interval: null }).tone).toBe('quiet');
});

it('writes differences in points and lifts in percent', () => {
  expect(points(0.19)).toBe('+19 points');
  expect(points(-0.01)).toBe('−1 point');
  expect(points(-0.0194)).toBe('−1.9 points');
  expect(sayLift(1.9)).toBe('+190%');
  expect(sayLift(null)).toBe('not yet known');
});

it('says how sure the winner of a split was when it was chosen', () => {
  const told = { against: 'A', difference: 0.05, interval: [0.012, 0.09] };
  expect(sayDecision('B', { ...told, isSignificant: true })).toBe(
    '“B” won: +5 points against “A” when it was chosen (95% confidence: +1.2 points to +9 points).',
  );
  expect(sayDecision('B', { ...told, interval: [-0.012, 0.09], isSignificant: false })).toMatch(
    /the difference is not significant: \+5 points against “A” \(95% confidence: −1\.2 points to \+9 points\)/,
  );
  expect(sayDecision('B', { ...told, isSignificant: null })).toContain('not recorded');
});
