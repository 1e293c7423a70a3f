// The period of an overview, the period before it, and the intervals of a series.
import { mostParts } from '@rapport/contract';
import { dayMs, hourMs } from '../../../db/tallies.js';
import { invalid } from '../../../http/api-error.js';
import { clippedInstant } from '../../../lib/instant.js';

/** Both ends are within it, to the millisecond. */
export interface Period {
  from: string;
  to: string;
}
export type Grain = 'hour' | 'day';

const usualLength = 30 * dayMs;
const units = { hour: hourMs, day: dayMs };

/** The requested period; a missing end is 30 days from the other, or now. */
export function periodOf(
  { startTime, endTime }: { startTime?: string | undefined; endTime?: string | undefined },
  now: string,
): Period {
  if (startTime !== undefined && endTime === undefined)
    return { from: startTime, to: clippedInstant(Date.parse(startTime) + usualLength - 1) };
  const to = endTime ?? now;
  return { from: startTime ?? clippedInstant(Date.parse(to) - usualLength + 1), to };
}

/** The period of the same length just before it. */
export function periodBefore({ from, to }: Period): Period {
  const start = Date.parse(from);
  const length = Date.parse(to) + 1 - start;
  return { from: clippedInstant(start - length), to: clippedInstant(start - 1) };
}

/** The start of each interval of a period, in UTC. None if the period ends before it starts. */
export function partsOf({ from, to }: Period, grain: Grain): string[] {
  const unit = units[grain];
  const first = Math.floor(Date.parse(from) / unit);
  const count = Math.max(0, Math.floor(Date.parse(to) / unit) - first + 1);
  if (Date.parse(from) > Date.parse(to)) return [];
  if (count > mostParts) throw tooMany(count, grain);
  return Array.from({ length: count }, (_, i) => clippedInstant((first + i) * unit));
}

function tooMany(count: number, grain: Grain): Error {
  const [found, most] = [count, mostParts].map((number) => number.toLocaleString('en'));
  const isFewerDays = grain === 'hour' && Math.ceil(count / 24) + 1 <= mostParts;
  const advice = isFewerDays ? 'take interval=day, or a shorter window' : 'take a shorter window';
  return invalid(
    isFewerDays ? 'interval' : 'endTime',
    `makes a series of ${found} ${grain}s, and there may be ${most}: ${advice}`,
  );
}
