import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Click, isMachineOpen, judgeClicks } from './judge.js';

const sentAt = '2026-11-15T09:30:00.000Z';
const after = (ms: number) => new Date(Date.parse(sentAt) + ms).toISOString();
const click = (ms: number, linkNo: number, isScanner = false): Click => ({ at: after(ms), linkNo, isScanner });

describe('an open is by a machine', () => {
  it.each([
    [-60_001, false],
    [-60_000, true],
    [-200, true],
    [0, true],
    [3000, true],
    [3001, false],
    [86_400_000, false],
  ])('%i ms after sending: %s', (ms, expected) =>
    expect(isMachineOpen({ at: after(ms), isProxy: false }, sentAt)).toBe(expected),
  );

  it('by its agent at any time, even while the time of sending is unknown', () => {
    for (const known of [sentAt, null]) {
      expect(isMachineOpen({ at: after(60_000), isProxy: true }, known)).toBe(true);
      expect(isMachineOpen({ at: after(60_000), isProxy: false }, known)).toBe(false);
    }
  });
});

describe('a click is by a machine', () => {
  const judged = (clicks: Click[], links: number) =>
    judgeClicks(clicks, links, sentAt)
      .map((isMachine) => (isMachine ? 'm' : 'p'))
      .join('');

  it.each<[string, Click[], number, string]>([
    ['within 3 s of sending, to the millisecond', [click(3000, 0), click(3001, 0)], 3, 'mp'],
    ['by a scanner', [click(60_000, 0, true), click(60_000, 1)], 3, 'mp'],
    ['in a run over every link, to the millisecond', [click(60_000, 0), click(70_000, 1)], 2, 'mm'],
    ['not in one that took longer', [click(60_000, 0), click(70_001, 1)], 2, 'pp'],
    ['not for the only link', [click(60_000, 0), click(60_001, 0)], 1, 'pp'],
    ['not for a message without counted links', [click(60_000, 0)], 0, 'p'],
    ['not while a link is missing', [click(60_000, 0), click(60_001, 1), click(60_002, 0)], 3, 'ppp'],
    ['after the fact, when the last link follows', [click(60_000, 0), click(60_001, 1), click(60_900, 2)], 3, 'mmm'],
    [
      'also when it repeats a link in its run',
      [click(60_000, 0), click(60_001, 0), click(60_002, 1), click(60_003, 1)],
      2,
      'mmmm',
    ],
    [
      'but outside of the run it is a person',
      [click(30_000, 0), click(60_000, 0), click(60_001, 1), click(90_000, 1)],
      2,
      'pmmp',
    ],
    [
      'when clicks that are suspect anyway complete the run',
      [click(2000, 0), click(9000, 1), click(11_000, 2, true)],
      3,
      'mmm',
    ],
    [
      'in each of two runs that overlap',
      [click(60_000, 0), click(68_000, 1), click(76_000, 0), click(90_000, 1)],
      2,
      'mmmp',
    ],
    [
      'in a run, on a link that only Outlook shows',
      [click(60_000, 0), click(60_001, 5), click(60_002, 1), click(99_000, 5)],
      2,
      'mmmp',
    ],
  ])('%s', (_what, clicks, links, expected) => expect(judged(clicks, links)).toBe(expected));

  const someClicks = fc.array(
    fc.record({ ms: fc.integer({ min: 0, max: 60_000 }), linkNo: fc.nat({ max: 4 }), isScanner: fc.boolean() }),
    { maxLength: 25 },
  );

  /** The rule as it is written: some run contains this click, follows every link, and takes 10 s at most. */
  function isInSomeRun(clicks: readonly Click[], one: Click, links: number): boolean {
    return clicks.some((first) => {
      const span = (each: Click) => Date.parse(each.at) - Date.parse(first.at);
      const run = clicks.filter((each) => span(each) >= 0 && span(each) <= 10_000);
      const followed = new Set(run.map(({ linkNo }) => linkNo));
      return (
        run.includes(one) &&
        Array.from({ length: links }, (_, linkNo) => linkNo).every((linkNo) => followed.has(linkNo))
      );
    });
  }

  it('exactly as the rule says', () => {
    fc.assert(
      fc.property(someClicks, fc.integer({ min: 0, max: 5 }), (some, links) => {
        const clicks = some.map(({ ms, linkNo, isScanner }) => click(ms, linkNo, isScanner));
        const expected = clicks.map(
          (one) =>
            one.isScanner ||
            Date.parse(one.at) <= Date.parse(after(3000)) ||
            (links >= 2 && isInSomeRun(clicks, one, links)),
        );
        expect(judgeClicks(clicks, links, sentAt)).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });

  it('in whatever order they arrive', () => {
    const shuffled = someClicks.chain((some) => {
      const clicks = some.map(({ ms, linkNo, isScanner }) => click(ms, linkNo, isScanner));
      return fc.tuple(fc.constant(clicks), fc.shuffledSubarray(clicks, { minLength: clicks.length }));
    });
    fc.assert(
      fc.property(shuffled, fc.integer({ min: 1, max: 4 }), ([clicks, others], links) => {
        const verdicts = new Map(clicks.map((one, i) => [one, judgeClicks(clicks, links, sentAt)[i]]));
        const again = judgeClicks(others, links, sentAt);
        for (const [i, one] of others.entries()) expect(again[i]).toBe(verdicts.get(one));
      }),
    );
  });

  it('for good: more clicks never make a person of it', () => {
    fc.assert(
      fc.property(someClicks, someClicks, fc.integer({ min: 2, max: 4 }), (some, more, links) => {
        const [clicks, later] = [some, more].map((each) => each.map(({ ms, linkNo }) => click(ms, linkNo)));
        const before = judgeClicks(clicks ?? [], links, sentAt);
        const now = judgeClicks([...(clicks ?? []), ...(later ?? [])], links, sentAt);
        for (const [i, isMachine] of before.entries()) if (isMachine) expect(now[i]).toBe(true);
      }),
    );
  });
});
