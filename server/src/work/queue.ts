import type { Runner } from '../db/database.js';

/** A table whose rows wait to be done, as the loop sees it. The loop knows nothing else about a feature. */
export interface Queue {
  /** Its name in logs and metrics. */
  readonly name: string;
  /** How many turns run at once in a process. With three or more, one of them is reserved for tenants without a backlog. */
  readonly hands: number;
  /** How often it polls. Polling alone is enough for correctness; waking only makes it prompt. */
  readonly pollMs: number;
  /** The tenants with due work of a kind that this process knows. */
  due(): Promise<Due>;
  /** One turn: a part of a tenant's waiting work, short enough that others can wait for it. `busy`: another worker has the tenant. */
  serve(tenantId: number, watch: Watch, signal: AbortSignal): Promise<number | 'busy'>;
  /** What waits, by tenant and kind. */
  waiting(db: Runner): Promise<Waiting[]>;
}

export interface Due {
  tenants: readonly number[];
  /** Milliseconds until something else is due. */
  nextInMs?: number | undefined;
}

/** What a tenant has waiting of one kind. */
export interface Waiting {
  tenantId: number;
  kind: string;
  count: number;
  /** When the oldest came. */
  since: string;
  /** The attempts and last error of the oldest. */
  attempts: number;
  lastError: string | null;
  /** When the oldest is tried again, if it failed. */
  dueAt: string | null;
}

/** Receives the outcomes of work. */
export interface Watch {
  done(kind: string, count: number): void;
  /** An attempt failed, and there will be another. */
  retried(kind: string, tenantId: number, error: Error): void;
  /** A unit was ended without being done. */
  failed(kind: string, tenantId: number, error: Error): void;
}

/** For callers that only want the work done. */
export const unwatched: Watch = { done: () => undefined, retried: () => undefined, failed: () => undefined };
