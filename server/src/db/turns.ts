import { DatabaseBusy } from './connect.js';

interface Tenant {
  id: number;
  holding: number;
  waiting: { admit(): void }[];
}

// A tenant that was not served for so many turns of others counts as never served.
const remembered = 1000;

/**
 * Shares a few places between tenants. The next free one goes to the tenant that was served longest ago. Nobody holds more
 * than half while others wait, nor the last one ever: whoever comes next must not wait for another's slow reads to end.
 */
export class Turns {
  /** Those that hold a place or wait for one. */
  private readonly tenants = new Map<number, Tenant>();
  /** The turn in which a tenant was served last, in order. */
  private readonly servedAt = new Map<number, number>();
  private free: number;
  private turn = 0;

  constructor(
    private readonly places: number,
    private readonly waitMs: number,
    /** A tenant's line is no longer than this. */
    private readonly mostWaiting = 100,
  ) {
    this.free = places;
  }

  /** Answers what gives the place back. Throws DatabaseBusy when there was none in time. */
  async take(tenantId: number): Promise<() => void> {
    const tenant = this.tenants.get(tenantId) ?? { id: tenantId, holding: 0, waiting: [] };
    if (tenant.waiting.length >= this.mostWaiting)
      throw DatabaseBusy.crowded('too many slow reads are waiting already');
    this.tenants.set(tenantId, tenant);
    await this.queue(tenant).finally(() => this.forget(tenant));
    return () => {
      tenant.holding--;
      this.free++;
      this.admit();
      this.forget(tenant);
    };
  }

  private queue(tenant: Tenant): Promise<void> {
    return new Promise((resolve, reject) => {
      const entry = {
        admit: () => {
          clearTimeout(timer);
          resolve();
        },
      };
      const timer = setTimeout(() => {
        tenant.waiting.splice(tenant.waiting.indexOf(entry), 1);
        reject(DatabaseBusy.crowded(`other slow reads took all connections for ${this.waitMs / 1000} s`));
      }, this.waitMs);
      tenant.waiting.push(entry);
      this.admit();
    });
  }

  private admit(): void {
    while (this.free > 0) {
      const next = this.next();
      if (!next) return;
      this.free--;
      next.holding++;
      this.note(next.id);
      next.waiting.shift()?.admit();
    }
  }

  private next(): Tenant | undefined {
    const waiting = [...this.tenants.values()].filter((tenant) => tenant.waiting.length > 0);
    const below = (most: number) => waiting.filter((tenant) => tenant.holding < Math.max(1, most));
    const fair = waiting.length > 1 ? below(Math.floor(this.places / 2)) : [];
    const candidates = fair.length > 0 ? fair : below(this.places - 1);
    return candidates.sort((a, b) => this.lastTurn(a) - this.lastTurn(b))[0];
  }

  private lastTurn({ id }: Tenant): number {
    return this.servedAt.get(id) ?? 0;
  }

  private note(id: number): void {
    this.servedAt.delete(id);
    this.servedAt.set(id, ++this.turn);
    if (this.servedAt.size > remembered) this.servedAt.delete(this.servedAt.keys().next().value as number);
  }

  private forget(tenant: Tenant): void {
    if (tenant.holding === 0 && tenant.waiting.length === 0) this.tenants.delete(tenant.id);
  }
}
