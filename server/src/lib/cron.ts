// Crons of five fields: minute, hour, day, month, weekday. Croner parses them and finds the next local time; zoned-time converts it to a
// moment, so that skipped and doubled hours mean the same everywhere in the service.
import { Cron } from 'croner';
import type { Local } from './zoned-time.js';

const longest = 255;
/** Any moment will do: a cron that fires at all fires after it. */
const longAgo = Date.UTC(2000, 0, 1);

/** The next local time after `local`, or undefined if there is none. */
type NextLocal = (local: Local) => Local | undefined;

/** Undefined for a text that is not a cron, and for one that never fires, such as on 30 February. */
export function readCron(text: string): NextLocal | undefined {
  // A question mark means "now" to croner, but a cron must mean the same whenever it is read.
  if (text.length > longest || text.includes('?') || text.trim().split(/\s+/).length !== 5) return undefined;
  try {
    const cron = new Cron(text.trim(), { timezone: 'UTC', mode: '5-part' });
    const next: NextLocal = (local) => cron.nextRun(new Date(local))?.getTime();
    return next(longAgo) === undefined ? undefined : next;
  } catch {
    return undefined;
  }
}
