// Crons of five fields: minute, hour, day, month, weekday. Croner reads them and finds what comes next on a wall without zones; which
// moment that is somewhere is zoned-time's to say, so that skipped and doubled hours mean the same everywhere in the service.
import { Cron } from 'croner';
import type { Local } from './zoned-time.js';

const longest = 255;
/** Any moment would do: what fires at all, fires after it. */
const longAgo = Date.UTC(2000, 0, 1);

/** The next time on the wall after `local`, or undefined where none ever comes. */
type NextLocal = (local: Local) => Local | undefined;

/** Undefined for a text that is no cron, and for one that never fires, such as that of 30 February. */
export function readCron(text: string): NextLocal | undefined {
  // A question mark is "now" to croner, and a cron means the same whenever it is read.
  if (text.length > longest || text.includes('?') || text.trim().split(/\s+/).length !== 5) return undefined;
  try {
    const cron = new Cron(text.trim(), { timezone: 'UTC', mode: '5-part' });
    const next: NextLocal = (local) => cron.nextRun(new Date(local))?.getTime();
    return next(longAgo) === undefined ? undefined : next;
  } catch {
    return undefined;
  }
}
