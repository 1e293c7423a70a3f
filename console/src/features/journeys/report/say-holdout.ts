// What a holdout shows, and whether it shows anything yet.
import { t } from '../../../texts/journeys.ts';
import { points } from '../../../texts/numbers.ts';

interface Told {
  difference: number | null;
  interval: readonly number[] | null;
}

/** An interval that includes 0 shows no difference. */
export function verdictOf({ difference, interval }: Told): { text: string; tone: 'good' | 'bad' | 'quiet' } {
  const [low, high] = interval ?? [];
  if (difference === null || low === undefined || high === undefined) return { text: t.noGroups, tone: 'quiet' };
  if (low > 0) return { text: t.moreReach, tone: 'good' };
  if (high < 0) return { text: t.fewerReach, tone: 'bad' };
  return { text: t.untold, tone: 'quiet' };
}

const lifts = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' });

export const sayLift = (lift: number | null): string => (lift === null ? t.noLift : lifts.format(lift));

interface Decided extends Told {
  isSignificant: boolean | null;
  against: string | null;
}

/** The confidence that this arm was the best when it was decided. */
export function sayDecision(winner: string, { isSignificant, against, difference, interval }: Decided): string {
  const [low, high] = interval ?? [];
  if (isSignificant === null || against === null || difference === null || low === undefined || high === undefined)
    return t.wonUnknown(winner);
  const told = { winner, against, by: points(difference), from: points(low), to: points(high) };
  return isSignificant ? t.wonSurely(told) : t.wonUnsurely(told);
}
