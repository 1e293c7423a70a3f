import type { Transaction } from '../../db/database.js';
import { findUserOwners, insertUsers } from './queries.js';
import { announceUsers, type UsersMade } from './users-made.js';

/** The product users that another feature's writes name: found together, made on demand, stored together. */
export class UserBook {
  private readonly owners = new Map<string, string>();
  private readonly added: { userId: string; contactId: string; json: string }[] = [];

  /** Under the tenant's lock, so that nobody else makes the same users. */
  static async open(tx: Transaction, tenantId: number, userIds: readonly string[]): Promise<UserBook> {
    const book = new UserBook();
    if (userIds.length === 0) return book;
    for (const { userId, contactId } of await findUserOwners(tx, tenantId, userIds)) book.owners.set(userId, contactId);
    return book;
  }

  /** The contact that the user belongs to. */
  find(userId: string): string | undefined {
    return this.owners.get(userId);
  }

  add(userId: string, contactId: string): void {
    this.owners.set(userId, contactId);
    this.added.push({ userId, contactId, json: '{}' });
  }

  async store(tx: Transaction, tenantId: number, now: string, listeners: readonly UsersMade[]): Promise<void> {
    await insertUsers(tx, tenantId, this.added, now);
    await announceUsers(listeners, tx, tenantId, this.added, now);
  }
}
