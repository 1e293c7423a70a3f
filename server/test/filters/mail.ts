// What the mail feature does to contacts, done straight in the tables, with the marks that lists depend on.
import { sql } from '../../src/db/sql.js';
import { Filters } from '../../src/features/dynamic-lists/engine/filters.js';
import { marks } from '../../src/features/dynamic-lists/engine/mark-changes.js';
import { marketingKeys } from '../../src/features/messages/subjects/index.js';
import type { TestApp } from '../app.js';
import { type MarketingRow, storeMarketing } from '../events.js';
import { appSubjects } from './subjects.js';
import type { Activity } from './world.js';

const filters = new Filters(() => appSubjects);

async function mark(t: TestApp, tenantId: number, contactId: string, keys: readonly string[]): Promise<void> {
  const { markChanged } = marks(filters, () => t.app.wake('audiences'));
  await t.db.transaction(async (tx) => {
    const moment = await tx.row(sql<{ now: string }>`select now()::text as now`);
    await markChanged(tx, tenantId, [{ contactId, keys }], moment?.now as string);
  });
}

/** Something happened to mails to a contact. */
export async function happened(
  t: TestApp,
  tenantId: number,
  contactId: string,
  rows: readonly (MarketingRow & { eventName: Activity['what'] })[],
): Promise<void> {
  await storeMarketing(t, tenantId, contactId, rows);
  const keys = rows.flatMap(({ eventName }) => marketingKeys(eventName));
  await mark(t, tenantId, contactId, keys);
}

/** All opens and clicks of a contact turn out to be a machine's, or a person's. */
export async function judged(t: TestApp, tenantId: number, contactId: string, isMachine: boolean): Promise<void> {
  await t.db.run(sql`
    update marketing_activity set is_machine = ${isMachine}
    where tenant_id = ${tenantId} and contact_id = ${contactId} and event_name in ('opened', 'clicked')`);
  await mark(t, tenantId, contactId, [...marketingKeys('opened'), ...marketingKeys('clicked')]);
}

/** The contact's address is suppressed as unsubscribed, or released. */
export async function subscribed(t: TestApp, tenantId: number, contactId: string, isIn: boolean): Promise<void> {
  await t.db.run(sql`
    update contact set properties = properties - 'unsubscribed' || ${isIn ? '{}' : '{"unsubscribed": true}'}::jsonb
    where tenant_id = ${tenantId} and contact_id = ${contactId}`);
  await mark(t, tenantId, contactId, ['property:unsubscribed']);
}
