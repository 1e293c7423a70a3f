import { isDeepStrictEqual } from 'node:util';
import { isObject } from '@rapport/contract';
import { parseInstant } from '../../../lib/instant.js';
import { type Fault, faulty } from '../../filter-language/index.js';
import { nextRun } from '../definition/calendar.js';
import type { Definition, Schedule } from '../definition/definition.js';

const place = 'definition.entry.schedule';
const hasPassed: Fault = { path: `${place}.at`, words: 'this time has passed' };

/**
 * What is wrong with the time of a batch journey, whatever else is wrong with its definition: an author wants to hear of everything at once.
 * `before`: the definition that is edited, whose run may have been.
 */
export function faultsOfTime(json: unknown, now: string, before?: unknown): Fault[] {
  const at = timeOf(json);
  const isLate = at !== undefined && at <= Date.parse(now) && at !== timeOf(before);
  return isLate ? [hasPassed] : [];
}

function timeOf(json: unknown): number | undefined {
  const at = fieldOf(fieldOf(fieldOf(json, 'entry'), 'schedule'), 'at');
  const instant = typeof at === 'string' ? parseInstant(at) : undefined;
  return instant === undefined ? undefined : Date.parse(instant);
}

function fieldOf(json: unknown, key: string): unknown {
  return isObject(json) && Object.hasOwn(json, key) ? json[key] : undefined;
}

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
  throw faulty([schedule.kind === 'at' ? hasPassed : { path: `${place}.cron`, words: 'it never runs' }]);
}
