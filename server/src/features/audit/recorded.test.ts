// What other features append, seen from outside.
import { expect, it } from 'vitest';
import { makePerson, signedIn } from '../../../test/accounts.js';
import { useApp } from '../../../test/app.js';
import { auditOf } from '../../../test/audit.js';
import { makeContact } from '../../../test/events.js';
import { makeJourney } from '../../../test/journeys.js';
import { sql } from '../../db/sql.js';
import { recordAudit } from './index.js';

const t = useApp({ work: true });

/** The account that a new tenant has, and where injected requests come from. */
const byToken = { accountId: expect.any(Number), address: '127.0.0.1' };

it('logs what was done to a journey and by whom, once, and nothing that was refused', async () => {
  const own = await t.tenant();
  const id = await makeJourney(own);
  const key = { 'idempotency-key': 'once' };
  for (const headers of [key, key])
    expect((await own.post(`/v2/journeys/${id}/activate`, undefined, headers)).status).toBe(200);
  expect((await own.post(`/v2/journeys/${id}/activate`)).status).toBe(409);
  for (const move of ['pause', 'resume', 'deactivate'])
    expect((await own.post(`/v2/journeys/${id}/${move}`)).status).toBe(200);
  expect((await own.post(`/v2/journeys/${id}/resume`)).status).toBe(409);
  expect((await own.delete(`/v2/journeys/${id}`)).status).toBe(200);
  expect((await own.delete(`/v2/journeys/${id}`)).status).toBe(404);
  expect(await auditOf(t, own.tenantId, 'journey.')).toEqual(
    ['activated', 'paused', 'resumed', 'deactivated', 'deleted'].map((what) => ({
      ...{ action: `journey.${what}`, subject: id, detail: '{"name":"A journey"}', ...byToken },
    })),
  );
});

it('logs an erasure when it is applied, with only the id of the contact and who asked', async () => {
  const own = await t.tenant();
  const ids = [await makeContact(own, 'zoe@example.com'), await makeContact(own, 'max@example.com')];
  const asked = await Promise.all(ids.map((id) => own.delete(`/v2/contacts/${id}`)));
  for (const acknowledged of asked) await own.done(acknowledged);
  const recorded = await auditOf(t, own.tenantId, 'contact.');
  const entry = { action: 'contact.erased', subject: expect.any(String), detail: '{}', ...byToken };
  expect(recorded).toEqual([entry, entry]);
  expect(new Set(recorded.map(({ subject }) => subject))).toEqual(new Set(ids));
});

it('logs which report was exported', async () => {
  const own = await t.tenant();
  expect((await own.get('/exports/stats/journeys')).status).toBe(200);
  expect((await own.get('/exports/stats/journeys?startTime=never')).status).toBe(400);
  const failed = await own.post('/v2/contacts/batch', { contacts: [{ email: 'nobody' }] });
  await own.done(failed);
  const { transactionId } = failed.body.data;
  expect((await own.get(`/exports/transactions/${transactionId}/errors`)).status).toBe(200);
  expect(await auditOf(t, own.tenantId, 'report.')).toEqual([
    { action: 'report.exported', subject: 'journeys', detail: '{}', ...byToken },
    { action: 'report.exported', subject: 'transaction-errors', detail: JSON.stringify({ transactionId }), ...byToken },
  ]);
});

it('logs webhooks that are added and removed, and renewals of their secrets, without the secrets', async () => {
  const own = await t.tenant();
  const url = 'https://hooks.example.com/a-secret-path?key=secret';
  const made = await own.post('/v2/webhooks', { url, events: ['message.sent'] });
  const { webhookId, secret } = made.body.data;
  const renewed = (await own.post('/v2/webhooks/secret')).body.data.secret;
  expect((await own.delete(`/v2/webhooks/${webhookId}`)).status).toBe(200);
  expect((await own.delete(`/v2/webhooks/${webhookId}`)).status).toBe(404);
  const recorded = await auditOf(t, own.tenantId, 'webhook.');
  const detail = JSON.stringify({ host: 'hooks.example.com', events: ['message.sent'] });
  expect(recorded).toEqual([
    { action: 'webhook.added', subject: webhookId, detail, ...byToken },
    { action: 'webhook.secret-renewed', subject: null, detail: '{}', ...byToken },
    { action: 'webhook.removed', subject: webhookId, detail: '{}', ...byToken },
  ]);
  for (const each of [secret, renewed, 'a-secret-path']) expect(JSON.stringify(recorded)).not.toContain(each);
});

it('logs a lifted suppression, only with the id of the contact', async () => {
  const own = await t.tenant();
  const id = await makeContact(own, 'zoe@example.com');
  for (const email of ['zoe@example.com', 'nobody@example.com']) {
    expect((await own.put(`/v2/suppressions/${email}`, {})).status).toBe(200);
    expect((await own.delete(`/v2/suppressions/${email}`)).status).toBe(200);
    expect((await own.delete(`/v2/suppressions/${email}`)).status).toBe(404);
  }
  expect(await auditOf(t, own.tenantId, 'suppression.')).toEqual(
    [id, null].map((subject) => ({ action: 'suppression.lifted', subject, detail: '{}', ...byToken })),
  );
});

it('logs accounts that an operator makes', async () => {
  const { tenantId } = await t.tenant();
  const made = await t.admin.post(`/admin/tenants/${tenantId}/accounts`, { name: 'CRM sync', email: 'x@example.com' });
  expect(await auditOf(t, tenantId, 'account.')).toEqual([
    {
      ...{ action: 'account.created', subject: `${made.body.data.accountId}`, detail: '{"name":"CRM sync"}' },
      ...{ accountId: null, address: '127.0.0.1' },
    },
  ]);
});

it('logs that people change their names, in each of their workspaces', async () => {
  const [one, two] = [await t.tenant(), await t.tenant()];
  const person = await makePerson(t, { tenantId: one.tenantId });
  await t.db.run(sql`
    insert into account (tenant_id, name, person_id) values (${two.tenantId}, 'Pat Person', ${person.personId})`);
  const b = await signedIn(t, person);
  for (const name of ['Pat', 'Pat'])
    expect((await b.post('/oauth/session/account', { do: 'name', name })).status).toBe(200);
  for (const { tenantId } of [one, two])
    expect(await auditOf(t, tenantId, 'person.')).toMatchObject([{ action: 'person.renamed', detail: '{}' }]);
});

it('does not delay acknowledgements while an entry is appended: only other appends wait', async () => {
  const own = await t.tenant();
  const id = await makeContact(own, 'zoe@example.com');
  expect((await own.get('/exports/stats/journeys')).status).toBe(200);
  const erasure = await t.db.transaction(async (tx) => {
    await recordAudit(tx, { tenantId: own.tenantId, accountId: null, address: null }, 'sign-in.failed');
    await own.done(await own.post('/v2/contacts', { email: 'max@example.com' }));
    await own.done(await own.patch(`/v2/contacts/${id}`, { properties: { plan: 'team' } }));
    return own.delete(`/v2/contacts/${id}`);
  });
  expect(erasure.status).toBe(200);
  await own.done(erasure);
  const recorded = await auditOf(t, own.tenantId, '');
  expect(recorded.map(({ action }) => action).slice(-3)).toEqual([
    'report.exported',
    'sign-in.failed',
    'contact.erased',
  ]);
});
