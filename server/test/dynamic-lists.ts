// Contacts and memberships created without any worker, for tests that look at one moment.
import { counters } from '../src/db/counters.js';
import { bytes, sql } from '../src/db/sql.js';
import { newContactId } from '../src/lib/ids.js';
import type { TenantClient, TestApp } from './app.js';

/** Returns their ids, in order. */
export async function seedContacts(
  t: TestApp,
  { tenantId }: TenantClient,
  contacts: readonly { email: string; properties?: Record<string, unknown> }[],
): Promise<string[]> {
  const rows = contacts.map(({ email, properties = {} }) => ({ id: newContactId(), email, properties }));
  await t.db.transaction(async (tx) => {
    await tx.run(sql`
      insert into contact (tenant_id, contact_id, email, properties, search_text, created_at, updated_at)
      select ${tenantId}, r.id, r.email, r.properties, r.email, now(), now()
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, email text, properties jsonb)`);
    await tx.run(sql`
      insert into counter_delta (tenant_id, counter, delta) values (${tenantId}, ${counters.contacts}, ${rows.length})`);
    const keys = [...new Set(rows.flatMap((row) => Object.keys(row.properties)))];
    await tx.run(sql`
      insert into property_key (tenant_id, key) select ${tenantId}, unnest(${keys}::text[]) on conflict do nothing`);
  });
  return rows.map((row) => row.id);
}

/** As if the list had been computed: these are its members, who joined at these times. */
export async function seedMembers(
  t: TestApp,
  { tenantId }: TenantClient,
  listId: string,
  members: readonly { contactId: string; joinedAt: string }[],
): Promise<void> {
  await t.db.transaction(async (tx) => {
    const list = await tx.row(sql<{ no: number }>`
      update dynamic_list set is_built = true, computed_at = now()
      where tenant_id = ${tenantId} and list_id = ${bytes(listId)} returning list_no as no`);
    const no = list?.no as number;
    await tx.run(sql`
      insert into dynamic_member (tenant_id, list_no, contact_id, joined_at)
      select ${tenantId}, ${no}, r."contactId", r."joinedAt"
      from jsonb_to_recordset(${JSON.stringify(members)}::jsonb) as r ("contactId" uuid, "joinedAt" timestamptz)`);
    await tx.run(sql`
      insert into counter_delta (tenant_id, counter, delta)
      values (${tenantId}, ${counters.dynamicMembers(no)}, ${members.length})`);
  });
}

/** The id of a new dynamic list. */
export async function makeDynamicList(tenant: TenantClient, filter: unknown, name = 'A list'): Promise<string> {
  const { status, body, text } = await tenant.post('/v2/dynamic-lists', { name, filter });
  if (status !== 200) throw new Error(text);
  return body.data.dynamicListId;
}
