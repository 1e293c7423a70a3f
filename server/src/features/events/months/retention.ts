import type { Background } from '../../../db/database.js';
import { inSteps } from '../../../work/chores.js';
import { moveFloor, noteSweptTo, readFloor, readSweptTo } from '../queries.js';
import { forgetMonths } from '../recent/index.js';
import {
  type CountKey,
  deleteCounts,
  deleteElsewhen,
  dropMonth,
  lockRetention,
  monthBefore,
  selectMade,
} from './queries.js';

const start: CountKey = { tenant_id: 0, contact_id: '0'.repeat(32), month: -1 };
const step = 5000;

/** Drops whole months of events that are older than `days`. Undefined: events are kept forever. */
export class Retention {
  constructor(
    private readonly db: Background,
    private readonly days: number | undefined,
  ) {}

  /** The transaction with the lock does nothing else: every step commits by itself, and may be interrupted and repeated. */
  apply(signal?: AbortSignal): Promise<void> {
    return this.db.transaction(async (tx) => {
      await lockRetention(tx);
      await this.applyAlone(signal);
    });
  }

  /**
   * First the floor is raised: from then on readers skip older months and writers refuse them. Then everything below it is removed, in any
   * number of steps. Only when nothing is left may the floor be lowered again.
   */
  private async applyAlone(signal: AbortSignal | undefined): Promise<void> {
    const wanted = this.days === undefined ? 0 : await monthBefore(this.db, this.days);
    const reached = await readFloor(this.db);
    const floor = Math.max(wanted, reached);
    if (floor === 0) return;
    if (floor > reached) await this.db.transaction((tx) => moveFloor(tx, floor));
    for (const month of await selectMade(this.db, 'event')) {
      if (signal?.aborted) return;
      if (month < floor) await this.db.transaction((tx) => dropMonth(tx, 'event', month));
    }
    await inSteps((atMost) => deleteElsewhen(this.db, floor, atMost), signal);
    await this.sweepCounts(floor, signal);
    if (wanted === floor || signal?.aborted) return;
    await this.db.transaction((tx) => moveFloor(tx, wanted));
  }

  private async sweepCounts(floor: number, signal: AbortSignal | undefined): Promise<void> {
    if ((await readSweptTo(this.db)) >= floor) return;
    let after: CountKey | undefined = start;
    while (after && !signal?.aborted) after = await deleteCounts(this.db, floor, after, step);
    if (after) return;
    await forgetMonths(this.db, floor);
    await noteSweptTo(this.db, floor);
  }
}
