import type { Transaction } from '../../db/database.js';
import { usersChanged } from './news.js';
import { findOwners, insertUsers } from './queries.js';

/** The product users that another feature's writes name: looked up together, created as needed, stored together. */
export class UserBook {
  private readonly owners = new Map<string, string | undefined>();
  private readonly added: { userId: string; contactId: string; json: string }[] = [];

  /** Looks up users, unless they are known already. Call under the tenant's lock, so that no user is created twice. */
  async learn(tx: Transaction, tenantId: number, userIds: readonly string[]): Promise<void> {
    const wanted = userIds.filter((userId) => !this.owners.has(userId));
    if (wanted.length === 0) return;
    const owners = await findOwners(tx, tenantId, wanted);
    wanted.forEach((userId, i) => {
      this.owners.set(userId, owners[i] || undefined);
    });
  }

  /** The contact that the user belongs to. */
  find(userId: string): string | undefined {
    return this.owners.get(userId);
  }

  add(userId: string, contactId: string): void {
    this.owners.set(userId, contactId);
    this.added.push({ userId, contactId, json: '{}' });
  }

  async store(tx: Transaction, tenantId: number, now: string): Promise<void> {
    await insertUsers(tx, tenantId, this.added, now);
    await usersChanged.tell(tx, tenantId, now, () =>
      this.added.map(({ userId, contactId }) => ({ userId, contactId, what: 'created', changes: [], removed: {} })),
    );
  }
}
