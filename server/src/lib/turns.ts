import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Clock, systemClock } from './clock.js';

// Milliseconds. The step that exceeds it may add a few more; others must not wait longer than 250.
const longestTurn = 20;

/** For work that may be long: yields whenever it has held the event loop for a while. */
export class Turn {
  private since: number;

  constructor(private readonly clock: Clock = systemClock) {
    this.since = clock.elapsed();
  }

  get isOver(): boolean {
    return this.clock.elapsed() - this.since > longestTurn;
  }

  async next(): Promise<void> {
    await nextTurn();
    this.since = this.clock.elapsed();
  }
}

/** `Array.map` for items that may be many or large. */
export async function mapInTurns<T, U>(items: readonly T[], map: (item: T, i: number) => U): Promise<U[]> {
  const turn = new Turn();
  const mapped: U[] = [];
  for (const [i, item] of items.entries()) {
    if (turn.isOver) await turn.next();
    mapped.push(map(item, i));
  }
  return mapped;
}
