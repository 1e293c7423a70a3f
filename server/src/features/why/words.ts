// How answers are worded: times as people write them, and other texts as part of a sentence. Pure.
import { daySayer } from '../../lib/say-day.js';

export interface Words {
  /** "15 November 2026", in the tenant's time zone. */
  day(at: string): string;
  /** The same, without the year where it is this one: "15 November". */
  date(at: string): string;
  /** Rewrites every time in a text as people write it: "15 November 2026 at 09:30". */
  plain(text: string): string;
}

const instant = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g;

export function wordsIn(timeZone: string, now: Date): Words {
  const days = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone });
  const times = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone });
  const day = (at: string) => days.format(Date.parse(at));
  return {
    day,
    date: daySayer(timeZone, now),
    plain: (text) => text.replace(instant, (at) => `${day(at)} at ${times.format(Date.parse(at))}`),
  };
}

/** A sentence after a colon: begins in lower case and has no full stop. */
export function clause(text: string): string {
  const whole = text.replace(/\.$/, '');
  return /^[A-Z](?![A-Z])/.test(whole) ? `${whole.charAt(0).toLowerCase()}${whole.slice(1)}` : whole;
}

/** A name in the middle of a sentence. */
export const quoted = (name: string | null) => (name === null ? 'it' : `“${name}”`);
