// A person about whom Rapport holds every kind of data that it can hold.
import { bytes, sql } from '../src/db/sql.js';
import { newContactId } from '../src/lib/ids.js';
import type { TestApp } from './app.js';
import { makeTopic } from './consent.js';
import { makeDynamicList } from './dynamic-lists.js';
import { startJourney } from './enrolments.js';
import { makeUser, sendEvents } from './events.js';
import { makeForm, postJson, settled } from './forms.js';
import { plainDefinition } from './journeys.js';
import { eventually, type Mailer, makeMailer } from './messages.js';

export interface KnownPerson {
  tenant: Mailer;
  id: string;
  email: string;
}

/** Needs `work: true`. */
export async function makeKnownPerson(t: TestApp, email = 'zoe@example.com'): Promise<KnownPerson> {
  const tenant = await makeMailer(t, { subject: 'Hi {{first_name}}' });
  const id = await tenant.contact(email, { first_name: 'Zoë', plan: 'pro' });
  const person = { tenant, id, email };
  await tenant.done(await tenant.patch(`/v2/contacts/${id}`, { properties: { plan: 'team' } }));
  await makeProductUser(t, person);
  await makeConsent(t, person);
  await makeMail(person);
  await makeMemberships(person);
  await makeJourneys(t, person);
  await seedWaiting(t, person);
  return person;
}

async function makeProductUser(t: TestApp, { tenant, email }: KnownPerson): Promise<void> {
  await tenant.post('/v2/organizations', { orgId: 'acme', name: 'Acme' });
  await makeUser(tenant, email, 'zoe-1');
  await tenant.done(await tenant.post('/v2/users', { userId: 'zoe-1', email, orgIds: ['acme'] }));
  const event = { email, eventName: 'exported', eventDate: '2026-11-01T10:00:00.000Z', eventProperties: { rows: 3 } };
  await sendEvents(tenant, [
    { ...event, eventId: 'e-1' },
    { ...event, eventName: 'opened' },
  ]);
  await t.db.run(sql`
    insert into ingest_refusal (tenant_id, received_at, call, user_id, reason)
    values (${tenant.tenantId}, now(), 'track', 'zoe-1', 'It has no event.')`);
  await t.db.run(sql`
    insert into waiting_user (tenant_id, user_id, traits, first_at)
    values (${tenant.tenantId}, 'zoe-1', '{"plan": "pro"}', now())`);
}

async function makeConsent(t: TestApp, { tenant, id, email }: KnownPerson): Promise<void> {
  const topicId = await makeTopic(tenant, 'News');
  await tenant.put(`/v2/contacts/${id}/topics/${topicId}`, { state: 'subscribed', text: 'Zoë agrees' });
  const form = await makeForm(tenant);
  await postJson(t, form.path, { email, first_name: 'Zoë' });
  await settled(tenant, form.formId, 1);
}

async function makeMail({ tenant, id, email }: KnownPerson): Promise<void> {
  const html = '<p>For Zoë alone</p><a href="{{unsubscribe_url}}">No more</a>';
  await tenant.post('/v2/email-versions', { assetId: tenant.emailId, email, html });
  await tenant.until(await tenant.queue({ email, data: { order: 'A-17' } }), 'sent');
  await tenant.post(`/v2/emails/${tenant.emailId}/test-send`, { to: 'staff@example.com', contactId: id });
  await tenant.put(`/v2/suppressions/${email}`, { reason: 'manual' });
}

async function makeMemberships({ tenant, id }: KnownPerson): Promise<void> {
  const list = await tenant.post('/v2/lists', { name: 'Newsletter' });
  await tenant.post(`/v2/lists/${list.body.data.staticListId}/members`, { contactIds: [id] });
  const { staticListId: left } = (await tenant.post('/v2/lists', { name: 'Spring campaign' })).body.data;
  await tenant.post(`/v2/lists/${left}/members`, { contactIds: [id] });
  await tenant.delete(`/v2/lists/${left}/members/${id}`);
  const dynamicListId = await makeDynamicList(tenant, { property: 'plan', is: 'team' }, 'Teams');
  const members = async () => (await tenant.get(`/v2/dynamic-lists/${dynamicListId}/members`)).body.data;
  await eventually(members, (found) => found?.length === 1);
}

async function makeJourneys(t: TestApp, { tenant, id }: KnownPerson): Promise<void> {
  const journeyId = await startJourney(tenant, plainDefinition);
  await tenant.post(`/v2/journeys/${journeyId}/enroll`, { contactIds: [id] });
  const journeys = async () => (await tenant.get(`/v2/contacts/${id}/journeys`)).body.data;
  // It stands at its first step from the start: only once it waits there is its timeline complete, and a pause stops nothing.
  const hour = 3_600_000;
  await eventually(journeys, ([first]) => Date.parse(first?.dueAt) - Date.parse(first?.enteredAt) > hour);
  // A paused journey keeps what arrives for later.
  await tenant.post(`/v2/journeys/${journeyId}/pause`);
  const { tenantId } = tenant;
  const journeyNo = sql`(select journey_no from journey where tenant_id = ${tenantId} and journey_id = ${bytes(journeyId)})`;
  await t.db.run(sql`
    insert into journey_news (tenant_id, journey_no, kind, contact_id, at, data)
    values (${tenantId}, ${journeyNo}, 'event', ${id}, now(), '{"eventName": "exported"}')`);
  await t.db.run(sql`
    insert into journey_date (tenant_id, journey_no, contact_id, due_at) values (${tenantId}, ${journeyNo}, ${id}, '2099-01-01')`);
  const runId = bytes('0190000000000000000000aa');
  await t.db.run(sql`
    insert into journey_run (tenant_id, run_id, journey_no, version, run_at) values (${tenantId}, ${runId}, ${journeyNo}, 1, now())`);
  await t.db.run(sql`
    insert into journey_run_chunk (tenant_id, run_id, chunk_no, contact_ids) values (${tenantId}, ${runId}, 0, array[${id}::uuid])`);
}

/** A write that waits and that no worker takes meanwhile: a large import that is not due lets others pass. */
async function seedWaiting(t: TestApp, { tenant: { tenantId }, id, email }: KnownPerson): Promise<void> {
  const uuid = newContactId();
  await t.db.run(sql`
    insert into webhook_delivery (tenant_id, delivery_id, lane, contact_id, type, url, body, timeout_ms, state)
    values (${tenantId}, ${newContactId()}, 'x', ${id}, 'message.sent', 'https://example.com/hook', '{"name": "Zoë"}', 1000, 'delivered')`);
  await t.db.run(sql`
    insert into agent_plan (tenant_id, plan_id, account_id, action, arguments, contact_ids, sentence, reach, basis, expires_at)
    select ${tenantId}, ${bytes('0190000000000000000000ab')}, min(account_id), 'change', '{"properties": {"city": "Zoë’s"}}',
      array[${id}::text], 'Change one contact.', 1, '{}', now() from account where tenant_id = ${tenantId}`);
  await t.db.run(sql`
    insert into write_transaction (tenant_id, transaction_id, kind, items, payload, is_long, due_at)
    values (${tenantId}, ${uuid}, 'contact.import', 1000000, '{}', true, '2099-01-01')`);
  await t.db.run(sql`
    insert into write_failure (tenant_id, transaction_id, item, email, error, cells)
    values (${tenantId}, ${uuid}, 3, ${email}, 'It is too long.', ${JSON.stringify([email, 'Zoë'])})`);
  const rows = [{ email: 'max@example.com' }, { email: email.toUpperCase(), properties: { seats: 4 } }];
  await t.db.run(sql`
    insert into import_chunk (tenant_id, transaction_id, chunk, first_row, row_count, payload)
    values (${tenantId}, ${uuid}, 0, 10, 2, ${rows.map((row) => JSON.stringify(row)).join('\n')})`);
}
