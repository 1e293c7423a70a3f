import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { browserToken, makePerson, signedIn, type TestPerson } from '../../../../test/accounts.js';
import { type Client, type TenantClient, useApp } from '../../../../test/app.js';
import { useProvider } from '../../../../test/identity-provider.js';
import { id, ssoThrough } from '../../../../test/sso.js';
import { sql } from '../../../db/sql.js';
import type { Clock } from '../../../lib/clock.js';
import { randomBytes } from '../../../lib/random.js';
import { SecretBox } from '../../../lib/secret-box.js';
import { rotateSecrets } from '../../sending/index.js';
import { accountDrawers } from '../index.js';

const key = randomBytes(32);
let ahead = 0;
const clock: Clock = { now: () => new Date(Date.now() + ahead), elapsed: () => performance.now() + ahead };
const elsewhere = useProvider([1, 2, 3].map((tenant) => `http://rapport.test/oauth/sso/${tenant}/callback`));
const t = useApp(() => ({ clock, box: new SecretBox(key), webhooks: { allowPrivate: true } }));
const guarded = useApp(() => ({ db: t.db }));

let acme: TenantClient;
let ada: TestPerson;
let admin: Client;
let provider: { providerId: number; signInUrl: string };

beforeAll(async () => {
  acme = await t.tenant();
  ada = await makePerson(t, { tenantId: id(acme), email: 'ada@acme.example' });
  admin = t.withToken(await browserToken(await signedIn(t, ada)));
  provider = (await admin.post('/v2/identity-providers', body())).body.data;
  // Each leaves an entry in the audit log.
  for (const name of ['One', 'Two', 'Acme directory']) await change({ name, clientSecret: elsewhere.clientSecret });
  await t.db.run(sql`update sso_domain set proven_at = now(), checked_at = now()`);
  elsewhere.people.set('ada-there', { email: 'Ada@ACME.example', email_verified: true, name: 'Ada' });
});
beforeEach(() => {
  ahead = 0;
});

const { body, change, startPath, somebody, comeBack } = ssoThrough(
  elsewhere,
  t,
  () => admin,
  () => provider,
);

describe('GET, POST, PATCH, DELETE /v2/identity-providers', () => {
  it('make one provider for each Idempotency-Key', async () => {
    const made = { ...body(), name: 'Made once' };
    const post = () => admin.post('/v2/identity-providers', made, { 'idempotency-key': 'once' });
    const [first, again] = [await post(), await post()];
    expect([again.status, again.body.data, again.headers['idempotency-replayed']]).toEqual([
      200,
      first.body.data,
      'true',
    ]);
    const kept = await t.db.rows(sql`select response from idempotency_key where tenant_id = ${acme.tenantId}`);
    expect(JSON.stringify(kept)).not.toContain(elsewhere.clientSecret);
    await admin.delete(`/v2/identity-providers/${first.body.data.providerId}`);
  });

  it('never show the secret, and say what to register', async () => {
    const { body: page, text } = await admin.get('/v2/identity-providers');
    expect(page.data).toMatchObject([
      {
        ...{ providerId: provider.providerId, hasClientSecret: true, isRequired: false, joinsAs: null },
        callbackUrl: `http://rapport.test/oauth/sso/${id(acme)}/callback`,
      },
    ]);
    expect(text).not.toContain(elsewhere.clientSecret);
    const stored = await t.db.rows(sql`select encode(client_secret, 'escape') as secret from identity_provider`);
    expect(JSON.stringify(stored)).not.toContain('a secret of the test');
    const entries = await t.db.rows(
      sql<{ detail: string }>`select detail from audit_entry where action like 'identity-provider.%'`,
    );
    expect(entries.length).toBeGreaterThan(3);
    expect(JSON.stringify(entries)).not.toContain('a secret of the test');
  });

  it('are for admins', async () => {
    const member = await makePerson(t, { tenantId: id(acme), role: 'member' });
    const client = t.withToken(await browserToken(await signedIn(t, member)));
    expect(await client.get('/v2/identity-providers')).toMatchObject({ status: 403, text: '' });
    expect((await client.post('/v2/identity-providers', body())).status).toBe(403);
  });

  it.each([
    ['a plain address', { issuer: 'http://id.example' }, 'must be an address that starts with https://'],
    ['no address', { issuer: 'id.example' }, 'must be an address that starts with https://'],
    [
      'the address of its metadata',
      { issuer: 'https://id.example/.well-known/openid-configuration' },
      'before /.well-known/',
    ],
    ['a query', { issuer: 'https://id.example/?a=b' }, 'no user, query or fragment'],
    ['a domain twice', { domains: ['a.example', 'A.example'] }, 'a.example is there twice'],
    ['no domain', { domains: [] }, 'domains'],
    ['something else as a domain', { domains: ['ada@acme.example'] }, 'must be a domain such as example.com'],
    ['another role', { joinsAs: 'owner' }, 'joinsAs'],
  ])('refuse %s', async (_, fields, words) => {
    const reply = await admin.post('/v2/identity-providers', body(fields));
    expect(reply.status).toBe(400);
    expect(reply.body.errors[0].message).toContain(words);
  });

  it('refuse an issuer that is not one, or that calls itself something else', async () => {
    for (const issuer of [
      `${elsewhere.url}/nothing`,
      'http://127.0.0.1:9',
      elsewhere.url.replace('127.0.0.1', 'localhost'),
    ]) {
      const reply = await admin.post('/v2/identity-providers', body({ issuer }));
      expect(reply).toMatchObject({ status: 400, body: { errors: [{ detail: 'issuer' }] } });
    }
    // Only the operator may know what a name resolves to.
    const port = new URL(elsewhere.url).port;
    for (const issuer of ['http://localhost:9', `http://localhost:${port}`, 'https://rapport-inner.localhost:9']) {
      const { message } = (await admin.post('/v2/identity-providers', body({ issuer }))).body.errors[0];
      expect(message.replaceAll(elsewhere.url, '')).not.toMatch(/127\.0\.0\.1|::1/);
    }
  });

  it('refuse an issuer on a private address unless the operator allows it', async () => {
    const client = guarded.withToken((acme as TenantClient).token);
    const reply = await client.post('/v2/identity-providers', body());
    expect(reply.status).toBe(400);
    expect(reply.body.errors[0].message).toContain('must not lead to 127.0.0.1');
  });

  it('move their secrets to a new key with the service', async () => {
    const both = new SecretBox(randomBytes(32), [key]);
    expect(await rotateSecrets(t.db, both, accountDrawers)).toMatchObject({ resealed: 1, complaints: [] });
    const { complaints } = await rotateSecrets(t.db, new SecretBox(key), accountDrawers);
    expect(complaints).toEqual([expect.stringContaining(`identity-provider:${id(acme)}:${provider.providerId}`)]);
  });

  it('end the sessions that came through a removed provider', async () => {
    const own = await t.tenant();
    const boss = await makePerson(t, { tenantId: own.tenantId, email: 'boss@third.example' });
    const made = await own.post('/v2/identity-providers', body({ domains: ['third.example'] }));
    const { sub } = somebody({ email: boss.email });
    const { b } = await comeBack(sub, { of: made.body.data });
    expect((await b.get('/oauth/session')).body.person).toMatchObject({ email: boss.email });
    const token = await browserToken(b);
    const removed = await own.delete(`/v2/identity-providers/${made.body.data.providerId}`);
    expect(removed.body.data).toEqual({ success: true });
    expect((await b.get('/oauth/session')).body.person).toBe(null);
    expect((await t.withToken(token).get('/v2/folders')).status).toBe(401);
    expect((await b.get(startPath(made.body.data))).status).toBe(404);
  });
});
