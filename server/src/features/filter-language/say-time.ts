// Times, durations, counts and windows in words.
import { type DurationUnit, durationParts } from '@rapport/contract';
import { listOf } from './fault.js';
import type { Counted, CountTest, Duration, EventWindow } from './tree.js';

const months = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** `00:00 UTC on 1 March 2026`: with its time, because "after 1 March" would mean another day to most people. */
export function sayTime(instant: string): string {
  const [year, month, day] = instant.slice(0, 10).split('-').map(Number) as [number, number, number];
  const clock = instant.slice(11, 23).replace(/:00\.000$|\.000$/, '');
  return `${clock} UTC on ${day} ${months[month - 1]} ${year}`;
}

/** `30 days`, `1 day and 12 hours`. */
export function sayDuration(duration: Duration): string {
  const parts = durationParts(duration.text) ?? [];
  return listOf(
    parts.map(({ count, unit }) => `${count} ${count === 1 ? one(unit) : unit}`),
    'and',
  );
}

/** `in the last 30 days`, `in the last day`. */
export function sayLast(duration: Duration): string {
  return `in the last ${withoutOne(duration)}`;
}

export function sayNext(duration: Duration): string {
  return `in the next ${withoutOne(duration)}`;
}

function withoutOne(duration: Duration): string {
  const [first, second] = durationParts(duration.text) ?? [];
  return first?.count === 1 && !second ? one(first.unit) : sayDuration(duration);
}

const one = (unit: DurationUnit) => unit.slice(0, -1);

/** `at least 3 times`, `exactly once`. */
function sayTimes({ atLeast, atMost }: CountTest): string {
  if (atLeast === atMost && atLeast !== undefined) return `exactly ${times(atLeast)}`;
  if (atMost === undefined) return atLeast === 0 ? 'any number of times' : `at least ${times(atLeast ?? 1)}`;
  if (!atLeast) return atMost === 0 ? 'exactly 0 times' : `at most ${times(atMost)}`;
  return `${number(atLeast)} to ${times(atMost)}`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${number(count)} times`;
}

/** Whether it asks for none at all. */
function isNever({ atMost }: CountTest): boolean {
  return atMost === 0;
}

/** `did it 3 to 5 times in the last 30 days`, `never did it`: `did` and `never` are how both begin. */
export function sayCounted({ count, window }: Counted, did: string, never: string): string {
  const begin = isNever(count) ? never : `${did} ${sayTimes(count)}`;
  return `${begin}${sayWindow(window)}`;
}

/** `at least 3 members`, `no member`. */
export function sayHowMany(count: CountTest, one: string, many: string): string {
  const { atLeast, atMost } = count;
  const things = (n: number) => `${number(n)} ${n === 1 ? one : many}`;
  if (isNever(count)) return `no ${one}`;
  if (atLeast === atMost && atLeast !== undefined) return `exactly ${things(atLeast)}`;
  if (atMost === undefined) return atLeast === 0 ? `any number of ${many}` : `at least ${things(atLeast ?? 1)}`;
  return atLeast ? `${number(atLeast)} to ${things(atMost)}` : `at most ${things(atMost)}`;
}

export function number(count: number): string {
  return count.toLocaleString('en');
}

/** ` in the last 30 days`, with a blank before it; nothing where there is no window. */
export function sayWindow({ withinLast, from, to }: EventWindow): string {
  if (withinLast) return ` ${sayLast(withinLast)}`;
  if (from !== undefined && to !== undefined) return ` from ${sayTime(from)} to ${sayTime(to)}`;
  if (from !== undefined) return ` from ${sayTime(from)} on`;
  return to === undefined ? '' : ` until ${sayTime(to)}`;
}
