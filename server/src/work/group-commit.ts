import { passesByWaiting } from '../db/connect.js';

export interface Grouping<Item, Outcome> {
  /** Items with different keys never share a group. */
  keyOf(item: Item): number;
  /** How many characters it adds to a statement. */
  sizeOf(item: Item): number;
  /** Stores items in one statement. Returns each result, in their order; an Error refuses only that item. */
  commit(items: readonly Item[]): Promise<readonly (Outcome | Error)[]>;
  /** Whether a failure concerns the whole group, which is then not tried item by item. */
  isShared?(error: unknown): boolean;
  /** How many groups of a key are on their way at once. */
  trips?: number;
  /** Called after each group, however it ended. */
  onSettled?(): void;
}

interface Waiting<Item, Outcome> {
  item: Item;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

interface Line<Item, Outcome> {
  waiting: Waiting<Item, Outcome>[];
  trips: number;
}

/** Enough that all concurrent callers share one trip, few enough that a statement stays short. */
export const mostInGroup = 256;
const mostCharacters = 1024 * 1024;
// One group commits while the next gathers, and neither waits for the other's disk flush.
const usualTrips = 2;

/**
 * Items that arrive while others are being committed share the next statement; the first one is sent at once. With one statement per item, each
 * would wait for its own disk flush.
 */
export class GroupCommit<Item, Outcome> {
  private readonly lines = new Map<number, Line<Item, Outcome>>();

  constructor(private readonly grouping: Grouping<Item, Outcome>) {}

  /** Resolves after the commit. */
  add(item: Item): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      const key = this.grouping.keyOf(item);
      const line = this.lines.get(key) ?? { waiting: [], trips: 0 };
      this.lines.set(key, line);
      line.waiting.push({ item, resolve, reject });
      // One turn of the event loop gathers what arrived in the same socket read.
      if (line.waiting.length === 1) setImmediate(() => this.send(key, line));
    });
  }

  private send(key: number, line: Line<Item, Outcome>): void {
    const { trips = usualTrips } = this.grouping;
    while (line.trips < trips && line.waiting.length > 0) {
      line.trips++;
      void this.commit(this.takeGroup(line)).finally(() => {
        line.trips--;
        this.grouping.onSettled?.();
        if (line.waiting.length > 0) this.send(key, line);
        else if (line.trips === 0) this.lines.delete(key);
      });
    }
  }

  private takeGroup({ waiting }: Line<Item, Outcome>): Waiting<Item, Outcome>[] {
    let [count, characters] = [0, 0];
    for (const { item } of waiting.slice(0, mostInGroup)) {
      if (characters >= mostCharacters) break;
      characters += this.grouping.sizeOf(item);
      count++;
    }
    return waiting.splice(0, count);
  }

  private async commit(group: readonly Waiting<Item, Outcome>[]): Promise<void> {
    const { commit, isShared = passesByWaiting } = this.grouping;
    try {
      const outcomes = await commit(group.map(({ item }) => item));
      group.forEach(({ resolve, reject }, i) => {
        const outcome = outcomes[i] as Outcome | Error;
        if (outcome instanceof Error) reject(outcome);
        else resolve(outcome);
      });
    } catch (error) {
      // After a lost connection it is unknown whether the commit happened, and trying again would not tell.
      if (group.length === 1 || isShared(error)) for (const { reject } of group) reject(error);
      // One bad item must not fail the others in its group.
      else await Promise.all(group.map((one) => this.commit([one])));
    }
  }
}
