// News: changes, announced to listeners inside the transaction that makes them. A feature below declares a topic; features above listen to it
// without being known there.
import type { Transaction } from './runner.js';

/** For news caused by a journey step: how many journeys have started one another so far, and which enrolment it was. */
export interface Cause {
  readonly chain: number;
  readonly fromEnrolment: string;
}

/** Runs in the transaction that made the news: its writes are committed with the change, and never without it. */
export type Listener<Item> = (tx: Transaction, tenantId: number, items: readonly Item[], now: string) => Promise<void>;

/** A kind of news. A feature declares it once and exports it. */
export class Topic<Item> {
  /** By database: listeners of one never hear news of another. */
  private readonly listeners = new WeakMap<object, Listener<Item>[]>();

  constructor(readonly name: string) {}

  /** `database`: the value of `Transaction.database` for its transactions. */
  hear(database: object, listener: Listener<Item>): void {
    this.listeners.set(database, [...(this.listeners.get(database) ?? []), listener]);
  }

  /** Tells all listeners, one after the other. `items` are built only if there is one. */
  async tell(tx: Transaction, tenantId: number, now: string, items: () => readonly Item[]): Promise<void> {
    const listeners = this.listeners.get(tx.database);
    if (!listeners) return;
    const told = items();
    if (told.length === 0) return;
    for (const listener of listeners) await listener(tx, tenantId, told, now);
  }
}

/** A listener and its topic, for the table of features. */
export type Hearing = (database: object) => void;

export function hearing<Item>(topic: Topic<Item>, listener: Listener<Item>): Hearing {
  return (database) => topic.hear(database, listener);
}
