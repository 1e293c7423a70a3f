import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { basic, bodyOf, calls, expectEmpty, ingestCalls, message } from '../../../test/ingest-calls.js';
import { sql } from '../../db/sql.js';
import type { Clock } from '../../lib/clock.js';

// Time moves only between tests, so that a spent budget stays spent within one.
let elapsed = 0;
const clock: Clock = { now: () => new Date(), elapsed: () => elapsed };
const t = useApp({ clock });
beforeEach(() => {
  elapsed += 2000;
});

const { payloads } = ingestCalls(t);

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

  it('takes JSON of any content type, only here', async () => {
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
  it('counts with its unpacked size', async () => {
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
  it('is 404 with a valid key', async () => {
    const tenant = await t.tenant();
    for (const path of ['/ingest', '/ingest/', '/ingest/v1', '/ingest/v1/alias', '/ingest/v2/batch']) {
      expectEmpty(await t.anonymous.post(path, {}), 401);
      const reply = await tenant.post(path, {});
      expect(reply).toMatchObject({ status: 404 });
      expect(reply.body.errors[0].errorCode).toBe('NOT_FOUND');
    }
  });

  it('cannot be polled', async () => {
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
