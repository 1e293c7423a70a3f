import { beforeAll, describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../test/app.js';
import { makeEmail, tenantWithDomain } from '../../../test/emails.js';
import { sql } from '../../db/sql.js';
import { sweepOutbox } from '../emails/outbox/queries.js';
import { sweepActivity } from './activity/queries.js';

let now = new Date();
const t = useApp({ work: true, clock: { now: () => now, elapsed: () => performance.now() } });
let tenant: TenantClient;
let assetId: string;
const html = '<p>Dear Ada</p><a href="{{unsubscribe_url}}">Unsubscribe</a>';
beforeAll(async () => {
  const names = ['ada', 'bob', 'eve', 'joe', 'kim'];
  tenant = await tenantWithDomain(
    t,
    names.map((name) => ({ email: `${name}@example.com`, properties: { first_name: name } })),
  );
  assetId = await makeEmail(tenant);
});

const code = (reply: Reply) => reply.body.errors[0]?.errorCode;
const store = (change: object = {}, headers = {}) =>
  tenant.post('/v1/email-versions', { assetId, email: 'ada@example.com', html, ...change }, headers);
const activity = async (id = assetId, query = '') =>
  (await tenant.get(`/v2/emails/${id}/activity?pageSize=200${query}`)).body.data;
const versionOf = async (email: string, id = assetId) =>
  (await tenant.get(`/v1/email-versions?assetId=${id}&email=${email}`)).body.data[0];

describe('GET and DELETE /email-versions', () => {
  it('pages newest first by asset, by contact, by both and by all', async () => {
    const own = await tenantWithDomain(t, [{ email: 'a@example.com' }, { email: 'b@example.com' }]);
    const [one, two] = [await makeEmail(own), await makeEmail(own)];
    for (const [id, email] of [
      [one, 'a@example.com'],
      [one, 'b@example.com'],
      [two, 'a@example.com'],
    ] as const)
      await own.post('/v1/email-versions', { assetId: id, email, html });
    const read = async (query: string) => {
      const { body } = await own.get(`/v2/email-versions?${query}`);
      const rows = body.data.map((row: { assetId: string; email: string }) => [row.assetId, row.email]);
      return { rows, total: body.pagination.totalElements, withHtml: body.data.some((row: object) => 'html' in row) };
    };
    const newest = [
      [two, 'a@example.com'],
      [one, 'b@example.com'],
      [one, 'a@example.com'],
    ];
    expect(await read('')).toEqual({ rows: newest, total: 3, withHtml: false });
    expect(await read('page_size=1&page_number=2')).toEqual({ rows: [newest[1]], total: 3, withHtml: false });
    expect(await read(`asset_id=${one}`)).toEqual({ rows: newest.slice(1), total: 2, withHtml: false });
    expect(await read('email=A@example.com')).toEqual({ rows: [newest[0], newest[2]], total: 2, withHtml: false });
    expect(await read(`assetId=${one}&email=b@example.com`)).toEqual({ rows: [newest[1]], total: 1, withHtml: true });
    await own.delete(`/v2/emails/${one}`);
    expect(await read('')).toEqual({ rows: [newest[0]], total: 1, withHtml: false });
    expect(await read('email=a@example.com')).toMatchObject({ total: 1 });
  });

  it('finds versions by a part of the address or the name of a contact, and leaves version 1 as it was', async () => {
    const people = [
      { email: 'ada@example.com', properties: { first_name: 'Ada', last_name: 'Lovelace' } },
      { email: 'grace@example.org', properties: { first_name: 'Grace', last_name: 'Hopper' } },
      { email: 'größe@example.org' },
      { email: 'without@example.com', properties: { first_name: 'Adam' } },
    ];
    const own = await tenantWithDomain(t, people);
    const [one, two] = [await makeEmail(own), await makeEmail(own)];
    for (const { email } of people.slice(0, 3)) await own.post('/v1/email-versions', { assetId: one, email, html });
    await own.post('/v1/email-versions', { assetId: two, email: 'ada@example.com', html });
    const found = async (query: string, version = 'v2') => {
      const { body } = await own.get(`/${version}/email-versions?${query}`);
      expect(body.pagination.totalElements).toBe(body.data.length);
      return body.data.map((row: { email: string }) => row.email);
    };
    const [ada, grace, groesse] = people.map(({ email }) => email);
    expect(await found(`assetId=${one}&search=ADA`)).toEqual([ada]);
    expect(await found(`assetId=${one}&search=hopp`)).toEqual([grace]);
    expect(await found(`assetId=${one}&search=grö`)).toEqual([groesse]);
    expect(await found(`assetId=${one}&search=g`)).toEqual([groesse, grace]);
    expect(await found(`assetId=${one}&search=.org`)).toEqual([groesse, grace]);
    expect(await found(`assetId=${one}&search=%25`)).toEqual([]);
    expect(await found('search=lovelace')).toEqual([ada, ada]);
    expect(await found(`email=${ada}&search=grace`)).toEqual([]);
    const { id } = (await own.get(`/v2/contacts/by-email/${grace}`)).body.data;
    expect(await found(`contactId=${id}`)).toEqual([grace]);
    expect(await found(`contactId=${id}&email=${ada}`)).toEqual([]);
    expect((await own.get('/v2/email-versions?contactId=nobody')).body.errors[0].errorCode).toBe('BAS-E-002');
    expect(await found(`assetId=${one}&search=`)).toHaveLength(3);
    expect(await found(`assetId=${one}&search=ada`, 'v1')).toHaveLength(3);
    expect((await own.get(`/v2/email-versions?assetId=${one}&search=.org&pageSize=1&pageNumber=2`)).body).toMatchObject(
      {
        data: [{ email: grace }],
        pagination: { totalElements: 2 },
      },
    );
    await own.delete(`/v2/emails/${two}`);
    expect(await found('search=ada')).toEqual([ada]);
  });

  it('names what does not exist: 404 for an email, 400 for a contact, even if another tenant has one', async () => {
    const other = await tenantWithDomain(t, [{ email: 'theirs@example.com' }]);
    const [theirs, gone] = [await makeEmail(other), await makeEmail(tenant)];
    await tenant.delete(`/v2/emails/${gone}`);
    const read = async (query: string) => {
      const reply = await tenant.get(`/v1/email-versions?${query}`);
      return [reply.status, code(reply), reply.body.data];
    };
    for (const unknown of ['nope', '', 'f'.repeat(24), theirs, gone])
      for (const query of [`assetId=${unknown}`, `assetId=${unknown}&email=no@example.com`])
        expect(await read(query)).toEqual([404, 'NOT_FOUND', null]);
    for (const unknown of ['', 'x', 'no@example.com', 'theirs@example.com'])
      for (const query of [`email=${unknown}`, `assetId=${assetId}&email=${unknown}`])
        expect(await read(query)).toEqual([400, 'BAS-E-002', null]);
    expect((await read('assetId=nope&pageSize=0'))[1]).toBe('VALIDATION_ERROR');
  });

  it('deletes with both keys, and only then', async () => {
    const id = await makeEmail(tenant);
    await store({ assetId: id });
    const remove = (query: string) => tenant.delete(`/v1/email-versions?${query}`);
    for (const query of ['', `assetId=${id}`, 'email=ada@example.com', `assetId=${id}&email=`, 'assetId=&email=a@b']) {
      const reply = await remove(query);
      expect([reply.status, code(reply)]).toEqual([400, 'VALIDATION_ERROR']);
    }
    expect(code(await remove('assetId=nope&email=ada@example.com'))).toBe('NOT_FOUND');
    expect(code(await remove(`assetId=${id}&email=nobody@example.com`))).toBe('BAS-E-002');
    expect([(await remove(`assetId=${id}&email=bob@example.com`)).status]).toEqual([404]);
    const gone = await remove(`assetId=${id}&email=ADA@example.com`);
    expect(gone.body.data).toEqual({ assetId: id, email: 'ada@example.com', success: true });
    expect((await remove(`assetId=${id}&email=ada@example.com`)).status).toBe(404);
    expect(await activity(id, '&outcome=deleted')).toMatchObject([
      { email: 'ada@example.com', outcome: 'deleted', reason: null },
    ]);
    expect((await tenant.get(`/v1/email-versions?assetId=${id}`)).body.pagination.totalElements).toBe(0);
  });

  it('calls a version expired after its time, not at it', async () => {
    const at = '2030-06-01T12:00:00.000Z';
    const id = await makeEmail(tenant);
    await store({ assetId: id, expiresAt: at });
    now = new Date(at);
    expect((await versionOf('ada@example.com', id)).status).toBe('ready');
    now = new Date(Date.parse(at) + 1);
    expect((await versionOf('ada@example.com', id)).status).toBe('expired');
    now = new Date();
  });
});

describe('GET /v2/emails/{id}/activity', () => {
  it('filters by outcome and pages', async () => {
    const id = await makeEmail(tenant);
    for (let i = 0; i < 3; i++) await store({ assetId: id });
    await store({ assetId: id, html: 'x' });
    const read = async (query: string) => {
      const { body } = await tenant.get(`/v2/emails/${id}/activity?${query}`);
      return [body.data.map((row: { outcome: string }) => row.outcome).join(' '), body.pagination.totalElements];
    };
    expect(await read('')).toEqual(['rejected replaced replaced stored', 4]);
    expect(await read('outcome=rejected')).toEqual(['rejected', 1]);
    expect(await read('outcome=stored&outcome[]=rejected&outcome=stored')).toEqual(['rejected stored', 2]);
    expect(await read('outcome=replaced&pageSize=1&pageNumber=2')).toEqual(['replaced', 2]);
    expect((await tenant.get(`/v2/emails/${id}/activity?outcome=lost`)).status).toBe(400);
    expect((await tenant.get('/v2/emails/nope/activity')).status).toBe(404);
    expect((await tenant.get(`/v1/emails/${id}/activity`)).status).toBe(404);
  });
});

describe('old data', () => {
  it('is removed from the activity and the outbox, and from their counts', async () => {
    const own = await tenantWithDomain(t, [{ email: 'a@example.com' }]);
    const id = await makeEmail(own);
    for (const text of [html, 'x', html])
      await own.post('/v1/email-versions', { assetId: id, email: 'a@example.com', html: text });
    for (const to of ['one@example.org', 'two@example.org']) await own.post(`/v2/emails/${id}/test-send`, { to });
    await t.db.run(sql`
      update email_activity set occurred_at = now() - interval '11 days'
      where tenant_id = ${own.tenantId} and outcome in ('stored', 'rejected')`);
    await t.db.run(sql`
      update outbox_message set created_at = now() - interval '6 days'
      where tenant_id = ${own.tenantId} and to_address = 'one@example.org'`);
    expect([await sweepActivity(t.db, 12, 10), await sweepOutbox(t.db, 7, 10)]).toEqual([0, 0]);
    expect([await sweepActivity(t.db, 10, 1), await sweepActivity(t.db, 10, 10)]).toEqual([1, 1]);
    expect(await sweepOutbox(t.db, 5, 10)).toBe(1);
    const left = (await own.get(`/v2/emails/${id}/activity`)).body;
    expect([left.data.map((row: { outcome: string }) => row.outcome), left.pagination.totalElements]).toEqual([
      ['replaced'],
      1,
    ]);
    const outbox = (await own.get('/v2/outbox')).body;
    expect([outbox.data.map((row: { to: string }) => row.to), outbox.pagination.totalElements]).toEqual([
      ['two@example.org'],
      1,
    ]);
  });
});

describe('erasure', () => {
  it('removes a person’s versions, addresses and messages, and keeps the counts', async () => {
    const email = 'gone@example.com';
    const own = await tenantWithDomain(t, [
      { email, properties: { first_name: 'Gonda' } },
      { email: 'stays@example.com' },
    ]);
    const id = await makeEmail(own, { subject: 'For {{first_name}}' });
    for (const to of [email, 'stays@example.com'])
      await own.post('/v1/email-versions', { assetId: id, email: to, html });
    await own.post('/v1/email-versions', { assetId: id, email, html: 'x' });
    const key = { 'idempotency-key': 'k' };
    await own.post(`/v2/emails/${id}/test-send`, { to: 'me@example.org', email }, key);
    await own.post(`/v2/emails/${id}/test-send`, { to: email });
    await own.post(`/v2/emails/${id}/test-send`, { to: 'me@example.org' });
    await own.post(`/v2/emails/${id}/preview`, { email }, key);
    const contact = (await own.get(`/v1/contacts/by-email/${email}`)).body.data;
    await own.done(await own.delete(`/v2/contacts/${contact.id}`));
    const { body } = await own.get(`/v1/email-versions?assetId=${id}`);
    expect(body.data.map((row: { email: string }) => row.email)).toEqual(['stays@example.com']);
    expect(body.pagination.totalElements).toBe(1);
    const rows = (await own.get(`/v2/emails/${id}/activity`)).body;
    expect(rows.data.map((row: { email: string | null }) => row.email)).toEqual([null, 'stays@example.com', null]);
    expect(rows.pagination.totalElements).toBe(3);
    expect((await own.get('/v2/outbox')).body.pagination.totalElements).toBe(1);
    const kept = await Promise.all([
      t.db.rows(sql`select t::text as row from email_version t`),
      t.db.rows(sql`select t::text as row from email_activity t`),
      t.db.rows(sql`select t::text as row from outbox_message t`),
      t.db.rows(sql`select t::text as row from idempotency_key t`),
      t.db.rows(sql`select t::text as row from contact t`),
    ]);
    expect(JSON.stringify(kept)).not.toMatch(/gone@|Gonda/);
  });

  it('makes the contact unknown to later versions', async () => {
    const own = await tenantWithDomain(t, [{ email: 'later@example.com' }]);
    const id = await makeEmail(own);
    await own.post('/v1/email-versions', { assetId: id, email: 'later@example.com', html });
    const contact = (await own.get('/v1/contacts/by-email/later@example.com')).body.data;
    await own.done(await own.delete(`/v2/contacts/${contact.id}`));
    expect(code(await own.post('/v1/email-versions', { assetId: id, email: 'later@example.com', html }))).toBe(
      'BAS-E-002',
    );
    expect(code(await own.post(`/v2/emails/${id}/preview`, { email: 'later@example.com' }))).toBe('BAS-E-002');
  });
});
