import type { Transaction } from '../../db/database.js';
import { findContactIds } from '../contacts/index.js';
import { unknownOrganizations } from '../organizations/index.js';
import { UserBook, type UsersMade } from '../users/index.js';
import type { People } from './plan-events.js';
import type { EventItem } from './read-event.js';

/** Whom a run of events names: looked up together, and the users that it makes stored together. */
export class KnownPeople implements People {
  private constructor(
    private readonly users: UserBook,
    private readonly contacts: ReadonlyMap<string, string>,
    private readonly unknownOrgs: ReadonlySet<string>,
  ) {}

  /** Under the tenant's lock, so that nobody else makes the same users. */
  static async open(tx: Transaction, tenantId: number, events: readonly EventItem[]): Promise<KnownPeople> {
    const users = await UserBook.open(tx, tenantId, namedBy(events, 'userId'));
    const contacts = await findContactIds(tx, tenantId, namedBy(events, 'email'));
    const orgIds = namedBy(events, 'orgId');
    const unknown = orgIds.length === 0 ? [] : await unknownOrganizations(tx, tenantId, orgIds);
    return new KnownPeople(users, contacts, new Set(unknown));
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
    return !this.unknownOrgs.has(orgId);
  }

  async store(tx: Transaction, tenantId: number, now: string, listeners: readonly UsersMade[]): Promise<void> {
    await this.users.store(tx, tenantId, now, listeners);
  }
}

function namedBy(events: readonly EventItem[], key: 'userId' | 'email' | 'orgId'): string[] {
  const names = new Set<string>();
  for (const event of events) if (event[key] !== null) names.add(event[key]);
  return [...names];
}
