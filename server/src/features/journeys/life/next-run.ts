import { isDeepStrictEqual } from 'node:util';
import { faulty } from '../../filter-language/index.js';
import { nextRun } from '../definition/calendar.js';
import type { Definition, Schedule } from '../definition/definition.js';

/** When a journey that is activated now first runs; null: it is no batch journey. A 400 where its schedule has no time left. */
export function firstRun({ entry }: Definition, now: string): string | null {
  if (entry.kind !== 'batch') return null;
  return entry.schedule ? runOf(entry.schedule, now) : now;
}

/**
 * When an active journey runs next once it has another definition. A schedule that stays keeps its run, and one that has run keeps that
 * too. Without a schedule a run that was ahead is made now: another activation would have made it.
 */
export function nextRunAfterEdit(
  before: Definition | undefined,
  after: Definition,
  nextRunAt: string | null,
  now: string,
): string | null {
  if (after.entry.kind !== 'batch') return null;
  const { schedule } = after.entry;
  const earlier = before?.entry.kind === 'batch' ? before.entry.schedule : undefined;
  if (isDeepStrictEqual(earlier, schedule)) return nextRunAt;
  if (schedule) return runOf(schedule, now);
  return nextRunAt === null ? null : now;
}

function runOf(schedule: Schedule, now: string): string {
  const at = nextRun(schedule, Date.parse(now));
  if (at !== null) return new Date(at).toISOString();
  const place = 'definition.entry.schedule';
  throw faulty([
    schedule.kind === 'at'
      ? { path: `${place}.at`, words: 'this time has passed' }
      : { path: `${place}.cron`, words: 'it never runs' },
  ]);
}
