import { pino } from 'pino';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { adminToken, type Reply, type TenantClient, useApp } from '../test/app.js';
import { useDns } from '../test/dns.js';
import { thingsIn } from '../test/tenant-things.js';
import { outsideSettings, useIssuer } from '../test/token-kinds.js';
import { buildApp } from './app.js';
import type { Clock } from './lib/clock.js';

// Time moves only between tests, so that a spent budget stays spent within one.
let elapsed = 0;
const clock: Clock = { now: () => new Date(), elapsed: () => elapsed };
const dns = useDns();
const issuer = useIssuer();
const t = useApp(() => ({ clock, work: true, dnsServers: [dns.address], outside: outsideSettings(issuer) }));
beforeEach(() => {
  elapsed += 2000;
});

function expectEmpty(reply: Reply, status: number): void {
  expect(reply).toMatchObject({ status, text: '' });
  expect(reply.headers).not.toHaveProperty('content-type');
  expect(reply.headers['x-request-id']).toBeTruthy();
}

let ours: TenantClient;
beforeAll(async () => {
  ours = await t.tenant();
});

const makeThings = thingsIn(t, clock, () => undefined);

describe('what is outside the versions', () => {
  it.each([
    ['/healthz', 'application/json; charset=utf-8'],
    ['/readyz', 'application/json; charset=utf-8'],
    ['/openapi/v1.json', 'application/json; charset=utf-8'],
    ['/openapi/v2.json', 'application/json; charset=utf-8'],
    ['/docs', 'text/html; charset=utf-8'],
    ['/docs/', 'text/html; charset=utf-8'],
    ['/docs/reference.css', 'text/css; charset=utf-8'],
    ['/docs/reference.js', 'text/javascript; charset=utf-8'],
    ['/docs/operations.json', 'application/json; charset=utf-8'],
    ['/docs/inter.woff2', 'font/woff2'],
  ])('%s is there for everybody', async (path, type) => {
    const reply = await t.anonymous.get(path);
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toBe(type);
    expect(reply.headers['x-request-id']).toBeTruthy();
    expect(reply.text.length).toBeGreaterThan(0);
    expect((await t.withToken('wrong').get(path)).status).toBe(200);
  });

  it.each(['/docs', '/docs/reference.css', '/docs/reference.js'])(
    '%s may load nothing from elsewhere',
    async (path) => {
      const { headers } = await t.anonymous.get(path);
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['content-security-policy']).not.toMatch(/unsafe|\*|http/);
      expect(headers['x-content-type-options']).toBe('nosniff');
    },
  );

  it('says in OpenAPI where the service is and which version it has', async () => {
    for (const version of ['v1', 'v2']) {
      const { body } = await t.anonymous.get(`/openapi/${version}.json`);
      expect(body).toMatchObject({ info: { version: '1.0.0' }, servers: [{ url: 'http://rapport.test' }] });
    }
  });

  it('is healthy and ready in an envelope', async () => {
    expect((await t.anonymous.get('/healthz')).body).toMatchObject({
      data: { status: 'ok' },
      errors: [],
      meta: { status: 'SUCCESS' },
    });
    expect((await t.anonymous.get('/readyz')).body).toMatchObject({
      data: { status: 'ready' },
      meta: { status: 'SUCCESS' },
    });
  });

  it('is not ready while it drains or cannot reach its database, but healthy', async () => {
    const log = pino({ level: 'silent' });
    const ping = () => Promise.reject(new Error('connect to secret-host'));
    const draining = buildApp({ db: t.db, adminToken, baseUrl: () => '', log });
    const cutOff = buildApp({ db: { ...t.db, ping }, adminToken, baseUrl: () => '', log });
    expect((await draining.http.inject('/readyz')).statusCode).toBe(200);
    draining.drain();
    for (const { http } of [draining, cutOff]) {
      const reply = await http.inject('/readyz');
      expect(reply.statusCode).toBe(503);
      expect(reply.json().errors[0].errorCode).toBe('NOT_READY');
      expect(reply.payload).not.toContain('secret-host');
      expect((await http.inject('/healthz')).statusCode).toBe(200);
    }
    await draining.close();
    await cutOff.close();
  });

  it('shows metrics only to the administrator, by route and never by id', async () => {
    const things = await makeThings(ours as TenantClient);
    for (const client of [t.anonymous, ours as TenantClient]) expectEmpty(await client.get('/metrics'), 401);
    const reply = await t.admin.get('/metrics');
    expect(reply.status).toBe(200);
    expect(reply.headers['content-type']).toContain('text/plain');
    expect(reply.text).toContain(
      'rapport_http_request_duration_seconds_count{method="GET",route="/v1/contacts/by-email/{email}",status="200"}',
    );
    expect(reply.text).not.toContain(things.email);
    expect(reply.text).not.toContain(things.listId);
  });
});
