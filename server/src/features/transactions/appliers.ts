import type { Runner, Transaction } from '../../db/database.js';
import type { PendingWrite } from './queries.js';

/** What became of one write: JSON for its row, and the failed items that carry text of their own. */
export interface Outcome {
  results: unknown;
  failures?: { item: number; email: string | null; error: string }[];
}

/** A feature that applies some kinds of writes. Transactions knows it only through this. */
export interface Applier {
  kinds: readonly string[];
  /** Applies writes in order, in the worker's transaction, under the tenant's lock. One outcome a write. */
  apply(tx: Transaction, tenantId: number, writes: readonly PendingWrite[], now: string): Promise<Outcome[]>;
  /** The outcome of a write that can never be applied. */
  refuse(write: PendingWrite, reason: string): Outcome;
  /** What a poll shows beside id, status and time. */
  present(db: Runner, tenantId: number, write: PresentedWrite): Promise<Record<string, unknown>>;
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

  onApply(applier: Applier): void {
    for (const kind of applier.kinds) {
      if (this.byKind.has(kind)) throw new Error(`Two appliers for ${kind}`);
      this.byKind.set(kind, applier);
    }
  }

  of(kind: string): Applier {
    const applier = this.byKind.get(kind);
    if (!applier) throw new Error(`No applier for ${kind}`);
    return applier;
  }
}
