import type { Transaction } from '../../db/database.js';
import { ContactBook, mergeProperties } from '../contacts/index.js';
import type { People } from '../events/index.js';
import { type Membership, OrganizationBook } from '../organizations/index.js';
import { lockUserDrafts, storeUserDrafts, type UserDraft, type UserDrafts } from '../users/index.js';
import { type Fields, Refused } from './fields.js';
import type { Refusal } from './queries.js';
import { WaitingBook } from './waiting-book.js';

/** Whom and what a run of messages names. */
export interface Names {
  userIds: readonly string[];
  emails: readonly string[];
  /** Organizations that are made or changed. */
  groups: readonly string[];
  /** Organizations that are only named. */
  orgIds: readonly string[];
  links: readonly Membership[];
}

const source = 'segment';

/** Everyone named by a run of messages: looked up together, changed in memory, stored together. */
export class IngestBook implements People {
  readonly refusals: Refusal[] = [];

  private constructor(
    readonly contacts: ContactBook,
    readonly users: UserDrafts,
    readonly organizations: OrganizationBook,
    readonly waiting: WaitingBook,
    private readonly now: string,
  ) {}

  /**
   * Under the tenant's lock, so that the same contacts and users are not made twice. `waiting`: whose waiting calls to load, by default those of
   * unknown users.
   */
  static async open(
    tx: Transaction,
    tenantId: number,
    names: Names,
    now: string,
    waiting?: WaitingBook,
  ): Promise<IngestBook> {
    const userIds = [...new Set(names.userIds)];
    const users = await lockUserDrafts(tx, tenantId, userIds, names.links);
    const owners = userIds.flatMap((userId) => users.find(userId)?.contactId ?? []);
    const contacts = await ContactBook.open(tx, tenantId, names.emails, owners);
    const organizations = await OrganizationBook.open(tx, tenantId, names.groups, names.orgIds);
    const unknown = userIds.filter((userId) => !users.find(userId));
    const waits = waiting ?? (await WaitingBook.open(tx, tenantId, unknown));
    return new IngestBook(contacts, users, organizations, waits, now);
  }

  contactOfUser(userId: string): string | undefined {
    return this.users.find(userId)?.contactId;
  }

  contactOfEmail(email: string): string | undefined {
    return this.contacts.find(email);
  }

  isOrganization(orgId: string): boolean {
    return this.organizations.has(orgId);
  }

  /** Makes a user and applies what waited for it. Its own `traits`, which have been checked, are newer. */
  addUser(userId: string, contactId: string, traits: Fields = {}): UserDraft {
    const user = this.users.add(userId, contactId);
    const merged = mergeProperties({}, traits, 'user');
    if (merged.ok) this.users.change(user, merged);
    this.settle(user, traits);
    return user;
  }

  /** Sets properties of a user and its contact, or throws and sets neither. */
  describe(user: UserDraft, traits: Fields, ofContact: Fields = traits): void {
    const merged = mergeProperties(user.properties, traits, 'user');
    const fault = merged.ok ? this.contacts.change(user.contactId, ofContact, source) : merged.error;
    if (fault !== undefined) throw new Refused(fault);
    if (merged.ok) this.users.changeAndLog(user, merged, this.contacts, source);
  }

  /** Makes or changes a contact, and a user of it that is not there yet. */
  introduce(email: string, userId: string | null, traits: Fields): void {
    const merged = mergeProperties({}, userId === null ? {} : traits, 'user');
    const fault = merged.ok ? this.contacts.upsert(email, traits, source) : merged.error;
    if (fault !== undefined) throw new Refused(fault);
    if (userId !== null) this.addUser(userId, this.contacts.find(email) as string, traits);
  }

  /** Applies what waited for a user, unless something newer was said. `removed`: keys of the user, not of its contact. */
  settle(user: UserDraft, newer: Fields, removed: Fields = {}): void {
    const waiting = this.waiting.take(user.userId);
    if (!waiting) return;
    for (const orgId of waiting.orgIds) this.users.join(user, orgId);
    const ofContact = without(waiting.traits, newer);
    try {
      this.describe(user, without(ofContact, { ...user.properties, ...removed }), ofContact);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const { userId } = user;
      this.refusals.push({ receivedAt: this.now, call: 'identify', messageId: null, userId, reason: error.message });
    }
  }

  async store(tx: Transaction, tenantId: number): Promise<void> {
    await this.contacts.store(tx, tenantId, this.now);
    await this.organizations.store(tx, tenantId, this.now);
    // Before the users: listeners must not find what was already applied.
    await this.waiting.store(tx, tenantId);
    await storeUserDrafts(tx, tenantId, this.users, this.now);
  }
}

function without(traits: Fields, keys: Fields): Fields {
  return Object.fromEntries(Object.entries(traits).filter(([key]) => !Object.hasOwn(keys, key)));
}
