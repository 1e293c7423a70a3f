import type { Transaction } from '../../db/database.js';
import type { Cause } from '../../db/news.js';
import { newContactId } from '../../lib/ids.js';
import { Planner } from './plan-writes.js';
import type { Change, Properties } from './properties.js';
import { selectStored } from './queries.js';
import { storePlan } from './store-plan.js';

/** The contacts that another feature's writes name: looked up together, created and changed as needed, stored together. */
export class ContactBook {
  private constructor(private readonly planner: Planner) {}

  /** Call under the tenant's lock, so that no contact is created twice. */
  static async open(
    tx: Transaction,
    tenantId: number,
    emails: readonly string[],
    ids: readonly string[] = [],
  ): Promise<ContactBook> {
    const stored = await selectStored(tx, tenantId, [...new Set(emails)], [...new Set(ids)]);
    return new ContactBook(new Planner(stored, newContactId));
  }

  /** Changes from here on belong to a write that was acknowledged at this time. */
  asOf(at: string, cause?: Cause): void {
    this.planner.asOf(at, cause);
  }

  find(email: string): string | undefined {
    return this.planner.find(email)?.id;
  }

  /** The value of the property of the contact with this email, including changes made here. */
  propertyOf(email: string, key: string): unknown {
    return this.planner.find(email)?.properties[key];
  }

  /** All properties of a contact that was looked up by id, including changes made here. */
  propertiesOf(contactId: string): Properties | undefined {
    return this.planner.findById(contactId)?.properties;
  }

  /** Returns the contact with this email, creating it if needed. `isNew` is true only for the call that creates it. */
  ensure(email: string): { id: string; isNew: boolean } {
    const isNew = this.find(email) === undefined;
    if (isNew) this.upsert(email, {}, 'api');
    return { id: this.find(email) as string, isNew };
  }

  /** Creates or changes the contact with this email. If it cannot, it changes nothing and returns the reason. */
  upsert(email: string, properties: Record<string, unknown>, source: string): string | undefined {
    const items = [{ ok: true as const, email, properties }];
    return this.planner.plan({ kind: 'upsert', items }, source).failures[0]?.error;
  }

  /** The same for a contact that was looked up by id. */
  change(contactId: string, properties: Record<string, unknown>, source: string): string | undefined {
    return this.planner.plan({ kind: 'update', contactId, properties }, source).failures[0]?.error;
  }

  /** Sets platform-only properties. One that would exceed the contact's limits is left out, since these are only a convenience. */
  setOwn(contactId: string, properties: Record<string, unknown>, source: string): void {
    this.planner.plan({ kind: 'update', contactId, properties, isOurs: true }, source);
  }

  /** Logs changes of something that belongs to the contact in its activity log; field names get the prefix `owner`. */
  note(contactId: string, owner: string, changes: readonly Change[], source: string): void {
    for (const change of changes)
      this.planner.note({ ...change, field: `${owner}.${change.field}`, contactId, source });
  }

  async store(tx: Transaction, tenantId: number, now: string): Promise<void> {
    await storePlan(tx, tenantId, this.planner.finish(), now);
  }
}
