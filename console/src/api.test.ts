import { expect, it } from 'vitest';
import { allOf } from './api.ts';

async function* numbers(count: number) {
  for (let i = 0; i < count; i++) yield i;
}

it('gathers all rows, but no more than a person looks through', async () => {
  expect(await allOf(numbers(3))).toEqual([0, 1, 2]);
  expect(await allOf(numbers(1_000_000))).toHaveLength(2000);
});
