import { dayFirst } from '../day-first.ts';

const names = dayFirst({ day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Such as `15 Nov`: the name of a day of UTC in a chart. */
export const dayName = (time: string): string => (time ? names.format(time) : '');
