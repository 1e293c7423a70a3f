import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { basic, bodyOf, calls, expectEmpty, ingestCalls, message } from '../../../test/ingest-calls.js';
import type { Clock } from '../../lib/clock.js';

// Time moves only between tests, so that a spent budget stays spent within one.
let elapsed = 0;
const clock: Clock = { now: () => new Date(), elapsed: () => elapsed };
const t = useApp({ clock });
beforeEach(() => {
  elapsed += 2000;
});

const { payloads } = ingestCalls(t);

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
    // What is read before the caller is known must be short and plain.
    expectEmpty(await send({ ...message, writeKey: token, x: 'x'.repeat(512 * 1024) }), 401);
    expectEmpty(await send(gzipSync('{}').toString('latin1'), { 'content-encoding': 'gzip' }), 401);
    expectEmpty(await send({ ...message, writeKey: token }, basic('nobody')), 401);
    expect((await send({ ...message, writeKey: poor.token })).status).toBe(200);
    expectEmpty(await send({ ...message, writeKey: poor.token }), 429);
    expectEmpty(await t.anonymous.post('/ingest/v1/alias', { writeKey: token }), 401);
  });

  it('is made with only its scope', async () => {
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
