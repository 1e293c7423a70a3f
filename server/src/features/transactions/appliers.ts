import type { Runner, Transaction } from '../../db/database.js';
import type { PendingWrite } from './queries.js';

/** What became of one write: JSON for its row, and the failed items that carry text of their own. */
export interface Outcome {
  results: unknown;
  failures?: { item: number; email: string | null; error: string }[];
}

/** Shows what became of some kinds of writes. */
export interface Presenter {
  kinds: readonly string[];
  /** What a poll shows beside id, status and time. */
  present(db: Runner, tenantId: number, write: PresentedWrite): Promise<Record<string, unknown>>;
}

/** A feature that applies some kinds of writes. Transactions knows it only through this. */
export interface Applier extends Presenter {
  /** Applies writes in order, in the worker's transaction, under the tenant's lock. One outcome a write. */
  apply(tx: Transaction, tenantId: number, writes: readonly PendingWrite[], now: string): Promise<Outcome[]>;
  /** The outcome of a write that can never be applied. Whatever else it leaves goes in the same transaction. */
  refuse(write: PendingWrite, reason: string, tx: Transaction, tenantId: number): Outcome | Promise<Outcome>;
}

export interface PresentedWrite {
  uuid: string;
  status: 'PENDING' | 'DONE';
  items: number;
  payload: string | null;
  results: unknown;
}

export class Appliers {
  private readonly byKind = new Map<string, Applier>();
  private readonly presenters = new Map<string, Presenter>();

  onApply(applier: Applier): void {
    this.onPresent(applier);
    for (const kind of applier.kinds) this.byKind.set(kind, applier);
  }

  /** For kinds that are not applied from the queue, and polled all the same. */
  onPresent(presenter: Presenter): void {
    for (const kind of presenter.kinds) {
      if (this.presenters.has(kind)) throw new Error(`Two appliers for ${kind}`);
      this.presenters.set(kind, presenter);
    }
  }

  presenterOf(kind: string): Presenter {
    const presenter = this.presenters.get(kind);
    if (!presenter) throw new Error(`Nobody presents ${kind}`);
    return presenter;
  }

  of(kind: string): Applier {
    const applier = this.byKind.get(kind);
    if (!applier) throw new Error(`No applier for ${kind}`);
    return applier;
  }
}
