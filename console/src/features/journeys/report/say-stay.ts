// How long contacts stayed at a step, in words.
import { t } from '../../../texts/journeys.ts';

const units: [number, Intl.NumberFormat][] = (
  [
    [86_400, 'day'],
    [3600, 'hour'],
    [60, 'minute'],
    [1, 'second'],
  ] as const
).map(([seconds, unit]) => [
  seconds,
  new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 1 }),
]);

/** `2 days`, `1.5 hours`; less than a second is at once. */
export function sayStay(seconds: number): string {
  const found = units.find(([length]) => seconds >= length);
  return found ? found[1].format(seconds / found[0]) : t.atOnce;
}
