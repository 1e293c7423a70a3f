// What becomes of product users in a run of writes. Pure.
import type { Merged, Properties } from '../contacts/index.js';
import type { Membership } from '../organizations/index.js';

export interface StoredUser {
  userId: string;
  contactId: string;
  properties: Properties;
}

/** A user as it will be, with the JSON to store. */
export interface Draft extends StoredUser {
  orgIds: Set<string>;
  /** Keys of properties that writes removed, whether they were there or not: what is older must not bring them back. */
  removed: Record<string, null>;
  isNew: boolean;
  isChanged: boolean;
  json: string;
}

/** The product users that writes name: locked together, made and changed here, stored together. */
export class UserDrafts {
  private readonly users = new Map<string, Draft>();
  readonly joined: Membership[] = [];

  constructor(stored: readonly StoredUser[], memberships: readonly Membership[]) {
    for (const user of stored) this.put(user, false);
    for (const { userId, orgId } of memberships) this.users.get(userId)?.orgIds.add(orgId);
  }

  private put(user: StoredUser, isNew: boolean): Draft {
    const draft = { ...user, orgIds: new Set<string>(), removed: {}, isNew, isChanged: false, json: '{}' };
    this.users.set(user.userId, draft);
    return draft;
  }

  find(userId: string): Draft | undefined {
    return this.users.get(userId);
  }

  add(userId: string, contactId: string): Draft {
    return this.put({ userId, contactId, properties: {} }, true);
  }

  noteRemoved(draft: Draft, wanted: Record<string, unknown>): void {
    for (const [key, value] of Object.entries(wanted)) if (value === null) draft.removed[key] = null;
  }

  /** Whether it changes anything. */
  change(draft: Draft, merged: Merged & { ok: true }): boolean {
    const isChanged = merged.changes.length > 0;
    if (isChanged) Object.assign(draft, { properties: merged.properties, json: merged.json, isChanged });
    return isChanged;
  }

  /** Whether the user was no member before. */
  join(draft: Draft, orgId: string): boolean {
    if (draft.orgIds.has(orgId)) return false;
    draft.orgIds.add(orgId);
    this.joined.push({ orgId, userId: draft.userId });
    return true;
  }

  get added(): Draft[] {
    return [...this.users.values()].filter((draft) => draft.isNew);
  }

  get changed(): Draft[] {
    return [...this.users.values()].filter((draft) => draft.isChanged && !draft.isNew);
  }
}
