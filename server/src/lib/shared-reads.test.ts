import { describe, expect, it } from 'vitest';
import { SharedReads } from './shared-reads.js';

function makeReads() {
  let now = 0;
  const reads = new SharedReads<number>({ now: () => new Date(now), elapsed: () => now });
  let made = 0;
  const finish: (() => void)[] = [];
  const ask = (key = 'a') =>
    reads.get(key, () => {
      const n = ++made;
      return new Promise<number>((resolve) => finish.push(() => resolve(n)));
    });
  /** Time passes, and the oldest unfinished read ends. */
  const end = async (took: number) => {
    now += took;
    finish.shift()?.();
    await new Promise(setImmediate);
  };
  return { ask, end, wait: (ms: number) => (now += ms) };
}

describe('a read that pages ask for again and again', () => {
  it('is made for everyone who asks while it is quick', async () => {
    const { ask, end } = makeReads();
    const first = ask();
    const second = ask();
    await end(50);
    await end(50);
    expect([await first, await second]).toEqual([1, 2]);
    const third = ask();
    await end(1);
    expect(await third).toBe(3);
  });

  it('is shared when it is slow: while it lasts, and ten times as long afterwards', async () => {
    const { ask, end, wait } = makeReads();
    const first = ask();
    wait(500);
    const meanwhile = ask();
    await end(500);
    wait(9_999);
    expect([await first, await meanwhile, await ask()]).toEqual([1, 1, 1]);
    wait(1);
    const next = ask();
    await end(10);
    expect(await next).toBe(2);
  });

  it('is its own for every key, and not kept when it fails', async () => {
    const { ask, end, wait } = makeReads();
    const [first, other] = [ask(), ask('b')];
    await end(500);
    await end(0);
    expect([await first, await other]).toEqual([1, 2]);
    const reads = new SharedReads<number>();
    await expect(reads.get('x', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await reads.get('x', async () => 7)).toBe(7);
    wait(1);
    expect(await ask('b')).toBe(2);
  });
});
