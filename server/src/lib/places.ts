interface Tenant {
  id: number;
  holding: number;
  waiting: { admit(): void }[];
}

// A tenant that was not served for this many turns of others counts as never served.
const remembered = 1000;

interface TurnLimits {
  places: number;
  /** How many one tenant may hold while no other waits: fewer than all, so that the next one need not wait. */
  mostEach: number;
  waitMs: number;
  /** The most that may wait per tenant. */
  mostWaiting: number;
  /** The error for a caller that waited too long, or found the queue full. */
  refuse(): Error;
}

/**
 * Shares a few places between tenants. The next free one goes to the tenant that was served longest ago, and no tenant holds
 * more than half of them while others wait.
 */
export class Places {
  /** Tenants that hold a place or wait for one. */
  private readonly tenants = new Map<number, Tenant>();
  /** The turn in which each tenant was last served, in order. */
  private readonly servedAt = new Map<number, number>();
  private free: number;
  private turn = 0;

  constructor(private readonly limits: TurnLimits) {
    this.free = limits.places;
  }

  /** Returns a function that gives the place back. Throws if there was none in time. */
  async take(tenantId: number): Promise<() => void> {
    const tenant = this.tenants.get(tenantId) ?? { id: tenantId, holding: 0, waiting: [] };
    if (tenant.waiting.length >= this.limits.mostWaiting) throw this.limits.refuse();
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
        reject(this.limits.refuse());
      }, this.limits.waitMs);
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
    const { places, mostEach } = this.limits;
    const fair = waiting.length > 1 ? below(Math.min(mostEach, Math.floor(places / 2))) : [];
    const candidates = fair.length > 0 ? fair : below(mostEach);
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
