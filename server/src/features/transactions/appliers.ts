import type { DataValue, getContactTransaction, Route } from '@rapport/contract';
import type { Runner, Transaction } from '../../db/database.js';
import { parseJson } from '../../lib/parse-json.js';
import type { LongWrite, PendingWrite } from './queries.js';

/** The outcome of one write: JSON for its row, and failed items with text of their own. */
export interface WriteOutcome {
  results: unknown;
  failures?: Failure[];
}

export interface Failure {
  item: number;
  email: string | null;
  error: string;
  /** The row number in the file, as a spreadsheet counts. */
  row?: number;
  /** That row as it came, as JSON: an array of cells, or a line of an NDJSON file. */
  original?: string | null;
}

/** Reads what a poll shows about a write besides id, status and time. */
export type Present<Shown extends object> = (db: Runner, tenantId: number, write: PresentedWrite) => Promise<Shown>;
/** The fields that the poll's route allows. */
export type ShownBy<R extends Route> = Omit<DataValue<R>, 'transactionId' | 'status' | 'createdAt'>;

/** Shows the outcome of some kinds of writes. */
export interface Presenter {
  kinds: readonly string[];
  /** For writes that are polled under /contacts, also those of features above. */
  present?: Present<ShownBy<typeof getContactTransaction>>;
  /** The columns of the file, if failed items have their cells. */
  columnsOf?(results: unknown): string[] | undefined;
  /** Whether it was an NDJSON file, so that failed items have their lines. */
  isOfLines?(results: unknown): boolean;
}

/** A feature that applies some kinds of writes. Transactions knows it only through this. */
export interface Applier extends Presenter {
  /** Its writes create or depend on users and organizations: requests that change those wait for them. */
  concernsUsers?: boolean;
  /** Its writes neither change contacts nor depend on them: others may change contacts meanwhile. */
  leavesContacts?: boolean;
  /** Its batches may be applied in the transaction that acknowledges them: see at-once/. */
  isAppliedAtOnce?: boolean;
  /** What can be done with such a body before its turn. Leaves it unchanged; `apply` gets what this returns as the body. */
  readAhead?(body: unknown): Promise<unknown>;
  /** Applies writes in order, in the worker's transaction, under the tenant's lock. Returns one outcome per write. */
  apply(tx: Transaction, tenantId: number, writes: readonly PendingWrite[], now: string): Promise<WriteOutcome[]>;
  /** The outcome of a write that can never be applied. Anything else that it stored is removed in the same transaction. */
  refuse(write: PendingWrite, reason: string, tx: Transaction, tenantId: number): WriteOutcome | Promise<WriteOutcome>;
}

/** The same for writes that are too long for one turn, and are applied in steps beside the others. */
export interface LongApplier extends Presenter {
  /** Takes the next units of a write, up to a limit, and returns how many there are. */
  take(tx: Transaction, tenantId: number, write: LongWrite, atMost: number): Promise<Step>;
}

/** Some units of a long write that go together. */
export interface Step {
  units: number;
  apply(now: string): Promise<Progress>;
  /** Ends all of them as failed. `why` ends a sentence. */
  refuse(why: string): Promise<Progress>;
}

/** The progress of a long write: what its row keeps, and what failed in this step. */
export interface Progress extends WriteOutcome {
  isDone: boolean;
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
  private readonly longByKind = new Map<string, LongApplier>();
  private readonly presenters = new Map<string, Presenter>();

  onApply(applier: Applier): void {
    this.present(applier);
    for (const kind of applier.kinds) this.byKind.set(kind, applier);
  }

  onApplyInSteps(applier: LongApplier): void {
    this.present(applier);
    for (const kind of applier.kinds) this.longByKind.set(kind, applier);
  }

  private present(presenter: Presenter): void {
    for (const kind of presenter.kinds) {
      if (this.presenters.has(kind)) throw new Error(`Two appliers for ${kind}`);
      this.presenters.set(kind, presenter);
    }
  }

  presentOf(kind: string): NonNullable<Presenter['present']> {
    const present = this.presenters.get(kind)?.present;
    if (!present) throw new Error(`No presenter for ${kind}`);
    return present;
  }

  /** About the file of a write, if it was a file and some of it has been applied. */
  columnsOf({ kind, results }: { kind: string; results: string | null }): string[] | undefined {
    return results === null ? undefined : this.presenters.get(kind)?.columnsOf?.(parseJson(results));
  }

  isOfLines({ kind, results }: { kind: string; results: string | null }): boolean {
    return results !== null && (this.presenters.get(kind)?.isOfLines?.(parseJson(results)) ?? false);
  }

  /** Undefined for a kind that only a newer build knows. */
  of(kind: string): Applier | undefined {
    return this.byKind.get(kind);
  }

  longOf(kind: string): LongApplier | undefined {
    return this.longByKind.get(kind);
  }

  /** Kinds of writes that requests about users and organizations wait for. */
  kindsOfUsers(): string[] {
    return [...this.byKind].filter(([, applier]) => applier.concernsUsers).map(([kind]) => kind);
  }
}
