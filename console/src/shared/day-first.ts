/** Dates with the day first, such as `17 Sep 2026`: every short month has three letters, where `en-GB` writes `Sept`. */
export function dayFirst(options: Intl.DateTimeFormatOptions): {
  format: (at: string | number) => string;
  formatRange: (from: string, to: string) => string;
} {
  const dates = new Intl.DateTimeFormat('en-GB', options);
  const short = (text: string) => text.replace(/\bSept\b/g, 'Sep');
  return {
    format: (at) => short(dates.format(new Date(at))),
    formatRange: (from, to) => short(dates.formatRange(new Date(from), new Date(to))),
  };
}
