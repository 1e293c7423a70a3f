import type { Transaction } from '../../db/database.js';
import type { Cause } from '../../db/news.js';
import { newContactId } from '../../lib/ids.js';
import { Planner } from './plan-writes.js';
import type { Change, Properties } from './properties.js';
import { selectStored } from './queries.js';
import { storePlan } from './store-plan.js';

/** The contacts that another feature's writes name: found together, made and changed on demand, stored together. */
export class ContactBook {
  private constructor(private readonly planner: Planner) {}

  /** Under the tenant's lock, so that the same contacts are not made twice. */
  static async open(
    tx: Transaction,
    tenantId: number,
    emails: readonly string[],
    ids: readonly string[] = [],
  ): Promise<ContactBook> {
    const stored = await selectStored(tx, tenantId, [...new Set(emails)], [...new Set(ids)]);
    return new ContactBook(new Planner(stored, newContactId));
  }

  /** What is changed from here on belongs to a write that was acknowledged then. */
  asOf(at: string, cause?: Cause): void {
    this.planner.asOf(at, cause);
  }

  find(email: string): string | undefined {
    return this.planner.find(email)?.id;
  }

  /** What the contact with this email has there, as far as it was changed here. */
  propertyOf(email: string, key: string): unknown {
    return this.planner.find(email)?.properties[key];
  }

  /** All that a contact has that was found by its id, as far as it was changed here. */
  propertiesOf(contactId: string): Properties | undefined {
    return this.planner.findById(contactId)?.properties;
  }

  /** The contact with this email. `isNew` for the one call that makes it. */
  ensure(email: string): { id: string; isNew: boolean } {
    const isNew = this.find(email) === undefined;
    if (isNew) this.upsert(email, {}, 'api');
    return { id: this.find(email) as string, isNew };
  }

  /** Makes or changes the contact with this email. Returns why it cannot, if so: nothing has changed then. */
  upsert(email: string, properties: Record<string, unknown>, source: string): string | undefined {
    const items = [{ ok: true as const, email, properties }];
    return this.planner.plan({ kind: 'upsert', items }, source).failures[0]?.error;
  }

  /** The same for a contact that was found by its id. */
  change(contactId: string, properties: Record<string, unknown>, source: string): string | undefined {
    return this.planner.plan({ kind: 'update', contactId, properties }, source).failures[0]?.error;
  }

  /** Sets properties that only the platform sets. One that would take a contact past its limits is left out: it is a convenience. */
  setOwn(contactId: string, properties: Record<string, unknown>, source: string): void {
    this.planner.plan({ kind: 'update', contactId, properties, isOurs: true }, source);
  }

  /** Puts changes of something that belongs to the contact into its activity log: `owner` comes before their fields. */
  note(contactId: string, owner: string, changes: readonly Change[], source: string): void {
    for (const change of changes)
      this.planner.note({ ...change, field: `${owner}.${change.field}`, contactId, source });
  }

  async store(tx: Transaction, tenantId: number, now: string): Promise<void> {
    await storePlan(tx, tenantId, this.planner.finish(), now);
  }
}
