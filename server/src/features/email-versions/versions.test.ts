import { beforeAll, describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../test/app.js';
import { makeEmail, tenantWithDomain } from '../../../test/emails.js';
import { sql } from '../../db/sql.js';

const now = new Date();
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

  it('replaces the whole version of the same contact', async () => {
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

  it('asks for an asset first, and records nothing without one', async () => {
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

  it('accepts 512,000 bytes with a multi-byte character at the end', async () => {
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

  it('accepts 1 to 100', async () => {
    const many = (n: number) => tenant.post('/v2/email-versions/batch', { versions: Array(n).fill({}) });
    expect((await many(0)).status).toBe(400);
    expect((await many(100)).status).toBe(200);
    expect((await many(101)).status).toBe(400);
    expect((await tenant.post('/v2/email-versions/batch', {})).status).toBe(400);
    expect((await tenant.post('/v1/email-versions/batch', { versions: [{}] })).status).toBe(404);
  });

  it('replays with the addresses of the request, which are not stored', async () => {
    const headers = { 'idempotency-key': 'batch' };
    const body = { versions: [{ assetId, email: 'kim@example.com', html }] };
    const first = await tenant.post('/v2/email-versions/batch', body, headers);
    const second = await tenant.post('/v2/email-versions/batch', body, headers);
    expect(second.body.data).toEqual(first.body.data);
    expect(second.headers['idempotency-replayed']).toBe('true');
    const kept = await t.db.rows(sql<{ response: string }>`select response from idempotency_key where key = 'batch'`);
    expect(kept[0]?.response).not.toContain('kim@');
  });

  it('treats another tenant’s email and contact as unknown', async () => {
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
