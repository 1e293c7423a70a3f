import type { Transaction } from '../../db/database.js';
import { newContactId } from '../../lib/ids.js';
import type { Draft } from './plan-writes.js';
import { selectStored } from './queries.js';
import { storePlan } from './store-plan.js';

/** The contacts that another feature's writes name: found together, made on demand, stored together. */
export class ContactBook {
  private readonly ids = new Map<string, string>();
  private readonly drafts: Draft[] = [];

  /** Under the tenant's lock, so that nobody else makes the same contacts. */
  static async open(tx: Transaction, tenantId: number, emails: readonly string[]): Promise<ContactBook> {
    const book = new ContactBook();
    for (const { id, email } of await selectStored(tx, tenantId, [...new Set(emails)], [])) book.ids.set(email, id);
    return book;
  }

  find(email: string): string | undefined {
    return this.ids.get(email);
  }

  /** The contact with this email. `isNew` for the one call that makes it. */
  ensure(email: string): { id: string; isNew: boolean } {
    const known = this.ids.get(email);
    if (known) return { id: known, isNew: false };
    const id = newContactId();
    this.ids.set(email, id);
    this.drafts.push({ id, email, properties: {}, isNew: true, isChanged: true, json: '{}', nameChanged: true });
    return { id, isNew: true };
  }

  async store(tx: Transaction, tenantId: number, now: string): Promise<void> {
    await storePlan(tx, tenantId, { drafts: this.drafts, changes: [], outcomes: [] }, now);
  }
}
