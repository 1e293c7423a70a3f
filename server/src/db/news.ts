// News: what changed, told inside the transaction that changes it, to whoever asked to be told. A feature below declares a topic;
// features above hear of it without being known there.
import type { Transaction } from './database.js';

/** Something that can be told of: a feature declares it once and exports it. */
export class Topic<Item> {
  constructor(readonly name: string) {}

  /** Tells whoever listens on this database. Costs nothing where nobody does. */
  tell(tx: Transaction, tenantId: number, now: string, items: () => readonly Item[]): Promise<void> {
    return tx.news.tell(this, tx, tenantId, now, items);
  }
}

/** Runs in the transaction that made the news: what it writes is there when the change is, and never without it. */
export type Listener<Item> = (tx: Transaction, tenantId: number, items: readonly Item[], now: string) => Promise<void>;

/** A listener and what it wants to hear of, for the table of features. */
export interface Hearing {
  addTo(newsroom: Newsroom): void;
}

export function hearing<Item>(topic: Topic<Item>, listener: Listener<Item>): Hearing {
  return { addTo: (newsroom) => newsroom.hear(topic, listener) };
}

/** Who listens to what, on one database. */
export class Newsroom {
  // biome-ignore lint/suspicious/noExplicitAny: a topic holds listeners of its own items only, see hear()
  private readonly listeners = new Map<Topic<any>, Listener<any>[]>();

  hear<Item>(topic: Topic<Item>, listener: Listener<Item>): void {
    this.listeners.set(topic, [...(this.listeners.get(topic) ?? []), listener]);
  }

  /** Tells everybody, one after the other. `items` are made only where somebody listens. */
  async tell<Item>(
    topic: Topic<Item>,
    tx: Transaction,
    tenantId: number,
    now: string,
    items: () => readonly Item[],
  ): Promise<void> {
    const listeners = this.listeners.get(topic);
    if (!listeners) return;
    const told = items();
    if (told.length === 0) return;
    for (const listener of listeners) await listener(tx, tenantId, told, now);
  }
}
