// What a holdout says, and whether it says anything yet.
import { t } from '../../../texts/journeys.ts';

interface Told {
  difference: number | null;
  interval: readonly number[] | null;
}

/** An interval that has 0 in it tells nothing apart. */
export function verdictOf({ difference, interval }: Told): { text: string; tone: 'good' | 'bad' | 'quiet' } {
  const [low, high] = interval ?? [];
  if (difference === null || low === undefined || high === undefined) return { text: t.noGroups, tone: 'quiet' };
  if (low > 0) return { text: t.moreReach, tone: 'good' };
  if (high < 0) return { text: t.fewerReach, tone: 'bad' };
  return { text: t.untold, tone: 'quiet' };
}

const points = new Intl.NumberFormat('en', { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
const lifts = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' });

/** `+19 points` of a difference between shares. */
export const sayPoints = (difference: number): string => t.points(points.format(difference * 100));
export const sayLift = (lift: number | null): string => (lift === null ? t.noLift : lifts.format(lift));

interface Decided extends Told {
  isSignificant: boolean | null;
  against: string | null;
}

/** How sure it was that this arm is the best, when everybody was sent there. */
export function sayDecision(winner: string, { isSignificant, against, difference, interval }: Decided): string {
  const [low, high] = interval ?? [];
  if (isSignificant === null || against === null || difference === null || low === undefined || high === undefined)
    return t.wonUnknown(winner);
  const told = { winner, against, by: sayPoints(difference), from: sayPoints(low), to: sayPoints(high) };
  return isSignificant ? t.wonSurely(told) : t.wonUnsurely(told);
}
