// A moment in a field of the browser's for date and time: local time, to the minute. Pure.

/** Empty for none. */
export function localText(at: string): string {
  const moment = new Date(at);
  if (at === '' || Number.isNaN(moment.getTime())) return '';
  return new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function instantText(local: string): string {
  const moment = new Date(local);
  return Number.isNaN(moment.getTime()) ? '' : moment.toISOString();
}
