import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Attempted } from '../call/caller.js';
import { judge } from './judge.js';

const hour = 3_600_000;
const now = Date.parse('2026-11-15T09:30:00Z');
const fresh = { attempts: 0, firstTriedAt: now };
const answered = (status: number, retryAfter?: string): Attempted => ({ kind: 'answered', status, retryAfter });
const of = (attempted: Attempted, tried = fresh) => judge(attempted, tried, now, () => 0);

describe('what an attempt means', () => {
  it.each([200, 201, 204, 299])('%i delivers', (status) => expect(of(answered(status)).what).toBe('delivered'));

  it.each([100, 302, 400, 401, 404, 408, 429, 500, 503])('%i is tried again', (status) =>
    expect(of(answered(status))).toMatchObject({ what: 'later', status, dueAt: now + 5000, asked: false }),
  );

  it('gives up at once when the receiver is gone, or must not be called', () => {
    expect(of(answered(410))).toMatchObject({ what: 'failed', status: 410 });
    expect(of({ kind: 'refused', why: 'inside' })).toEqual({ what: 'failed', status: null, error: 'inside' });
  });

  it('waits as long as the receiver asks for, but never less than usual, nor longer than a day', () => {
    const due = (attempted: Attempted) => {
      const verdict = of(attempted);
      return verdict.what === 'later' ? verdict.dueAt - now : undefined;
    };
    expect(due(answered(429, '120'))).toBe(120_000);
    expect(due(answered(503, 'Sun, 15 Nov 2026 10:30:00 GMT'))).toBe(hour);
    expect(due(answered(503, '1'))).toBe(5000);
    expect(due(answered(503, '9999999999999'))).toBe(24 * hour);
    expect(due(answered(503, 'soon'))).toBe(5000);
    expect(due(answered(500, '120'))).toBe(5000);
  });

  it('waits from five seconds to an hour, tries a last time after 24 hours, and then gives up with the reason', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (chance) => {
        let at = now;
        for (let attempts = 0; ; attempts++) {
          const verdict = judge(answered(500), { attempts, firstTriedAt: now }, at, () => chance);
          if (verdict.what !== 'later') {
            // One in the last five seconds is the last: there is no room for another wait.
            expect(at).toBeGreaterThan(now + 24 * hour - 5000);
            expect(at).toBeLessThanOrEqual(now + 24 * hour);
            expect(verdict).toEqual({
              what: 'failed',
              status: 500,
              error: `Given up after ${attempts + 1} attempts in 24 hours. The last: It answered 500.`,
            });
            return;
          }
          const wait = verdict.dueAt - at;
          expect(wait).toBeLessThanOrEqual(hour);
          if (verdict.dueAt < now + 24 * hour)
            expect(wait).toBeGreaterThanOrEqual(Math.min(hour / 1.25, 5000 * 2 ** attempts));
          at = verdict.dueAt;
        }
      }),
    );
  });
});
