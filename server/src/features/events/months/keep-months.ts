import type { Background } from '../../../db/database.js';
import { monthOf } from '../../../lib/month.js';
import { type MonthlyTable, makeMonth, readCalendar, selectMade } from './queries.js';

// This month and the next two, so that a service that was stopped for weeks finds room when it starts again.
export const ahead = 2;
// Older events stay in the elsewhen partition: wrong clocks must not create a table for every month back to the year 1.
export const firstMonth = monthOf('2000-01');
const tables: readonly MonthlyTable[] = ['event', 'marketing_activity'];

/** Creates partitions ahead of time, and for months whose events came before their partition. */
export class MonthKeeper {
  /** Undefined until the first look. */
  private made: ReadonlySet<number> | undefined;

  constructor(
    private readonly db: Background,
    /** Called when events arrived for a month without a partition. */
    private readonly onGap: () => void,
  ) {}

  /** Tells the keeper where events were stored. */
  note(months: Iterable<number>): void {
    if ([...months].some((month) => this.isGap(month))) this.onGap();
  }

  // The first look may have missed events that arrived while it was running.
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
