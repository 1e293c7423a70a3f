// Times and durations of journeys, in UTC and as simple as possible.
import type { SentDefinition } from './story.js';

const day = 86_400_000;
const units: Record<string, number> = { W: 7 * day, D: day, H: 3_600_000, M: 60_000, S: 1000 };

export function msOf(duration: string): number {
  const sign = duration.startsWith('-') ? -1 : 1;
  return [...duration.matchAll(/(\d+)([WDHMS])/g)].reduce(
    (sum, [, count, unit]) => sum + sign * Number(count) * (units[unit as string] as number),
    0,
  );
}

export function minutes(clock: string): number {
  return Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
}

export function weekday(at: number): number {
  return new Date(at).getUTCDay() || 7;
}

/** Minute by minute, at most three weeks. */
export function firstMinute(from: number, fits: (at: number) => boolean): number {
  for (let at = Math.ceil(from / 60_000) * 60_000; at < from + 21 * day; at += 60_000) if (fits(at)) return at;
  throw new Error('There is no such minute');
}

export const minuteOf = (at: number) => Math.floor((at % day) / 60_000);

/** When mail that must wait for its journey's hours may leave. A window that ends before it begins spans midnight. */
export function firstOpen(window: NonNullable<SentDefinition['window']>, now: number): number {
  const [from, to] = [minutes(window.from), minutes(window.to)];
  const days = window.days ?? [1, 2, 3, 4, 5, 6, 7];
  const isOpen = (at: number) =>
    from < to
      ? minuteOf(at) >= from && minuteOf(at) < to && days.includes(weekday(at))
      : minuteOf(at) >= from
        ? days.includes(weekday(at))
        : minuteOf(at) < to && days.includes(weekday(at - day));
  return isOpen(now) ? now : firstMinute(now, isOpen);
}
