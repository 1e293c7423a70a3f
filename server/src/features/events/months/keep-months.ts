import type { Background } from '../../../db/database.js';
import { monthOf } from '../../../lib/month.js';
import { type MonthlyTable, makeMonth, readCalendar, selectMade } from './queries.js';

// This month and the next two, so that a service that was stopped for weeks has room when it comes back.
export const ahead = 2;
// Older events stay elsewhere: wrong clocks must not make a table for every month back to the year 1.
export const firstMonth = monthOf('2000-01');
const tables: readonly MonthlyTable[] = ['event', 'marketing_activity'];

/** Makes partitions ahead, and for months whose events came before their partition. */
export class MonthKeeper {
  /** Unless it has not looked yet. */
  private made: ReadonlySet<number> | undefined;

  constructor(
    private readonly db: Background,
    /** Called when events came for a month that has no partition. */
    private readonly onGap: () => void,
  ) {}

  /** Tells the keeper where events were stored. */
  note(months: Iterable<number>): void {
    if ([...months].some((month) => this.isGap(month))) this.onGap();
  }

  // The first look may have missed what came while it was running.
  private isGap(month: number): boolean {
    if (month < firstMonth) return false;
    if (!this.made) return true;
    return month <= Math.max(...this.made) && !this.made.has(month);
  }

  async keep(signal?: AbortSignal): Promise<void> {
    for (const table of tables) {
      const { current, waiting } = await readCalendar(this.db, table, firstMonth, ahead);
      const made = new Set(await selectMade(this.db, table));
      for (const month of [...Array.from({ length: ahead + 1 }, (_, i) => current + i), ...waiting]) {
        if (signal?.aborted) return;
        if (!made.has(month)) await this.db.transaction((tx) => makeMonth(tx, table, month));
        made.add(month);
      }
      if (table === 'event') this.made = made;
    }
  }
}
