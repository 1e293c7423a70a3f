import { expect, it } from 'vitest';
import { isPropertyKey } from './property-key.js';

it.each(['plan', '_x', 'a1_b', `a${'b'.repeat(63)}`])('%s can be the key of a property', (key) => {
  expect(isPropertyKey(key)).toBe(true);
});

it.each(['', 'Plan', '1a', 'a b', 'a-b', `a${'b'.repeat(64)}`, '__proto__'])('%j cannot', (key) => {
  expect(isPropertyKey(key)).toBe(false);
});
