import { expect, it } from 'vitest';
import { retryDelayMs } from './retry-after.ts';

it('waits as long as the service asks for, at least a second', () => {
  expect(retryDelayMs('3', 1)).toBe(3000);
  expect(retryDelayMs('0', 1)).toBe(1000);
  expect(retryDelayMs(null, 1)).toBe(1000);
  expect(retryDelayMs('soon', 1)).toBe(1000);
});

it('gives up after a few times, or when the wait would be long', () => {
  expect(retryDelayMs('1', 5)).toBeUndefined();
  expect(retryDelayMs('3600', 1)).toBeUndefined();
});
