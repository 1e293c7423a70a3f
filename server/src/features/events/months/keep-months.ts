import type { Database } from '../../../db/database.js';
import { monthOf } from '../../../lib/month.js';
import { type MonthlyTable, makeMonth, readCalendar, selectMade } from './queries.js';

// This month and the next two, so that a service that stands still for weeks has room when it comes back.
export const ahead = 2;
// Older events stay elsewhere: one wrong clock a month must not make a table a month back to the year 1.
export const firstMonth = monthOf('2000-01');
const tables: readonly MonthlyTable[] = ['event', 'marketing_activity'];

/** Makes partitions ahead, and for months whose events came before their partition. */
export class MonthKeeper {
  private made: ReadonlySet<number> = new Set();

  constructor(
    private readonly db: Database,
    /** Called when events came for a month that has no partition. */
    private readonly onGap: () => void,
  ) {}

  /** Tells the keeper where events were stored. */
  note(months: Iterable<number>): void {
    if (this.made.size === 0) return;
    const newest = Math.max(...this.made);
    const isGap = (month: number) => month >= firstMonth && month <= newest && !this.made.has(month);
    if ([...months].some(isGap)) this.onGap();
  }

  async keep(): Promise<void> {
    for (const table of tables) {
      const { current, waiting } = await readCalendar(this.db, table, firstMonth, ahead);
      const made = new Set(await selectMade(this.db, table));
      for (const month of [...Array.from({ length: ahead + 1 }, (_, i) => current + i), ...waiting]) {
        if (!made.has(month)) await this.db.transaction((tx) => makeMonth(tx, table, month));
        made.add(month);
      }
      if (table === 'event') this.made = made;
    }
  }
}
