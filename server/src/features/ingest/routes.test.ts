import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../test/app.js';
import { sql } from '../../db/sql.js';
import type { Clock } from '../../lib/clock.js';

// Time moves only between tests, so that a spent budget stays spent within one.
let elapsed = 0;
const clock: Clock = { now: () => new Date(), elapsed: () => elapsed };
const t = useApp({ clock });
beforeEach(() => {
  elapsed += 2000;
});

const basic = (token: string, password = '') => ({
  authorization: `Basic ${Buffer.from(`${token}:${password}`).toString('base64')}`,
});
const message = { userId: 'ada', event: 'login' };
const calls = ['batch', 'track', 'identify', 'group', 'page', 'screen', 'b', 't', 'i', 'g', 'p', 's'];
const bodyOf = (call: string): Record<string, unknown> =>
  call[0] === 'b' ? { batch: [{ type: 'track', ...message }] } : message;

function expectEmpty(reply: Reply, status: number): void {
  expect(reply).toMatchObject({ status, text: '' });
  expect(reply.headers).not.toHaveProperty('content-type');
  expect(reply.headers['x-request-id']).toBeTruthy();
}

async function payloads(tenant: TenantClient): Promise<string[]> {
  const rows = await t.db.rows(sql<{ payload: string }>`
    select payload from write_transaction where tenant_id = ${tenant.tenantId} and kind = 'segment.batch' order by seq`);
  return rows.map((row) => row.payload);
}

describe.each(calls)('POST /ingest/v1/%s', (call) => {
  const path = `/ingest/v1/${call}`;

  it('answers {"success":true} and keeps the call', async () => {
    const tenant = await t.tenant({ scopes: ['WRITE'] });
    const anonymous = t.anonymous;
    for (const headers of [
      basic(tenant.token),
      basic(tenant.token, 'x:y'),
      { authorization: `bearer ${tenant.token}` },
    ])
      for (const url of [path, `${path}/`]) {
        const reply = await anonymous.post(url, bodyOf(call), headers);
        expect(reply).toMatchObject({ status: 200, text: '{"success":true}' });
        expect(reply.headers['content-type']).toBe('application/json; charset=utf-8');
        expect(reply.headers['x-ratelimit-limit']).toBe('1000000');
        expect(reply.headers['x-request-id']).toBeTruthy();
      }
    expect(await payloads(tenant)).toHaveLength(6);
  });

  it('asks for a write key', async () => {
    const tenant = await t.tenant();
    const wrong = [
      {},
      basic(''),
      basic('nobody'),
      basic(`${tenant.token}x`),
      { authorization: 'Basic' },
      { authorization: 'Basic %%%' },
      { authorization: `Basic ${tenant.token}` },
      { authorization: `Digest ${tenant.token}` },
    ];
    for (const headers of wrong as Record<string, string>[]) {
      const reply = await t.anonymous.post(path, bodyOf(call), headers);
      expectEmpty(reply, 401);
      expect(reply.headers['www-authenticate']).toBe('Basic realm="rapport"');
    }
  });

  it('asks for the WRITE scope', async () => {
    const { token } = await t.tenant({ scopes: ['READ'] });
    for (const headers of [basic(token), { authorization: `Bearer ${token}` }]) {
      const refused = await t.anonymous.post(path, bodyOf(call), headers);
      expectEmpty(refused, 403);
      expect(refused.headers['www-authenticate']).toBe('Bearer error="insufficient_scope", scope="WRITE"');
    }
    expectEmpty(await t.anonymous.get(path, basic(token)), 403);
  });

  it('draws on the same budget as the API', async () => {
    const tenant = await t.tenant({ rateLimit: 1 });
    expect((await tenant.get('/v2/lists')).status).toBe(200);
    const reply = await t.anonymous.post(path, bodyOf(call), basic(tenant.token));
    expectEmpty(reply, 429);
    expect(reply.headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(reply.headers['x-ratelimit-limit']).toBe('1');
  });

  it('takes no other method', async () => {
    const tenant = await t.tenant();
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const reply = await tenant.send(method, path);
      expect(reply).toMatchObject({ status: 405, headers: { allow: 'POST' } });
      expect(reply.body.errors[0].errorCode).toBe('METHOD_NOT_ALLOWED');
    }
  });

  it.each([
    ['{', {}, 'body'],
    ['[]', {}, 'body'],
    ['"a"', {}, 'body'],
    ['', {}, 'body'],
    [`${'['.repeat(100)}${']'.repeat(100)}`, {}, 'body'],
    ['{"__proto__":{}}', {}, 'body'],
    ['a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 'body'],
  ])('refuses %.20s with %o, and names the %s', async (body, headers, detail) => {
    const tenant = await t.tenant();
    const reply = await tenant.post(path, body, headers as Record<string, string>);
    expect(reply.status).toBe(400);
    expect(reply.body).toMatchObject({ data: null, errors: [{ errorCode: 'VALIDATION_ERROR', detail }] });
    expect(await payloads(tenant)).toEqual([]);
  });

  it('takes JSON by whatever name, here alone', async () => {
    const tenant = await t.tenant();
    const form = 'application/x-www-form-urlencoded';
    for (const type of ['text/plain', 'text/plain;charset=UTF-8', form, 'text/csv', 'image/png']) {
      expect(await tenant.post(path, bodyOf(call), { 'content-type': type })).toMatchObject({ status: 200 });
    }
    expect((await tenant.post('/v2/contacts', { email: 'a@x.io' }, { 'content-type': 'text/plain' })).status).toBe(400);
  });

  it('takes gzip, as some clients send it, and no other encoding', async () => {
    const tenant = await t.tenant();
    const zipped = gzipSync(JSON.stringify({ ...bodyOf(call), writeKey: tenant.token }));
    for (const encoding of ['gzip', ' GZIP ', 'x-gzip']) {
      const reply = await tenant.post(path, zipped, { 'content-encoding': encoding });
      expect(reply).toMatchObject({ status: 200, text: '{"success":true}' });
    }
    expect((await tenant.post(path, bodyOf(call), { 'content-encoding': 'identity' })).status).toBe(200);
    expect((await payloads(tenant)).map((payload) => JSON.parse(payload).body)).toEqual(Array(4).fill(bodyOf(call)));
    const wrong: [Buffer | string, string, string][] = [
      [zipped, 'br', 'Content-Encoding'],
      [zipped, 'gzip, gzip', 'Content-Encoding'],
      [zipped, 'identity', 'body'],
      [JSON.stringify(bodyOf(call)), 'gzip', 'body'],
      [zipped.subarray(0, -9), 'gzip', 'body'],
      [gzipSync('{'), 'gzip', 'body'],
    ];
    for (const [body, encoding, detail] of wrong) {
      const reply = await tenant.post(path, body, { 'content-encoding': encoding });
      expect(reply).toMatchObject({ status: 400, body: { errors: [{ errorCode: 'VALIDATION_ERROR', detail }] } });
    }
    const elsewhere = await tenant.post('/v2/contacts', gzipSync('{"email":"a@x.io"}'), { 'content-encoding': 'gzip' });
    expect(elsewhere.status).toBe(400);
  });

  it('refuses more than 10 MiB', async () => {
    const tenant = await t.tenant();
    const reply = await tenant.post(path, { ...bodyOf(call), x: 'x'.repeat(10 * 1024 * 1024) });
    expect(reply).toMatchObject({ status: 413 });
    expect(reply.body.errors[0].errorCode).toBe('PAYLOAD_TOO_LARGE');
  });

  it('does not keep the write key that comes in the body', async () => {
    const tenant = await t.tenant();
    const traits = { huge: 'HUGE', none: null };
    const batch = [{ type: 'track', ...message, writeKey: tenant.token }, null, 1];
    const own = call[0] === 'b' ? { batch } : message;
    const text = JSON.stringify({ ...own, traits, writeKey: tenant.token }).replace('"HUGE"', '1e999');
    expect((await tenant.post(path, text)).status).toBe(200);
    const [payload = ''] = await payloads(tenant);
    expect(payload).not.toContain(tenant.token);
    if (call[0] === 'b')
      expect(JSON.parse(payload).body.batch).toEqual([...(bodyOf(call).batch as unknown[]), null, 1]);
    // Infinity must not become null, which removes.
    expect(JSON.parse(payload).body).toMatchObject({ traits: { huge: {}, none: null } });
  });
});

describe('POST /ingest/v1/batch', () => {
  it.each([
    ['batch is required.', {}],
    ['batch is required.', { batch: null }],
    ['batch must be an array.', { batch: {} }],
    ['batch must not have fewer than 1 items.', { batch: [] }],
    ['batch must not have more than 1000 items.', { batch: Array(1001).fill({}) }],
  ])('answers 400: %s', async (message, body) => {
    const tenant = await t.tenant();
    const reply = await tenant.post('/ingest/v1/batch', body);
    expect(reply.body).toMatchObject({ errors: [{ errorCode: 'VALIDATION_ERROR', message, detail: 'batch' }] });
  });

  it('takes 1,000 messages of any kind', async () => {
    const tenant = await t.tenant();
    const reply = await tenant.post('/ingest/v1/batch', { batch: Array(1000).fill(null) });
    expect(reply).toMatchObject({ status: 200, text: '{"success":true}' });
  });
});

describe('a compressed body', () => {
  it('counts as large as it is unpacked', async () => {
    const tenant = await t.tenant();
    const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024, 32));
    const reply = await tenant.post('/ingest/v1/track', bomb, { 'content-encoding': 'gzip' });
    expect(reply).toMatchObject({ status: 413, body: { errors: [{ errorCode: 'PAYLOAD_TOO_LARGE' }] } });
    const text = JSON.stringify({ ...message, x: '' });
    const largest = text.replace('"x":""', `"x":"${'x'.repeat(10 * 1024 * 1024 - text.length)}"`);
    expect((await tenant.post('/ingest/v1/track', gzipSync(largest), { 'content-encoding': 'gzip' })).status).toBe(200);
    expect(
      (await tenant.post('/ingest/v1/track', gzipSync(`${largest} `), { 'content-encoding': 'gzip' })).status,
    ).toBe(413);
  });
});

describe('what else is under /ingest', () => {
  it('is not there, for those who may ask', async () => {
    const tenant = await t.tenant();
    for (const path of ['/ingest', '/ingest/', '/ingest/v1', '/ingest/v1/alias', '/ingest/v2/batch']) {
      expectEmpty(await t.anonymous.post(path, {}), 401);
      const reply = await tenant.post(path, {});
      expect(reply).toMatchObject({ status: 404 });
      expect(reply.body.errors[0].errorCode).toBe('NOT_FOUND');
    }
  });

  it('is polled nowhere', async () => {
    const tenant = await t.tenant();
    await tenant.post('/ingest/v1/track', message);
    const row = await t.db.row(sql<{ id: string }>`
      select transaction_id::text as id from write_transaction where tenant_id = ${tenant.tenantId}`);
    const id = (row?.id ?? '').replaceAll('-', '').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    for (const path of ['/v1/contacts', '/v2/users', '/v2/events']) {
      const { body } = await tenant.get(`${path}/transactions/${tenant.tenantId}-${id}`);
      expect(body.data.status).toBe('NOT_EXIST');
    }
  });
});

describe('a key of a page', () => {
  const keyOf = async () => t.tenant({ scopes: ['INGEST'] });

  it('works on /ingest, in the header or in the body, and nowhere else', async () => {
    const tenant = await keyOf();
    const { token } = tenant;
    for (const call of calls) {
      const path = `/ingest/v1/${call}`;
      expect((await tenant.post(path, bodyOf(call))).status).toBe(200);
      expect((await t.anonymous.post(path, bodyOf(call), basic(token))).status).toBe(200);
      const reply = await t.anonymous.post(
        path,
        { ...bodyOf(call), writeKey: token },
        { 'content-type': 'text/plain' },
      );
      expect(reply).toMatchObject({ status: 200, text: '{"success":true}' });
      expect(reply.headers['x-ratelimit-limit']).toBe('1000000');
    }
    expect((await payloads(tenant)).join()).not.toContain(token);
    for (const path of ['/v1/contacts/x', '/v2/lists', '/v2/ingest-log', '/exports/transactions/1/errors', '/v2/nope'])
      expectEmpty(await tenant.get(path), 403);
    for (const path of ['/v2/contacts', '/v2/events', '/v1/contacts/import', '/v2/users'])
      expectEmpty(await tenant.post(path, { email: 'a@x.io' }), 403);
    expectEmpty(await tenant.delete('/v2/contacts/x'), 403);
    expectEmpty(await tenant.get('/admin/tenants'), 401);
    expectEmpty(await tenant.get('/metrics'), 401);
  });

  it('is the only one that the body may hold', async () => {
    const [{ token }, writer, poor] = [
      await keyOf(),
      await t.tenant(),
      await t.tenant({ rateLimit: 1, scopes: ['INGEST'] }),
    ];
    const send = (body: object | string, headers = {}) => t.anonymous.post('/ingest/v1/t', body, headers);
    expectEmpty(await send({ ...message, writeKey: writer.token }), 403);
    for (const writeKey of ['', 'x', `${token}x`, 7, null, [token], { token }]) {
      const reply = await send({ ...message, writeKey });
      expectEmpty(reply, 401);
      expect(reply.headers['www-authenticate']).toBe('Basic realm="rapport"');
    }
    for (const body of ['[]', '7', '""']) expectEmpty(await send(body), 401);
    expect((await send('{')).status).toBe(400);
    // What is read before anybody is known is short, and as it is.
    expectEmpty(await send({ ...message, writeKey: token, x: 'x'.repeat(512 * 1024) }), 401);
    expectEmpty(await send(gzipSync('{}').toString('latin1'), { 'content-encoding': 'gzip' }), 401);
    expectEmpty(await send({ ...message, writeKey: token }, basic('nobody')), 401);
    expect((await send({ ...message, writeKey: poor.token })).status).toBe(200);
    expectEmpty(await send({ ...message, writeKey: poor.token }), 429);
    expectEmpty(await t.anonymous.post('/ingest/v1/alias', { writeKey: token }), 401);
  });

  it('is made with its scope alone', async () => {
    const { tenantId } = await keyOf();
    for (const scopes of [['INGEST', 'READ'], ['WRITE', 'INGEST'], ['INGEST', 'INGEST'], ['ingest']]) {
      const reply = await t.admin.post(`/admin/tenants/${tenantId}/tokens`, { name: 'x', scopes });
      expect(reply).toMatchObject({ status: 400, body: { errors: [{ errorCode: 'VALIDATION_ERROR' }] } });
    }
    const { body } = await t.admin.get(`/admin/tenants/${tenantId}/tokens`);
    expect(body.data.map((row: { scopes: string[] }) => row.scopes)).toEqual([['INGEST']]);
  });
});

describe('pages of any origin', () => {
  const origin = { origin: 'https://shop.example' };

  it('may send to /ingest, and read its answers, good or bad', async () => {
    const asked = { ...origin, 'access-control-request-method': 'POST' };
    const names = 'authorization,content-type,x-retry-count';
    const asks = await t.anonymous.send('OPTIONS', '/ingest/v1/t', undefined, {
      ...asked,
      'access-control-request-headers': names,
    });
    expect(asks).toMatchObject({ status: 204, text: '' });
    expect(asks.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': names,
    });
    const odd = { ...asked, 'access-control-request-headers': 'a: b' };
    const plain = await t.anonymous.send('OPTIONS', '/ingest/v1/t', undefined, odd);
    expect(plain.headers['access-control-allow-headers']).toBe('authorization, content-type');
    const tenant = await t.tenant();
    for (const reply of [
      await tenant.post('/ingest/v1/track', message, origin),
      await tenant.post('/ingest/v1/track', '{', origin),
      await tenant.post('/ingest/nope', {}, origin),
      await t.anonymous.post('/ingest/v1/track', {}, origin),
    ])
      expect(reply.headers['access-control-allow-origin']).toBe('*');
  });

  it('may do so nowhere else', async () => {
    const tenant = await t.tenant();
    for (const path of ['/v2/lists', '/v1/contacts/x', '/admin/tenants', '/healthz', '/v2/ingest-log', '/ingestion'])
      for (const method of ['GET', 'OPTIONS']) {
        const { headers } = await tenant.send(method, path, undefined, origin);
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
  });
});

describe('requests as other clients make them', () => {
  it('of @segment/analytics-next, from a page', async () => {
    const tenant = await t.tenant({ scopes: ['INGEST'] });
    const headers = { 'content-type': 'text/plain', origin: 'https://shop.example' };
    const event = {
      timestamp: '2026-11-15T09:30:00.000Z',
      integrations: {},
      userId: 'ada',
      anonymousId: '5f6f4b5e-6f0c-4b53-9c7f-3ad1f3f6d1a0',
      type: 'track',
      event: 'Signed Up',
      properties: { plan: 'pro' },
      context: {
        page: { path: '/', url: 'https://shop.example/' },
        library: { name: 'analytics.js', version: 'npm:next-1.81.0' },
      },
      messageId: 'ajs-next-1763199000000-5f6f4b5e',
      writeKey: tenant.token,
      sentAt: '2026-11-15T09:30:00.100Z',
      _metadata: { bundled: ['Segment.io'], unbundled: [], bundledIds: [] },
    };
    expect((await t.anonymous.post('/ingest/v1/t', event, headers)).status).toBe(200);
    const batch = { writeKey: tenant.token, batch: [event], sentAt: event.sentAt };
    expect((await t.anonymous.post('/ingest/v1/b', batch, headers)).status).toBe(200);
    const { writeKey: _, ...kept } = event;
    expect((await payloads(tenant)).map((payload) => JSON.parse(payload))).toEqual([
      { type: 'track', body: kept },
      { type: null, body: { batch: [kept], sentAt: event.sentAt } },
    ]);
  });

  it('of @rudderstack/rudder-sdk-node', async () => {
    const tenant = await t.tenant({ scopes: ['WRITE'] });
    const event = {
      type: 'track',
      userId: 'ada',
      event: 'Signed Up',
      channel: 'server',
      context: { library: { name: '@rudderstack/rudder-sdk-node', version: '3.0.0' } },
      originalTimestamp: '2026-11-15T09:30:00.000Z',
      messageId: 'node-1',
      _metadata: { nodeVersion: '20.19.0' },
    };
    const body = gzipSync(JSON.stringify({ batch: [event], sentAt: '2026-11-15T09:30:01.000Z' }));
    const reply = await t.anonymous.post('/ingest/v1/batch', body, {
      ...basic(tenant.token),
      'content-type': 'application/x-www-form-urlencoded',
      'content-encoding': 'gzip',
    });
    expect(reply).toMatchObject({ status: 200, text: '{"success":true}' });
    expect(JSON.parse((await payloads(tenant))[0] ?? '').body.batch).toEqual([event]);
  });
});
