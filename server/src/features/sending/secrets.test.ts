import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { createTransport } from 'nodemailer';
import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { sql } from '../../db/sql.js';
import { randomBytes } from '../../lib/random.js';
import { SecretBox } from '../../lib/secret-box.js';
import { findHook, findSigners, rotateSecrets, type Signer, selectTransports, tenantSecret } from './index.js';
import { countUnreadable } from './secrets.js';

const [oldKey, newKey] = [randomBytes(32), randomBytes(32)];
const [before, both, after] = [new SecretBox(oldKey), new SecretBox(newKey, [oldKey]), new SecretBox(newKey)];
const t = useApp({ box: before });

let tenantId = 0;
let token = '';
let records: { name: string; value: string }[] = [];
let tracking: Buffer;

beforeAll(async () => {
  ({ tenantId } = (await t.admin.post('/admin/tenants', { name: 'Acme' })).body.data);
  const path = `/admin/tenants/${tenantId}`;
  for (const domain of ['example.com', 'example.org'])
    records.push((await t.admin.post(`${path}/sending-domains`, { domain })).body.data.records[0]);
  await t.admin.put(`${path}/transport`, { smtpUrl: 'smtp://ada:hush-hush@mail.example' });
  const { url } = (await t.admin.post(`${path}/mail-hooks`, { provider: 'mailgun', key: 'key-123' })).body.data;
  token = url.slice(url.lastIndexOf('.') + 1);
  tracking = await tenantSecret(t.db, before, tenantId, 'tracking');
});

/** A receiver's verdict on a message that this signer signed. */
async function verdictOn({ domain, selector, privateKey }: Signer): Promise<string | undefined> {
  const built = await createTransport({ streamTransport: true, buffer: true }).sendMail({
    from: `us@${domain}`,
    to: 'ada@example.net',
    subject: 'Hello',
    text: 'Hello',
    dkim: { domainName: domain, keySelector: selector, privateKey },
  });
  const { results } = await dkimVerify(built.message as Buffer, {
    resolver: async (name: string) => records.filter((record) => record.name === name).map(({ value }) => [value]),
  });
  return results[0]?.status.result;
}

async function secretsBy(box: SecretBox) {
  return {
    signers: await findSigners(t.db, box, tenantId, ['example.com', 'example.org', 'example.net']),
    transports: await selectTransports(t.db, box, [tenantId]),
    hook: await findHook(t.db, box, tenantId, token),
    tracking: await tenantSecret(t.db, box, tenantId, 'tracking'),
  };
}

describe('rotation', () => {
  it('moves everything to the new key, once, and mail is still signed', async () => {
    const known = await secretsBy(before);
    expect([...known.signers.keys()]).toEqual(['example.com', 'example.org']);
    // Old and new work side by side meanwhile.
    expect(await secretsBy(both)).toEqual(known);
    expect(await rotateSecrets(t.db, both)).toEqual({ resealed: 5, current: 0, complaints: [] });
    expect(await rotateSecrets(t.db, both)).toEqual({ resealed: 0, current: 5, complaints: [] });
    // The old key is no longer needed, and opens nothing.
    expect(await secretsBy(after)).toEqual(known);
    await expect(secretsBy(before)).rejects.toThrow('a key that is not here');
    for (const signer of known.signers.values()) expect(await verdictOn(signer)).toBe('pass');
  });

  it('goes through a whole long table, tenant by tenant', async () => {
    const count = 450;
    for (let i = 0; i < count; i++) {
      const sealed = before.seal('x', `secret:${1000 + (i % 3)}:p${i}`).toString('hex');
      await t.db.run(sql`insert into tenant_secret values (${1000 + (i % 3)}, ${`p${i}`}, ${`\\x${sealed}`}::bytea)`);
    }
    expect((await rotateSecrets(t.db, both)).resealed).toBe(count);
    expect(await rotateSecrets(t.db, both)).toMatchObject({ resealed: 0, complaints: [] });
    await t.db.run(sql`delete from tenant_secret where tenant_id >= 1000`);
  });

  it('leaves what it cannot open, says why, and does the rest', async () => {
    const lost = new SecretBox(randomBytes(32)).seal('x', 'secret:7:lost').toString('hex');
    const old = before.seal('x', 'secret:8:old').toString('hex');
    await t.db.run(sql`
      insert into tenant_secret values (7, 'lost', ${`\\x${lost}`}::bytea), (8, 'old', ${`\\x${old}`}::bytea)`);
    expect(await countUnreadable(t.db, both)).toBe(1);
    const { resealed, complaints } = await rotateSecrets(t.db, both);
    expect(resealed).toBe(1);
    expect(complaints).toEqual([
      expect.stringMatching(/^The secret secret:7:lost was encrypted under a key that is not here/),
    ]);
    await t.db.run(sql`delete from tenant_secret where tenant_id in (7, 8)`);
    expect(await countUnreadable(t.db, both)).toBe(0);
    expect(await countUnreadable(t.db, new SecretBox(randomBytes(32)))).toBe(5);
  });
});

describe('the secret of a tenant', () => {
  it('is made once, however many ask at once, and differs by purpose and tenant', async () => {
    const many = await Promise.all(Array.from({ length: 8 }, () => tenantSecret(t.db, both, tenantId, 'fresh')));
    for (const each of many) expect(each).toEqual(many[0]);
    expect(many[0]).toHaveLength(32);
    expect(tracking).not.toEqual(many[0]);
    expect(await tenantSecret(t.db, both, tenantId + 1, 'fresh')).not.toEqual(many[0]);
  });
});

describe('the keys that were opened', () => {
  it('are not used any more once the domain has a new one', async () => {
    const path = `/admin/tenants/${tenantId}/sending-domains`;
    const box = new SecretBox(oldKey, [newKey]);
    const first = (await findSigners(t.db, box, tenantId, ['example.org'])).get('example.org');
    await t.admin.delete(`${path}/example.org`);
    expect(await findSigners(t.db, box, tenantId, ['example.org'])).toEqual(new Map());
    records = [(await t.admin.post(path, { domain: 'example.org' })).body.data.records[0]];
    const second = (await findSigners(t.db, box, tenantId, ['example.org'])).get('example.org') as Signer;
    expect(second.privateKey).not.toBe(first?.privateKey);
    expect(await verdictOn(second)).toBe('pass');
  });
});
