import { expect, it } from 'vitest';
import { hasGrown } from './planned.js';

it.each([
  // By more than 10 %…
  ...([
    [100, 110, false],
    [100, 111, true],
    [10, 11, false],
    [10, 12, true],
    [9, 10, true],
    [0, 1, true],
    [0, 0, false],
  ] as const),
  // …or by more than 10 people, whichever comes first.
  ...([
    [200, 210, false],
    [200, 211, true],
    [5000, 5011, true],
    [5000, 4000, false],
  ] as const),
])('a plan for %i people is another one for %i: %s', (seen, reach, isAnother) => {
  expect(hasGrown(reach, seen)).toBe(isAnother);
});
