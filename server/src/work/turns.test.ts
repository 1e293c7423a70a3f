import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Turns } from './turns.js';

/** Serves one tenant after the other at these times; returns the order. */
function serveAll(turns: Turns, waiting: number[], count: number): (number | undefined)[] {
  return Array.from({ length: count }, (_, i) => {
    turns.see(waiting, i);
    const next = turns.next(waiting, i);
    if (next !== undefined) turns.served(next);
    return next;
  });
}

describe('fair turns', () => {
  it('go to the tenant that was served longest ago', () => {
    expect(serveAll(new Turns(), [7, 3, 5], 7)).toEqual([7, 3, 5, 7, 3, 5, 7]);
  });

  it('put a new tenant in front of those with a backlog', () => {
    const turns = new Turns();
    serveAll(turns, [1, 2], 10);
    turns.see([1, 2, 9], 20);
    expect(turns.next([1, 2, 9], 20)).toBe(9);
  });

  it('never give a tenant two turns at once', () => {
    const turns = new Turns();
    expect(turns.next([1], 0)).toBe(1);
    expect(turns.next([1], 1)).toBeUndefined();
    turns.served(1);
    expect(turns.next([1], 2)).toBe(1);
  });

  it('differ by at most one, whichever tenants wait', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 1, max: 50 }), { minLength: 1 }), fc.nat(200), (waiting, count) => {
        const served = serveAll(new Turns(), waiting, count);
        const counts = waiting.map((id) => served.filter((one) => one === id).length);
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('a tenant whose turn failed', () => {
  it('rests, longer each time and no longer than five seconds, while the others go on', () => {
    const turns = new Turns();
    const rests: number[] = [];
    for (let now = 0; rests.length < 9; now += 1) {
      const next = turns.next([1, 2], now);
      if (next === 1) rests.push(turns.failed(1, now));
      else if (next === 2) turns.served(2);
    }
    expect(rests).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000]);
  });

  it('rests even if its work was gone for a moment, and reports for how long', () => {
    const turns = new Turns();
    turns.next([1], 0);
    turns.failed(1, 0);
    turns.see([], 50);
    expect(turns.next([1], 60)).toBeUndefined();
    expect(turns.soonest(60)).toBe(40);
    expect(turns.next([1], 100)).toBe(1);
  });

  it('starts over after a successful turn', () => {
    const turns = new Turns();
    turns.next([1], 0);
    turns.failed(1, 0);
    turns.next([1], 200);
    turns.served(1);
    turns.next([1], 201);
    expect(turns.failed(1, 201)).toBe(100);
  });
});

describe('the express hand', () => {
  it('takes no tenant with a backlog, and one without at once', () => {
    const turns = new Turns();
    serveAll(turns, [1, 2], 8);
    turns.see([1, 2, 3], 9);
    expect(turns.next([1, 2, 3], 9, true)).toBe(3);
    expect(turns.next([1, 2, 3], 9, true)).toBeUndefined();
    expect(turns.next([1, 2, 3], 9)).toBe(1);
  });

  it('counts a backlog as gone once the tenant had nothing left', () => {
    const turns = new Turns();
    serveAll(turns, [1], 8);
    turns.see([], 9);
    expect(turns.size).toBe(0);
    expect(turns.next([1], 10, true)).toBe(1);
  });
});
