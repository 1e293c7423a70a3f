import type { Transaction } from '../../../db/database.js';
import { holdEditions } from '../../../db/editions.js';
import { type Filter, readFilter, type Subjects } from '../../filter-language/index.js';
import { Interest } from './interest.js';
import { selectLiveLists, selectVersion } from './marks/queries.js';

// Bounded: forgetting only costs a read.
const mostTenants = 2000;

/** The live filters of tenants, as this process remembers them, each as of a version. */
export class Filters {
  private readonly known = new Map<number, { version: number; interest: Interest }>();
  /** Cached for the transaction: filters cannot be edited until it ends. */
  private readonly held = new WeakMap<Transaction, Map<number, Promise<Interest>>>();

  constructor(private readonly subjects: () => Subjects) {}

  /** Keeps them from being edited until the transaction ends. */
  hold(tx: Transaction, tenantId: number): Promise<Interest> {
    const held = this.held.get(tx) ?? new Map<number, Promise<Interest>>();
    this.held.set(tx, held);
    const interest = held.get(tenantId) ?? this.load(tx, tenantId);
    held.set(tenantId, interest);
    return interest;
  }

  /**
   * For evaluation: as they are now, without a lock. If one is edited in the meantime, the results are those of the old filter, and a
   * later reader rebuilds the list.
   */
  async read(tx: Transaction, tenantId: number): Promise<Interest> {
    return this.asOf(tx, tenantId, await selectVersion(tx, tenantId));
  }

  private async load(tx: Transaction, tenantId: number): Promise<Interest> {
    const { audience: version } = await holdEditions(tx, tenantId);
    return this.asOf(tx, tenantId, version);
  }

  private async asOf(tx: Transaction, tenantId: number, version: number): Promise<Interest> {
    if (version === 0) return none;
    const known = this.known.get(tenantId);
    if (known?.version === version) return known.interest;
    const rows = await selectLiveLists(tx, tenantId);
    const interest = new Interest(rows.map((row) => ({ ...row, filter: this.parse(row.filter) })));
    if (this.known.size >= mostTenants) this.known.clear();
    this.known.set(tenantId, { version, interest });
    return interest;
  }

  private parse(json: unknown): Filter | undefined {
    try {
      return readFilter(json, this.subjects());
    } catch {
      return undefined;
    }
  }
}

const none = new Interest([]);
