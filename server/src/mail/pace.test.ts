import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nextAttemptAt } from './next-attempt.js';
import { Pace, type PaceOutcome } from './pace.js';

const [minute, hour] = [60_000, 3_600_000];

describe('the pace of a transport', () => {
  it('holds in any second, however it is asked', () => {
    const property = fc.property(
      fc.integer({ min: 1, max: 2000 }),
      fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 50, maxLength: 400 }),
      (rate, steps) => {
        const pace = new Pace({ rate, perDomain: 10 });
        const left: number[] = [];
        let now = 1_000_000;
        for (const step of steps) {
          now += step;
          while (pace.waitMs(now) === 0) {
            pace.take(now);
            left.push(now);
          }
        }
        left.forEach((from, i) => {
          const inSecond = left.slice(i).filter((at) => at < from + 1000).length;
          expect(inSecond).toBeLessThanOrEqual(Math.ceil(rate * 1.05) + 1);
        });
      },
    );
    fc.assert(property, { numRuns: 30 });
  });

  it('is reached by waiting as long as it says', () => {
    for (const rate of [1, 7, 300, 5000]) {
      const pace = new Pace({ rate, perDomain: 10 });
      let now = 0;
      for (let i = 0; i < 10 * rate; i++) {
        // A timer is late.
        if (pace.waitMs(now) > 0) now += Math.ceil(pace.waitMs(now)) + 2;
        pace.take(now);
      }
      expect(now).toBeLessThanOrEqual(10_000 + 100);
      expect(now).toBeGreaterThanOrEqual(10_000 - 1000 / rate - 100);
    }
  });

  it('is unlimited without a rate', () => {
    const pace = new Pace({ rate: null, perDomain: 10 });
    for (let i = 0; i < 1000; i++) pace.take(5);
    expect(pace.waitMs(5)).toBe(0);
  });
});

/** Sends to a domain as fast as allowed, for a time; the domain answers as `judge` says. Returns when each left. */
function sendFor(pace: Pace, from: number, until: number, judge: (onTheWay: number, now: number) => PaceOutcome) {
  const ends: number[] = [];
  const starts: number[] = [];
  let most = 0;
  for (let now = from; now < until; now += 50) {
    while (ends[0] !== undefined && ends[0] <= now) {
      const outcome = judge(ends.length, now);
      ends.shift();
      pace.end('example.org', outcome, now);
    }
    while (pace.mayStart('example.org', now)) {
      pace.start('example.org', now);
      starts.push(now);
      ends.push(now + 100);
      most = Math.max(most, ends.length);
    }
  }
  for (const _ of ends) pace.end('example.org', 'other', until);
  return { starts, most };
}

describe('the pace of a domain', () => {
  it('limits messages at once, and other domains do not count', () => {
    const pace = new Pace({ rate: null, perDomain: 3 });
    for (let i = 0; i < 3; i++) pace.start('a.example', 0);
    expect([pace.mayStart('a.example', 0), pace.mayStart('b.example', 0)]).toEqual([false, true]);
    expect([pace.nextAt('a.example', 0) > 0, pace.nextAt('b.example', 0)]).toEqual([true, 0]);
    pace.end('a.example', 'sent', 1);
    expect(pace.mayStart('a.example', 1)).toBe(true);
  });

  it('is halved once for all messages that were in flight when it complained', () => {
    const pace = new Pace({ rate: null, perDomain: 8 });
    for (let i = 0; i < 8; i++) pace.start('a.example', 0);
    for (let i = 0; i < 8; i++) pace.end('a.example', 'throttled', 10);
    expect([pace.mayStart('a.example', 10), pace.nextAt('a.example', 10)]).toEqual([false, 1010]);
    let started = 0;
    for (; pace.mayStart('a.example', 1010); started++) pace.start('a.example', 1010);
    expect(started).toBe(4);
  });

  it('falls to one message with ever longer pauses if nothing is accepted, and recovers when everything is', () => {
    const pace = new Pace({ rate: null, perDomain: 10 });
    const refused = sendFor(pace, 0, 2 * hour, () => 'throttled').starts;
    const gaps = refused.slice(1).map((at, i) => at - (refused[i] as number));
    expect(refused.length).toBeLessThan(50);
    expect(Math.max(...gaps)).toBeGreaterThan(5 * minute);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(11 * minute);
    const fine = sendFor(pace, 2 * hour, 4 * hour, () => 'sent');
    expect(fine.most).toBe(10);
    expect(pace.size).toBe(0);
  });

  it('settles near what a domain takes', () => {
    const pace = new Pace({ rate: null, perDomain: 20 });
    const complaints: number[] = [];
    const { starts } = sendFor(pace, 0, hour, (onTheWay, now) => {
      if (onTheWay <= 5) return 'sent';
      complaints.push(now);
      return 'throttled';
    });
    expect(complaints.length / starts.length).toBeLessThan(0.2);
    // Five at once, each for 100 ms, are 50 a second at best.
    expect(starts.length).toBeGreaterThan(3600 * 10);
  });

  it('never has more in flight than it says, and always lets some through again', () => {
    const step = fc.record({
      wait: fc.integer({ min: 0, max: 5000 }),
      outcome: fc.constantFrom<PaceOutcome>('sent', 'throttled', 'other'),
      starts: fc.boolean(),
    });
    const property = fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.array(step, { maxLength: 200 }),
      (perDomain, steps) => {
        const pace = new Pace({ rate: null, perDomain });
        let [now, onTheWay] = [0, 0];
        for (const { wait, outcome, starts } of steps) {
          now += wait;
          expect(pace.mayStart('a', now)).toBe(pace.nextAt('a', now) <= now);
          if (starts && pace.mayStart('a', now)) {
            pace.start('a', now);
            onTheWay++;
          } else if (onTheWay > 0) {
            pace.end('a', outcome, now);
            onTheWay--;
          }
          expect(onTheWay).toBeLessThanOrEqual(perDomain);
        }
        for (; onTheWay > 0; onTheWay--) pace.end('a', 'other', now);
        expect(pace.mayStart('a', pace.nextAt('a', now))).toBe(true);
        expect(pace.nextAt('a', now) - now).toBeLessThanOrEqual(10 * minute);
      },
    );
    fc.assert(property, { numRuns: 300 });
  });

  it('is forgotten after an hour, and the memory of it is bounded', () => {
    const pace = new Pace({ rate: null, perDomain: 1 });
    for (let i = 0; i < 20_000; i++) {
      pace.start(`d${i}.example`, i);
      pace.end(`d${i}.example`, 'throttled', i);
    }
    expect(pace.size).toBeLessThanOrEqual(10_000);
    expect(pace.mayStart('d19999.example', 20_000)).toBe(false);
    expect(pace.mayStart('d0.example', 20_000)).toBe(true);
    expect(pace.nextAt('d19999.example', 20_000 + hour)).toBe(20_000 + hour);
  });
});

describe('the next attempt', () => {
  const settings = { longestHours: 24 };

  it('comes after a minute to four hours, later each time, until a day is over', () => {
    const property = fc.property(
      fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1 }),
      (draws) => {
        let [now, attempts, drawn] = [0, 1, 0];
        const random = () => draws[drawn++ % draws.length] as number;
        for (let next = nextAttemptAt(attempts, 0, now, random, settings); next !== null; attempts++) {
          const wait = next - now;
          const isLast = next === 24 * hour;
          if (!isLast) expect(wait).toBeGreaterThanOrEqual(minute * Math.min(2 ** (attempts - 1), 192));
          expect(wait).toBeGreaterThanOrEqual(minute);
          expect(wait).toBeLessThanOrEqual(4 * hour);
          now = next;
          next = nextAttemptAt(attempts + 1, 0, now, random, settings);
        }
        expect(now).toBeGreaterThan(24 * hour - minute);
        expect(now).toBeLessThanOrEqual(24 * hour);
        expect(attempts).toBeLessThan(20);
      },
    );
    fc.assert(property);
  });

  it('is spread, so that what failed together does not come back together', () => {
    const at = (draw: number) => nextAttemptAt(3, 0, 0, () => draw, settings);
    expect([at(0), at(0.5), at(1)]).toEqual([4 * minute, 4.5 * minute, 5 * minute]);
  });

  it('never comes once the hours are over', () => {
    expect(nextAttemptAt(5, 0, 24 * hour, () => 0, settings)).toBeNull();
    expect(nextAttemptAt(1, 0, 0, () => 0, { longestHours: 0 })).toBeNull();
  });
});
