import type { Transaction } from '../../db/database.js';
import { together } from '../../lib/together.js';
import { findContactIds } from '../contacts/index.js';
import { unknownOrganizations } from '../organizations/index.js';
import { UserBook } from '../users/index.js';
import type { People } from './plan-events.js';
import type { EventItem } from './read-event.js';

/** The people that events name: looked up together, and new users stored together. Under the tenant's lock. */
export class KnownPeople implements People {
  private readonly users = new UserBook();
  private readonly contacts = new Map<string, string | undefined>();
  private readonly orgs = new Map<string, boolean>();

  /** Looks up the people that these events name, except those known from earlier events. */
  async learn(tx: Transaction, tenantId: number, events: readonly EventItem[]): Promise<void> {
    await together([
      this.users.learn(tx, tenantId, namedBy(events, 'userId')),
      this.learnContacts(tx, tenantId, namedBy(events, 'email')),
      this.learnOrganizations(tx, tenantId, namedBy(events, 'orgId')),
    ]);
  }

  private async learnContacts(tx: Transaction, tenantId: number, named: readonly string[]): Promise<void> {
    const emails = named.filter((email) => !this.contacts.has(email));
    if (emails.length === 0) return;
    const found = await findContactIds(tx, tenantId, emails);
    for (const email of emails) this.contacts.set(email, found.get(email));
  }

  private async learnOrganizations(tx: Transaction, tenantId: number, named: readonly string[]): Promise<void> {
    const orgIds = named.filter((orgId) => !this.orgs.has(orgId));
    if (orgIds.length === 0) return;
    const unknown = new Set(await unknownOrganizations(tx, tenantId, orgIds));
    for (const orgId of orgIds) this.orgs.set(orgId, !unknown.has(orgId));
  }

  contactOfUser(userId: string): string | undefined {
    return this.users.find(userId);
  }

  contactOfEmail(email: string): string | undefined {
    return this.contacts.get(email);
  }

  addUser(userId: string, contactId: string): void {
    this.users.add(userId, contactId);
  }

  isOrganization(orgId: string): boolean {
    return this.orgs.get(orgId) === true;
  }

  async store(tx: Transaction, tenantId: number, now: string): Promise<void> {
    await this.users.store(tx, tenantId, now);
  }
}

function namedBy(events: readonly EventItem[], key: 'userId' | 'email' | 'orgId'): string[] {
  const names = new Set<string>();
  for (const event of events) if (event[key] !== null) names.add(event[key]);
  return [...names];
}
