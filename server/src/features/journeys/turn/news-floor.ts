import type { Runner } from '../../../db/database.js';
import { systemClock } from '../../../lib/clock.js';
import { SettledNumbers } from '../../../work/settled-numbers.js';
import { selectNewsHeads } from './look/queries.js';
import type { NewsHead, NewsStart } from './queries.js';

// How often it is raised.
const everyMs = 2000;

/**
 * From which number on each journey's news are read: all before is done. What is done is deleted, but while an old snapshot is held, by a
 * backup or a forgotten transaction, its index entries stay, and a look from the beginning would read every one of them.
 */
export class NewsFloor implements NewsStart {
  readonly #numbers = new SettledNumbers({ table: 'journey_news', column: 'news_no' });
  #base = 0;
  /** Of journeys with news from before the base. */
  #heads = new Map<string, NewsHead>();
  #next = 0;

  get base(): number {
    return this.#base;
  }

  get heads(): readonly NewsHead[] {
    return [...this.#heads.values()];
  }

  of(tenantId: number, journeyNo: number): number {
    return this.#heads.get(`${tenantId}:${journeyNo}`)?.newsNo ?? this.#base;
  }

  /** Now and then. */
  async keepUp(db: Runner): Promise<void> {
    const now = systemClock.elapsed();
    if (now < this.#next) return;
    this.#next = now + everyMs;
    await this.raise(db);
  }

  async raise(db: Runner): Promise<void> {
    const settled = await this.#numbers.look(db);
    if (settled + 1 === this.#base && this.#heads.size === 0) return;
    if (settled < this.#base - 1) {
      this.#base = 0;
      this.#heads.clear();
    }
    const heads = settled === 0 ? [] : await selectNewsHeads(db, this, settled);
    this.#base = settled === 0 ? 0 : settled + 1;
    this.#heads = new Map(heads.map((head) => [`${head.tenantId}:${head.journeyNo}`, head]));
  }
}
