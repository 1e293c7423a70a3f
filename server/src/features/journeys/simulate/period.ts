// When a simulation takes place, and what is to happen meanwhile.
import type { BodyValue, simulateJourney } from '@rapport/contract';
import { invalid, invalidFields } from '../../../http/api-error.js';
import { instantOf, parseInstant } from '../../../lib/instant.js';
import { packProperties } from '../../events/index.js';
import type { NewEvent } from './queries.js';

type Body = BodyValue<typeof simulateJourney>;

/** In milliseconds since 1970. */
export interface Period {
  readonly from: number;
  readonly until: number;
  /** What lies before is recorded. */
  readonly now: number;
}

const mostYears = 10;
/** "Now" may have been written a moment ago, and by another clock. */
const graceMs = 60_000;

export function readPeriod({ from, until }: Pick<Body, 'from' | 'until'>, now: number): Period {
  const begin = from === undefined ? now : Date.parse(from);
  const end = until === undefined ? yearsAfter(begin, 1) : Date.parse(until);
  if (end < begin) throw invalid('until', `must not be before from, which is ${instantOf(begin)}`);
  if (end > yearsAfter(begin, mostYears)) throw invalid('until', `must be at most ${mostYears} years after from`);
  return { from: begin, until: end, now };
}

/** The same day and time; of 29 February the day after. */
function yearsAfter(moment: number, years: number): number {
  const text = instantOf(moment);
  const year = String(Number(text.slice(0, 4)) + years).padStart(4, '0');
  const later = parseInstant(year + text.slice(4)) ?? parseInstant(`${year}-03-01${text.slice(10)}`);
  return later === undefined ? moment : Date.parse(later);
}

/** A 400 names each that lies outside. Where the simulation begins now, one of just before is one of now. */
export function readEvents(events: NonNullable<Body['events']>, { from, until, now }: Period): NewEvent[] {
  const faults: { field: string; reason: string }[] = [];
  const read = events.map(({ contactId, eventName, at, properties = {} }, i): NewEvent => {
    const given = Date.parse(at);
    const moment = from === now && given >= from - graceMs ? Math.max(given, from) : given;
    const packed = packProperties(properties);
    if (moment < from || moment > until)
      faults.push({ field: `events[${i}].at`, reason: `must lie between ${instantOf(from)} and ${instantOf(until)}` });
    if ('error' in packed)
      faults.push({ field: `events[${i}].properties`, reason: `cannot be stored: ${packed.error}` });
    return { contactId, eventName, at: moment, properties };
  });
  if (faults.length > 0) throw invalidFields(faults.slice(0, 20), Math.max(0, faults.length - 20));
  return read;
}
