// Product users during a run of writes. Pure.
import { allOf, type Change, type ContactBook, type Merged, type Properties } from '../contacts/index.js';
import type { Membership } from '../organizations/index.js';
import type { UserNews } from './news.js';

export interface StoredUser {
  userId: string;
  contactId: string;
  properties: Properties;
}

/** A user as it will be stored, with its JSON. */
export interface Draft extends StoredUser {
  orgIds: Set<string>;
  /** Keys of properties that writes removed, whether they existed or not: older values must not bring them back. */
  removed: Record<string, null>;
  isNew: boolean;
  isChanged: boolean;
  changes: Change[];
  json: string;
}

/** The product users that writes name: locked together, created and changed here, stored together. */
export class UserDrafts {
  private readonly users = new Map<string, Draft>();
  readonly joined: Membership[] = [];

  constructor(stored: readonly StoredUser[], memberships: readonly Membership[]) {
    for (const user of stored) this.put(user, false);
    for (const { userId, orgId } of memberships) this.users.get(userId)?.orgIds.add(orgId);
  }

  private put(user: StoredUser, isNew: boolean): Draft {
    const draft = { ...user, orgIds: new Set<string>(), removed: {}, isNew, isChanged: false, changes: [], json: '{}' };
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
    draft.changes.push(...merged.changes);
    return isChanged;
  }

  /** The same for an existing user: its contact's activity log shows it. */
  changeAndLog(draft: Draft, merged: Merged & { ok: true }, log: Pick<ContactBook, 'note'>, source: string): boolean {
    log.note(draft.contactId, `users.${draft.userId}`, merged.changes, source);
    return this.change(draft, merged);
  }

  /** Whether the user is a new member. */
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

  news(): UserNews[] {
    const told = (what: UserNews['what']) => (draft: Draft) => {
      const { userId, contactId, removed, properties } = draft;
      return { userId, contactId, what, removed, changes: what === 'created' ? allOf(properties) : draft.changes };
    };
    return [...this.added.map(told('created')), ...this.changed.map(told('changed'))];
  }
}
