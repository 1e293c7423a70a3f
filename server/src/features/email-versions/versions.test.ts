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

describe('POST /email-versions', () => {
  it.each(['/v1', '/v2'])('stores a version under %s, and it can be read back', async (version) => {
    const id = await makeEmail(tenant);
    const body = {
      assetId: id,
      email: ' ADA@example.com',
      html,
      subject: 'For you',
      preheader: 'p',
      expiresAt: '2999-01-01',
    };
    const { status, body: answer } = await tenant.post(`${version}/email-versions`, body);
    expect([status, answer.data]).toEqual([200, { status: 'stored' }]);
    expect(await versionOf('ada@example.com', id)).toEqual({
      assetId: id,
      email: 'ada@example.com',
      contactId: expect.stringMatching(/^[0-9a-f]{32}$/),
      subject: 'For you',
      preheader: 'p',
      status: 'ready',
      expiresAt: '2999-01-01T00:00:00.000Z',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      html,
    });
    expect(await activity(id)).toEqual([
      { occurredAt: expect.any(String), email: 'ada@example.com', outcome: 'stored', reason: null },
    ]);
  });

  it('replaces the version of the same contact, whole', async () => {
    const id = await makeEmail(tenant);
    await store({ assetId: id, subject: 'One', preheader: 'p', expiresAt: '2999-01-01' });
    await store({ assetId: id, html: `${html}<!-- two -->` });
    await store({ assetId: id, email: 'bob@example.com' });
    const list = await tenant.get(`/v1/email-versions?assetId=${id}`);
    expect(list.body.pagination.totalElements).toBe(2);
    expect(await versionOf('ada@example.com', id)).toMatchObject({
      subject: null,
      preheader: null,
      expiresAt: null,
      html: `${html}<!-- two -->`,
    });
    expect((await activity(id)).map((row: { outcome: string }) => row.outcome)).toEqual([
      'stored',
      'replaced',
      'stored',
    ]);
  });

  it('asks for an asset first, and records nothing where there is none', async () => {
    for (const wrong of [undefined, null, 5, '', '  ', {}]) {
      const reply = await tenant.post('/v1/email-versions', { assetId: wrong, email: 'ada@example.com', html });
      expect([reply.status, code(reply), reply.body.errors[0].detail]).toEqual([400, 'VALIDATION_ERROR', 'assetId']);
    }
    const deleted = await makeEmail(tenant);
    await tenant.delete(`/v2/emails/${deleted}`);
    for (const unknown of ['nope', 'f'.repeat(24), deleted]) {
      const reply = await store({ assetId: unknown });
      expect([reply.status, code(reply)]).toEqual([404, 'NOT_FOUND']);
    }
    for (const body of ['[]', '"x"', '5', 'null', '{', '']) {
      const reply = await tenant.post('/v1/email-versions', body);
      expect([reply.status, code(reply)]).toEqual([400, 'VALIDATION_ERROR']);
    }
  });

  it.each([
    ['no email', { email: undefined }, 'email is required'],
    ['an email that is none', { email: 'nobody' }, 'email'],
    ['an email of another type', { email: 5 }, 'email must be a string'],
    ['no html', { html: undefined }, 'html is required'],
    ['html of another type', { html: ['x'] }, 'html must be a string'],
    ['html without the token', { html: '<p>Hi</p>' }, 'html must contain {{unsubscribe_url}}'],
    ['html with another token', { html: `${html}{{first_name}}` }, 'other than {{unsubscribe_url}}'],
    ['a token in an attribute', { html: `${html}<p title="{{first_name}}">` }, 'other than {{unsubscribe_url}}'],
    ['nested braces', { html: `${html}{{{first_name}}}` }, 'other than {{unsubscribe_url}}'],
    ['html that is too large', { html: html.padEnd(512_001, 'x') }, '512000 bytes'],
    ['html that is too large in UTF-8', { html: html + '€'.repeat(170_660) }, '512000 bytes'],
    ['unsound Unicode', { html: `${html}\ud800` }, 'html must be valid Unicode'],
    ['a NUL', { html: `${html}\u0000` }, 'html must be valid Unicode'],
    ['CRLF in the subject', { subject: 'Hi\r\nBcc: x@example.com' }, 'subject must not have line breaks'],
    ['a subject of another type', { subject: 7 }, 'subject must be a string'],
    ['a time that is none', { expiresAt: 'tomorrow' }, 'expiresAt must be an RFC 3339 time'],
  ])('refuses %s, says why on the activity, and leaves what was in force', async (_, change, reason) => {
    await store({ email: 'joe@example.com', subject: 'In force' });
    const before = (await activity()).length;
    const reply = await store({ email: 'joe@example.com', ...change });
    expect([reply.status, code(reply)]).toEqual([400, 'VALIDATION_ERROR']);
    expect(reply.body.errors[0].message).toContain(reason);
    const rows = await activity();
    expect(rows).toHaveLength(before + 1);
    expect(rows[0]).toMatchObject({ outcome: 'rejected', reason: expect.stringContaining(reason) });
    expect(await versionOf('joe@example.com')).toMatchObject({ subject: 'In force', html });
  });

  it('refuses an unknown contact with BAS-E-002, on the activity too', async () => {
    const reply = await store({ email: 'nobody@example.com' });
    expect([reply.status, code(reply)]).toEqual([400, 'BAS-E-002']);
    const [row] = await activity();
    expect(row).toMatchObject({
      email: 'nobody@example.com',
      outcome: 'rejected',
      reason: reply.body.errors[0].message,
    });
  });

  it('takes 512,000 bytes with a multi-byte character at the edge', async () => {
    const filler = 512_000 - Buffer.byteLength(html);
    const exact = html + 'x'.repeat(filler % 3) + '€'.repeat(Math.floor(filler / 3));
    expect(Buffer.byteLength(exact)).toBe(512_000);
    expect((await store({ email: 'kim@example.com', html: exact })).status).toBe(200);
    expect((await versionOf('kim@example.com')).html).toBe(exact);
  });

  it('stores a version whose time is over as expired', async () => {
    expect((await store({ email: 'eve@example.com', expiresAt: '2001-01-01T00:00:00Z' })).status).toBe(200);
    expect(await versionOf('eve@example.com')).toMatchObject({
      status: 'expired',
      expiresAt: '2001-01-01T00:00:00.000Z',
    });
  });

  it('replays a success without a second arrival, and never a failure', async () => {
    const id = await makeEmail(tenant);
    const headers = { 'idempotency-key': 'once' };
    expect((await store({ assetId: id, html: 'x' }, headers)).status).toBe(400);
    expect((await store({ assetId: id }, headers)).status).toBe(200);
    const again = await store({ assetId: id }, headers);
    expect([again.status, again.headers['idempotency-replayed'], again.body.data]).toEqual([
      200,
      'true',
      { status: 'stored' },
    ]);
    expect((await activity(id)).map((row: { outcome: string }) => row.outcome)).toEqual(['stored', 'rejected']);
    expect(code(await store({ assetId: id, subject: 'other' }, headers))).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('keeps exactly one version when many come at once', async () => {
    const id = await makeEmail(tenant);
    const replies = await Promise.all(Array.from({ length: 12 }, (_, i) => store({ assetId: id, subject: `s${i}` })));
    expect(replies.every((reply) => reply.status === 200)).toBe(true);
    const { body } = await tenant.get(`/v1/email-versions?assetId=${id}`);
    expect(body.pagination.totalElements).toBe(1);
    const outcomes = (await activity(id)).map((row: { outcome: string }) => row.outcome).sort();
    expect(outcomes).toEqual([...Array(11).fill('replaced'), 'stored']);
  });
});

describe('POST /v2/email-versions/batch', () => {
  it('has an outcome for each item, and a refused one harms no other', async () => {
    const id = await makeEmail(tenant);
    const versions = [
      { assetId: id, email: 'Ada@example.com', html },
      { assetId: id, email: 'nobody@example.com', html },
      { assetId: 'f'.repeat(24), email: 'bob@example.com', html },
      { assetId: id, email: 'bob@example.com', html: 'x' },
      { assetId: id, email: 'bob@example.com', html, subject: 'first' },
      { assetId: id, email: 'bob@example.com', html, subject: 'second' },
      5,
      null,
      { email: 'eve@example.com', html },
    ];
    const { status, body } = await tenant.post('/v2/email-versions/batch', { versions });
    expect(status).toBe(200);
    expect(body.data.results.map((r: { status: string; errorCode?: string }) => r.errorCode ?? r.status)).toEqual([
      'stored',
      'BAS-E-002',
      'NOT_FOUND',
      'VALIDATION_ERROR',
      'stored',
      'stored',
      'VALIDATION_ERROR',
      'VALIDATION_ERROR',
      'VALIDATION_ERROR',
    ]);
    expect(body.data.results[0]).toEqual({ assetId: id, email: 'ada@example.com', status: 'stored' });
    expect(body.data.results[3].reason).toContain('{{unsubscribe_url}}');
    expect(body.data.results[6]).toMatchObject({ assetId: null, email: null });
    expect(await versionOf('bob@example.com', id)).toMatchObject({ subject: 'second' });
    const outcomes = (await activity(id)).map((row: { outcome: string }) => row.outcome);
    expect(outcomes).toEqual(['replaced', 'stored', 'rejected', 'rejected', 'stored']);
    expect((await tenant.get(`/v1/email-versions?assetId=${id}`)).body.pagination.totalElements).toBe(2);
  });

  it('takes 1 to 100', async () => {
    const many = (n: number) => tenant.post('/v2/email-versions/batch', { versions: Array(n).fill({}) });
    expect((await many(0)).status).toBe(400);
    expect((await many(100)).status).toBe(200);
    expect((await many(101)).status).toBe(400);
    expect((await tenant.post('/v2/email-versions/batch', {})).status).toBe(400);
    expect((await tenant.post('/v1/email-versions/batch', { versions: [{}] })).status).toBe(404);
  });

  it('replays with the addresses of the request, which it does not keep', async () => {
    const headers = { 'idempotency-key': 'batch' };
    const body = { versions: [{ assetId, email: 'kim@example.com', html }] };
    const first = await tenant.post('/v2/email-versions/batch', body, headers);
    const second = await tenant.post('/v2/email-versions/batch', body, headers);
    expect(second.body.data).toEqual(first.body.data);
    expect(second.headers['idempotency-replayed']).toBe('true');
    const kept = await t.db.rows(sql<{ response: string }>`select response from idempotency_key where key = 'batch'`);
    expect(kept[0]?.response).not.toContain('kim@');
  });

  it('treats another tenant’s email and contact as what never was', async () => {
    const other = await tenantWithDomain(t, [{ email: 'other@example.net' }]);
    const theirs = await makeEmail(other);
    const versions = [
      { assetId: theirs, email: 'ada@example.com', html },
      { assetId, email: 'other@example.net', html },
    ];
    const { body } = await tenant.post('/v2/email-versions/batch', { versions });
    expect(body.data.results.map((r: { errorCode: string }) => r.errorCode)).toEqual(['NOT_FOUND', 'BAS-E-002']);
    expect((await other.get(`/v2/emails/${theirs}/activity`)).body.data).toEqual([]);
  });
});

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

  it('names what is not there: 404 for an email, 400 for a contact, whoever else has one', async () => {
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

  it('tells a version expired after its time, not at it', async () => {
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

describe('what is old', () => {
  it('leaves the activity and the outbox, and their counts', async () => {
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
