const names = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Such as `15 Nov`: the name of a day of UTC in a chart. */
export const dayName = (time: string): string => (time ? names.format(new Date(time)) : '');
