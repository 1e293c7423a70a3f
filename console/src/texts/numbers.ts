// How the console writes numbers.
const wholes = new Intl.NumberFormat('en');
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const percents = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

/** `12,304` */
export const whole = (value: number): string => wholes.format(value);
/** `12.3K`, where there is little room. */
export const compact = (value: number): string => short.format(value);
/** `12.3%` of a share between 0 and 1. */
export const percent = (share: number): string => percents.format(share);
const differences = new Intl.NumberFormat('en', { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
/** `+19 points` for a difference between shares. */
export const points = (difference: number): string => {
  const said = differences.format(difference * 100);
  return `${said.replace('-', '−')} ${Math.abs(Number(said)) === 1 ? 'point' : 'points'}`;
};
/** `day` or `days`, after a number in a field of its own. */
export const unitsAfter = (value: number) => {
  const end = value === 1 ? '' : 's';
  return {
    seconds: `second${end}`,
    minutes: `minute${end}`,
    hours: `hour${end}`,
    days: `day${end}`,
    weeks: `week${end}`,
  };
};
/** `1 contact`, `2 contacts` */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${whole(value)} ${value === 1 ? one : many}`;
