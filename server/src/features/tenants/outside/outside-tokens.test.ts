import { createHmac } from 'node:crypto';
import { type CryptoKey, exportSPKI, generateKeyPair, importJWK } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { badToken, useApp } from '../../../../test/app.js';
import { Issuer } from '../../../../test/issuer.js';
import { sql } from '../../../db/sql.js';
import type { Clock } from '../../../lib/clock.js';
import type { OutsideSettings } from './claims.js';

let elapsed = 0;
let ahead = 0;
const clock: Clock = { now: () => new Date(Date.now() + ahead), elapsed: () => elapsed };
const issuer = new Issuer();
beforeAll(() => issuer.start());
afterAll(() => issuer.stop());

const settings = (change: Partial<OutsideSettings> = {}): OutsideSettings => ({
  ...{ issuer: issuer.url, audience: issuer.audience, tenantId: undefined, tenantClaim: 'rapport_tenant' },
  ...{ scopeClaim: 'scope', accountClaim: undefined },
  scopes: [
    { theirs: 'READ', ours: 'READ' },
    { theirs: 'WRITE', ours: 'WRITE' },
  ],
  ...change,
});
const t = useApp(() => ({ clock, outside: settings() }));
const byEmail = useApp(() => ({
  ...{ clock, db: t.db },
  outside: settings({
    accountClaim: 'email',
    scopeClaim: 'realm_access.roles',
    scopes: [
      { theirs: 'rapport.read', ours: 'READ' },
      { theirs: 'rapport.write', ours: 'WRITE' },
    ],
  }),
}));
const without = useApp(() => ({ db: t.db }));

let tenantId = 0;
beforeAll(async () => {
  ({ tenantId } = await t.tenant());
});
// A minute later: only what was verified is remembered for so long.
beforeEach(() => {
  elapsed += 60_000;
  ahead = 0;
  issuer.mood = 'fine';
});

const statusOf = async (token: string, app = t) => (await app.withToken(token).get('/v2/folders')).status;
const claims = () => ({ rapport_tenant: tenantId });

describe('a token of another issuer', () => {
  it('is as good as one of ours', async () => {
    const client = t.withToken(await issuer.sign(claims()));
    expect((await client.post('/v2/folders', { name: 'from outside' })).status).toBe(200);
    const { body, headers } = await client.get('/v2/folders');
    expect(body.data).toMatchObject([{ directoryName: 'from outside' }]);
    expect(headers['x-ratelimit-limit']).toBe('1000000');
  });

  it('is refused if no other issuer is configured', async () => {
    expect(await statusOf(await issuer.sign(claims()), without)).toBe(401);
  });

  it('has the scopes that it names', async () => {
    const reader = t.withToken(await issuer.sign({ ...claims(), scope: 'openid READ' }));
    expect((await reader.get('/v2/folders')).status).toBe(200);
    expect((await reader.post('/v2/folders', { name: 'x' })).status).toBe(403);
    const nobody = await issuer.sign({ ...claims(), scope: undefined });
    expect(await statusOf(nobody)).toBe(403);
  });

  it('makes no token that outlives it', async () => {
    const exp = Math.floor(Date.now() / 1000) + 60;
    const client = t.withToken(await issuer.sign({ ...claims(), exp }));
    const made = await client.post('/v2/tokens', { name: 'x', scopes: ['READ'] });
    expect(Math.abs(Date.parse(made.body.data.expiresAt) - exp * 1000)).toBeLessThanOrEqual(5000);
    const later = await client.post('/v2/tokens', { name: 'x', scopes: ['READ'], expiresAt: '2099-01-01' });
    expect(later.status).toBe(400);
  });

  it('is checked once and then remembered, without asking the issuer', async () => {
    const token = await issuer.sign(claims());
    expect(await statusOf(token)).toBe(200);
    issuer.asked.length = 0;
    elapsed += 60_000;
    expect(await statusOf(token)).toBe(200);
    expect(issuer.asked).toEqual([]);
  });

  it('ends when it expires, to the second and a few more for clocks that differ', async () => {
    const token = await issuer.sign({ ...claims(), exp: Math.floor(Date.now() / 1000) + 60 });
    expect(await statusOf(token)).toBe(200);
    ahead = 60_000;
    expect(await statusOf(token)).toBe(200);
    ahead = 66_000;
    expect(await statusOf(token)).toBe(401);
    elapsed += 60_000;
    expect(await statusOf(token)).toBe(401);
  });

  it('ends within 5 seconds when its account is deactivated, and its scopes follow the role', async () => {
    const other = await t.tenant();
    const token = await issuer.sign({ rapport_tenant: other.tenantId });
    expect((await t.withToken(token).post('/v2/folders', { name: 'x' })).status).toBe(200);
    await t.db.run(sql`update account set role = 'viewer' where tenant_id = ${other.tenantId}`);
    elapsed += 5000;
    expect((await t.withToken(token).post('/v2/folders', { name: 'y' })).status).toBe(403);
    expect(await statusOf(token)).toBe(200);
    await t.db.run(sql`update account set deactivated_at = now() where tenant_id = ${other.tenantId}`);
    elapsed += 5000;
    expect(await statusOf(token)).toBe(401);
  });

  it('is found by OAuth metadata if there is none of OpenID Connect', async () => {
    issuer.mood = 'oauth';
    elapsed += 10_000_000;
    expect(await statusOf(await issuer.sign(claims()))).toBe(200);
    expect(issuer.asked).toContain('/.well-known/oauth-authorization-server');
  });
});

describe('which account it acts for', () => {
  const token = (email: unknown, more: object = {}) =>
    issuer.sign({ ...claims(), email, realm_access: { roles: ['rapport.write', 'rapport.read', 'x'] }, ...more });

  it('is the one with the address in its claim', async () => {
    await t.admin.post(`/admin/tenants/${tenantId}/accounts`, { name: 'Ada', email: 'Ada@Example.com' });
    const client = byEmail.withToken(await token('aDA@example.com'));
    const email = { name: 'x', html: '{{unsubscribe_url}}', subject: 'x', fromEmail: { email: 'us@example.com' } };
    await t.admin.post(`/admin/tenants/${tenantId}/sending-domains`, { domain: 'example.com' });
    const made = await client.post('/v1/emails', email);
    const accounts = await t.admin.get(`/admin/tenants/${tenantId}/accounts`);
    const ada = accounts.body.data.find((account: { name: string }) => account.name === 'Ada');
    expect(made.body.data.createdBy).toBe(ada.accountId);
  });

  it.each([
    ['an address of nobody', 'nobody@example.com', {}],
    ['no address', undefined, {}],
    ['something else', ['ada@example.com'], {}],
    ['an address that is not verified', 'ada@example.com', { email_verified: false }],
    ['an address that is not verified, in words', 'ada@example.com', { email_verified: 'false' }],
  ])('is none for %s', async (_, email, more) => {
    expect(await statusOf(await token(email, more), byEmail)).toBe(401);
  });

  it('is none while that account is deactivated', async () => {
    await t.db.run(sql`update account set deactivated_at = now() where lower(email) = 'ada@example.com'`);
    expect(await statusOf(await token('ada@example.com'), byEmail)).toBe(401);
  });
});

describe('a token that is not good', () => {
  const bad: Record<string, () => Promise<string>> = {
    'without a signature': async () => unsigned({ alg: 'none' }),
    'without a signature, in other letters': async () => unsigned({ alg: 'nOnE' }),
    'signed with the public key as a secret': async () => {
      const { jwk } = newest();
      const pem = await exportSPKI((await importJWK(jwk, 'ES256', { extractable: true })) as CryptoKey);
      return hmac({ alg: 'HS256', kid: jwk.kid, typ: 'JWT' }, pem);
    },
    'signed with the public key as it is written in JSON': async () =>
      hmac({ alg: 'HS256' }, JSON.stringify(newest().jwk)),
    'of another issuer': () => issuer.sign({ ...claims(), iss: 'https://elsewhere.example' }),
    'of an issuer with a slash more': () => issuer.sign({ ...claims(), iss: `${issuer.url}/` }),
    'for another audience': () => issuer.sign({ ...claims(), aud: 'https://elsewhere.example' }),
    'for no audience': () => issuer.sign({ ...claims(), aud: undefined }),
    'that has expired': () => issuer.sign({ ...claims(), exp: seconds() - 6 }),
    'that never expires': () => issuer.sign({ ...claims(), exp: undefined }),
    'that is not valid yet': () => issuer.sign({ ...claims(), nbf: seconds() + 60 }),
    'of another type': () => issuer.sign(claims(), { header: { typ: 'logout+jwt' } }),
    'with an unknown key': () => issuer.sign(claims(), { header: { kid: 'unknown' } }),
    'signed by another key': async () => {
      const { privateKey } = await generateKeyPair('ES256');
      return issuer.sign(claims(), { key: privateKey });
    },
    'that brings its own key': async () => {
      const { privateKey } = await generateKeyPair('ES256');
      return issuer.sign(claims(), { key: privateKey, header: { jwk: newest().jwk, kid: undefined } });
    },
    'with another body': async () => {
      const [head, , signature] = (await issuer.sign(claims())).split('.');
      return [head, part({ ...claims(), iss: issuer.url, aud: issuer.audience, exp: seconds() + 60 }), signature].join(
        '.',
      );
    },
    'of no tenant': () => issuer.sign({}),
    'of a tenant that never was': () => issuer.sign({ rapport_tenant: 999_999_999 }),
    'of a tenant beyond all numbers': () => issuer.sign({ rapport_tenant: '99999999999999999999' }),
    'of a tenant that is no number': () => issuer.sign({ rapport_tenant: '1 or 1=1' }),
    'of one megabyte': () => issuer.sign({ ...claims(), more: 'x'.repeat(1_000_000) }),
    'whose parts are no JSON': async () => 'abc.def.ghi',
    'whose parts are JSON of another kind': async () => [part([]), part(null), 'x'].join('.'),
    'with two parts': async () => (await issuer.sign(claims())).split('.').slice(0, 2).join('.'),
    'with five parts': async () => 'a.b.c.d.e',
  };
  const newest = () => issuer.keys.at(-1) as (typeof issuer.keys)[number];
  const seconds = () => Math.floor(Date.now() / 1000);
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const whole = () => ({ ...claims(), iss: issuer.url, aud: issuer.audience, exp: seconds() + 60, scope: 'READ' });
  const unsigned = (header: object) => `${part(header)}.${part(whole())}.`;
  const hmac = (header: object, secret: string) => {
    const text = `${part(header)}.${part(whole())}`;
    return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
  };

  it.each(Object.keys(bad))('%s gets 401', async (what) => {
    // If the keys were refused, everything would be.
    expect(await statusOf(await issuer.sign({ ...claims(), jti: what }))).toBe(200);
    const reply = await t.withToken((await bad[what]?.()) as string).get('/v2/folders');
    expect(reply).toMatchObject({ status: 401, text: '' });
    expect(reply.headers['www-authenticate']).toBe(badToken);
  });
});

describe('keys of the issuer', () => {
  it('are fetched again when a token names a new one, at most once in 30 seconds', async () => {
    await statusOf(await issuer.sign(claims()));
    issuer.asked.length = 0;
    elapsed += 30_000;
    await issuer.addKey('RS256');
    const tokens = await Promise.all([1, 2, 3].map((n) => issuer.sign({ ...claims(), jti: `new ${n}` })));
    expect(await Promise.all(tokens.map((token) => statusOf(token)))).toEqual([200, 200, 200]);
    for (let n = 0; n < 20; n++) await statusOf(await issuer.sign(claims(), { header: { kid: `unknown ${n}` } }));
    expect(issuer.asked.filter((path) => path === '/keys')).toHaveLength(1);
  });

  it('take their tokens with them when they go', async () => {
    await issuer.addKey();
    const old = await issuer.sign(claims());
    expect(await statusOf(old)).toBe(200);
    issuer.keys.pop();
    await issuer.addKey();
    elapsed += 30_000;
    expect(await statusOf(await issuer.sign(claims()))).toBe(200);
    elapsed += 5000;
    expect(await statusOf(old)).toBe(401);
  });

  it('are fetched every ten minutes, even while tokens still use them', async () => {
    const token = await issuer.sign(claims());
    expect(await statusOf(token)).toBe(200);
    issuer.asked.length = 0;
    elapsed += 600_001;
    expect(await statusOf(token)).toBe(200);
    await expect.poll(() => issuer.asked).toContain('/keys');
  });

  it('are used for tokens of known keys while the issuer is away, for two hours', async () => {
    expect(await statusOf(await issuer.sign(claims()))).toBe(200);
    issuer.mood = 'broken';
    elapsed += 7_100_000;
    expect(await statusOf(await issuer.sign({ ...claims(), jti: 'away' }))).toBe(200);
    elapsed += 200_000;
    expect(await statusOf(await issuer.sign({ ...claims(), jti: 'too long' }))).toBe(503);
  });

  it.each(['broken', 'hanging'] as const)(
    'that cannot be had from a %s issuer are no reason to say no',
    async (mood) => {
      issuer.mood = mood;
      elapsed += 10_000_000;
      const token = await issuer.sign({ ...claims(), jti: mood });
      const [reply, own] = await Promise.all([t.withToken(token).get('/v2/folders'), t.tenant()]);
      expect(reply.status).toBe(503);
      expect(reply.headers['retry-after']).toBe('5');
      expect(reply.body.errors[0].errorCode).toBe('NOT_READY');
      expect((await own.get('/v2/folders')).status).toBe(200);
      // Asked again at once, it would only wait again.
      issuer.asked.length = 0;
      expect(await statusOf(token)).toBe(503);
      expect(issuer.asked).toEqual([]);
      issuer.mood = 'fine';
      elapsed += 5000;
      expect(await statusOf(token)).toBe(200);
    },
    20_000,
  );
});
