import fc from 'fast-check';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { connect, type Member, makeMember, registerApp } from '../../../../test/oauth.js';
import { sql } from '../../../db/sql.js';
import type { Clock } from '../../../lib/clock.js';
import { randomBytes } from '../../../lib/random.js';
import { SecretBox } from '../../../lib/secret-box.js';
import { rotateSecrets } from '../../sending/index.js';
import { oauthDrawers } from '../index.js';
import { loadKeys, renewKeys } from './keys.js';
import { type Aged, inOrder, planKeys, restsFor } from './plan.js';

const day = 86_400;

describe('the plan', () => {
  const aged = fc.array(
    fc.record({
      keyId: fc.uuid(),
      family: fc.constantFrom('a', 'b'),
      age: fc.integer({ min: 0, max: 400 * day }),
    }),
    { maxLength: 12 },
  );

  it('always leaves a key that signs, and that is not too old', () => {
    fc.assert(
      fc.property(aged, (keys: Aged[]) => {
        const { makes, drops } = planKeys(keys, ['a', 'b']);
        for (const family of ['a', 'b']) {
          const left = keys.filter((key) => key.family === family && !drops.includes(key.keyId));
          const isFresh = left.some(({ age }) => age < 90 * day);
          expect(isFresh || makes.includes(family)).toBe(true);
          if (keys.some((key) => key.family === family)) expect(left.length).toBeGreaterThan(0);
        }
      }),
    );
  });

  it('never drops a key that signed in the last seven days', () => {
    fc.assert(
      fc.property(aged, (keys: Aged[]) => {
        const { drops } = planKeys(keys, ['a', 'b']);
        // A week ago, which would have signed?
        const then = keys.map((key) => ({ ...key, age: key.age - 7 * day })).filter(({ age }) => age >= 0);
        for (const family of ['a', 'b']) {
          const [signer] = inOrder(then.filter((key) => key.family === family));
          if (signer) expect(drops).not.toContain(signer.keyId);
        }
      }),
    );
  });

  it('lets a new key rest until every node knows it, unless it is the only one', () => {
    const old = { keyId: 'old', family: 'a', age: 91 * day };
    const fresh = { keyId: 'new', family: 'a', age: restsFor - 1 };
    expect(inOrder([fresh, old])[0]).toBe(old);
    expect(inOrder([{ ...fresh, age: restsFor }, old])[0]?.keyId).toBe('new');
    expect(inOrder([fresh])).toEqual([fresh]);
  });
});

let elapsed = 0;
const clock: Clock = { now: () => new Date(), elapsed: () => elapsed };
const key = randomBytes(32);
const box = new SecretBox(key);
const t = useApp({ clock, box });
let member: Member;
beforeAll(async () => {
  member = await makeMember(t, (await t.tenant()).tenantId);
});

const published = async () => (await t.anonymous.get('/oauth/jwks')).body;
/** As if that many days had passed. */
const after = (days: number) =>
  t.db.run(sql`update oauth_key set created_at = created_at - make_interval(days => ${days})`);
const signerOf = async () => {
  const { id_token = '' } = await connect(await registerApp(t), member, { scope: 'openid' });
  const { protectedHeader } = await jwtVerify(id_token, createLocalJWKSet(await published()));
  return protectedHeader.kid;
};

it('signs with keys of its own, which are published without their private part', async () => {
  const { keys } = await published();
  expect(keys.map(({ alg }: { alg: string }) => alg).sort()).toEqual(['ES256', 'RS256']);
  expect(JSON.stringify(keys)).not.toMatch(/"(d|p|q|dp|dq|qi)":/);
  const stored = await t.db.rows(sql<{ sealed: string }>`select sealed from oauth_key`);
  expect(stored).toHaveLength(3);
  for (const { sealed } of stored) expect(Buffer.from(sealed, 'hex').toString()).not.toContain('kty');
});

it('signs as an app asked for it when it registered', async () => {
  const app = await registerApp(t, { id_token_signed_response_alg: 'ES256' });
  const { id_token = '' } = await connect(app, member, { scope: 'openid' });
  const { protectedHeader } = await jwtVerify(id_token, createLocalJWKSet(await published()));
  expect(protectedHeader.alg).toBe('ES256');
});

it('renews them after 90 days, publishes the old ones for a week, and needs no restart', async () => {
  const old = await signerOf();
  await after(91);
  await renewKeys(t.db.background, box);
  elapsed += 61_000;
  expect((await published()).keys).toHaveLength(4);
  // Not every node may know the new one yet.
  expect(await signerOf()).toBe(old);
  await after(1);
  elapsed += 61_000;
  const fresh = await signerOf();
  expect(fresh).not.toBe(old);
  expect((await published()).keys.map(({ kid }: { kid: string }) => kid)).toContain(old);
  await after(7);
  await renewKeys(t.db.background, box);
  elapsed += 61_000;
  expect((await published()).keys.map(({ kid }: { kid: string }) => kid)).not.toContain(old);
  expect(await signerOf()).toBe(fresh);
});

it('makes them once, however many nodes ask at the same time', async () => {
  await t.db.run(sql`delete from oauth_key`);
  const versions = await Promise.all(Array.from({ length: 4 }, () => loadKeys(t.db, box)));
  expect(new Set(versions.map(({ version }) => version)).size).toBe(1);
});

it('moves to a new secret key, and makes new ones if the old key is lost', async () => {
  const [next, lost] = [randomBytes(32), new SecretBox(randomBytes(32))];
  const both = new SecretBox(next, [key]);
  const { version } = await loadKeys(t.db, both);
  expect(await rotateSecrets(t.db, both, oauthDrawers)).toMatchObject({ resealed: 3, complaints: [] });
  expect((await loadKeys(t.db, new SecretBox(next))).version).toBe(version);
  expect((await loadKeys(t.db, lost)).jwks.keys).toHaveLength(2);
});
