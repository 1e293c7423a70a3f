import type { Transaction } from '../../db/database.js';
import { mergeProperties, type Properties } from '../contacts/index.js';
import { deleteWaiting, selectWaiting, upsertWaiting, type WaitingUser } from './queries.js';

// As many as POST /v2/users takes at once.
const mostOrganizations = 100;

/** What calls said about users that are not known yet. */
export class WaitingBook {
  private readonly users = new Map<string, WaitingUser>();
  private readonly changed = new Set<WaitingUser>();
  private readonly taken: string[] = [];

  static async open(tx: Transaction, tenantId: number, userIds: readonly string[]): Promise<WaitingBook> {
    const book = new WaitingBook();
    const stored = userIds.length === 0 ? [] : await selectWaiting(tx, tenantId, userIds);
    for (const user of stored) book.users.set(user.userId, user);
    return book;
  }

  get all(): readonly WaitingUser[] {
    return [...this.users.values()];
  }

  /** Takes what waited for a user that is known now. */
  take(userId: string): WaitingUser | undefined {
    const user = this.users.get(userId);
    if (!user) return undefined;
    this.users.delete(userId);
    this.changed.delete(user);
    this.taken.push(userId);
    return user;
  }

  /** Returns why they cannot be kept, if so. */
  addTraits(userId: string, traits: Record<string, unknown>, at: string): string | undefined {
    const merged = mergeProperties(this.users.get(userId)?.traits ?? {}, traits, 'user');
    if (!merged.ok) return merged.error;
    this.put(userId, at, merged.properties);
    return undefined;
  }

  hasRoomFor(userId: string, orgId: string): boolean {
    const orgIds = this.users.get(userId)?.orgIds ?? [];
    return orgIds.length < mostOrganizations || orgIds.includes(orgId);
  }

  addOrganization(userId: string, orgId: string, at: string): void {
    const user = this.put(userId, at);
    if (!user.orgIds.includes(orgId)) user.orgIds.push(orgId);
  }

  private put(userId: string, at: string, traits?: Properties): WaitingUser {
    const user = this.users.get(userId) ?? { userId, traits: {}, orgIds: [], firstAt: at };
    if (traits) user.traits = traits;
    this.users.set(userId, user);
    this.changed.add(user);
    return user;
  }

  async store(tx: Transaction, tenantId: number): Promise<void> {
    if (this.taken.length > 0) await deleteWaiting(tx, tenantId, this.taken);
    if (this.changed.size > 0) await upsertWaiting(tx, tenantId, [...this.changed]);
  }
}
