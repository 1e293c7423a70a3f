// How many calls run at once in this process, fair between tenants.

// Per process, and per tenant. When few are left, each tenant gets a few: slow receivers of one tenant must not take them all.
const [mostCalls, mostOfTenant, leastOfTenant] = [256, 64, 4];
const crowded = mostCalls * 0.75;

export class Slots {
  private readonly byTenant = new Map<number, number>();
  private taken = 0;

  isFree(tenantId: number): boolean {
    const own = this.byTenant.get(tenantId) ?? 0;
    return this.taken < mostCalls && own < (this.taken < crowded ? mostOfTenant : leastOfTenant);
  }

  take(tenantId: number): void {
    this.taken++;
    this.byTenant.set(tenantId, (this.byTenant.get(tenantId) ?? 0) + 1);
  }

  leave(tenantId: number): void {
    this.taken--;
    const left = (this.byTenant.get(tenantId) ?? 1) - 1;
    if (left > 0) this.byTenant.set(tenantId, left);
    else this.byTenant.delete(tenantId);
  }
}
