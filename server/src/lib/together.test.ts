import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { together } from './together.js';

it('answers what all of them came to, in their order', async () => {
  const slow = sleep(20, 'slow');
  expect(await together([slow, 1, Promise.resolve('fast')])).toEqual(['slow', 1, 'fast']);
  expect(await together([])).toEqual([]);
});

it('throws the error that came first, once the last of them has ended', async () => {
  const ended: string[] = [];
  const fails = async (name: string, ms: number) => {
    await sleep(ms);
    ended.push(name);
    throw new Error(name);
  };
  const works = sleep(60).then(() => ended.push('worked'));
  await expect(together([fails('late', 40), fails('early', 5), works])).rejects.toThrow('early');
  expect(ended).toEqual(['early', 'late', 'worked']);
});
