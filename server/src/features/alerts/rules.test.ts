import { describe, expect, it } from 'vitest';
import { usualLimits } from '../messages/index.js';
import { judgeEntries, judgeMail, judgeSize } from './rules.js';

/** `grave` opens an alert, `still` keeps one open, `well` closes it. */
const verdict = (troubles: { isGrave: boolean }[]) =>
  troubles[0] === undefined ? 'well' : troubles[0].isGrave ? 'grave' : 'still';

describe('mail', () => {
  const mail = (sent: number, hardBounced: number, complained = 0) =>
    verdict(judgeMail({ tenantId: 1, sent, delivered: sent, hardBounced, complained }, usualLimits));

  it.each([
    ['opens at a bounce rate of 5 %, half of what pauses sending', 1000, 50, 'grave'],
    ['does not open below', 1000, 49, 'still'],
    ['stays open down to 4 %', 1000, 40, 'still'],
    ['closes below 4 %', 1000, 39, 'well'],
    ['opens from 200 messages on', 200, 10, 'grave'],
    ['does not open for fewer', 199, 100, 'still'],
    ['closes for fewer than half of that', 99, 99, 'well'],
    ['is well without any', 0, 0, 'well'],
  ])('that bounces %s', (_what, sent, bounced, expected) => {
    expect(mail(sent, bounced)).toBe(expected);
  });

  it.each([
    ['opens at 0.1 %, a third of what pauses sending', 2000, 2, 'grave'],
    ['does not open below', 2001, 2, 'still'],
    ['does not open for a single one', 200, 1, 'still'],
    ['opens before the third of 1,000 pauses sending', 1000, 2, 'grave'],
    ['closes without any', 1000, 0, 'well'],
  ])('that is complained about %s', (_what, sent, complained, expected) => {
    expect(mail(sent, 0, complained)).toBe(expected);
  });

  it('opens below other limits of a pause, too', () => {
    const figures = { tenantId: 1, sent: 1000, delivered: 1000, hardBounced: 10, complained: 0 };
    expect(verdict(judgeMail(figures, { ...usualLimits, bounceRate: 0.02 }))).toBe('grave');
    expect(verdict(judgeMail(figures, usualLimits))).toBe('well');
  });
});

describe('a journey', () => {
  const journey = (days: number[] | null) => verdict(judgeEntries({ tenantId: 1, journeyId: 'a', journeyNo: 1, days }));

  it.each([
    ['opens if ten or more entered every day before', [10, 10, 10, 10, 10, 10, 10], 'grave'],
    ['opens if they did on five days, as with free weekends', [10, 10, 10, 0, 0, 10, 10], 'grave'],
    ['does not open if they did on four', [10, 10, 9, 0, 0, 10, 10], 'still'],
    ['does not open if this day was quiet a week ago too, as on a Sunday', [10, 10, 10, 10, 10, 0, 0], 'still'],
    ['does not open for a small journey', [9, 9, 9, 9, 9, 9, 9], 'still'],
    ['does not open after one great day', [5000, 0, 0, 0, 0, 0, 0], 'still'],
    ['stays open however long nobody enters', [0, 0, 0, 0, 0, 0, 0], 'still'],
    ['closes once somebody entered', null, 'well'],
  ])('%s', (_what, days, expected) => {
    expect(journey(days)).toBe(expected);
  });
});

describe('a list', () => {
  const list = (before: number, now: number | null) =>
    verdict(judgeSize({ tenantId: 1, listId: 'a', before, now }, 'staticList'));

  it.each([
    ['opens below half', 100, 49, 'grave'],
    ['does not open at half', 100, 50, 'still'],
    ['stays open below three fifths', 1000, 599, 'still'],
    ['closes at three fifths', 1000, 600, 'well'],
    ['does not open if it was small', 99, 0, 'well'],
    ['neither opens nor closes while it is built', 1000, null, 'still'],
  ])('%s', (_what, before, now, expected) => {
    expect(list(before, now)).toBe(expected);
  });
});
