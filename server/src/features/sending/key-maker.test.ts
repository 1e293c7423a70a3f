import { createPrivateKey, createPublicKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { KeyMaker } from './key-maker.js';

const t = useApp();

/** Retries while it is told to wait: on a busy machine a key takes seconds. */
async function added(tenantId: number, domain: string): Promise<number> {
  for (;;) {
    const { status } = await adding(tenantId, domain);
    if (status !== 503) return status;
  }
}

const adding = (tenantId: number, domain: string) =>
  t.admin.post(`/admin/tenants/${tenantId}/sending-domains`, { domain });

async function newTenants(count: number): Promise<number[]> {
  const made = [];
  for (let i = 0; i < count; i++)
    made.push((await t.admin.post('/admin/tenants', { name: `Tenant ${i}` })).body.data.tenantId);
  return made;
}

it('makes a pair that belongs together', async () => {
  const { publicKey, privateKey } = await new KeyMaker().make(1);
  const derived = createPublicKey(createPrivateKey(privateKey)).export({ type: 'spki', format: 'der' });
  expect(publicKey).toBe(derived.toString('base64'));
});

describe('many sending domains at once', () => {
  it('of many tenants are all made, and do not delay writes meanwhile', async () => {
    const neighbour = await t.tenant();
    const tenants = await newTenants(12);
    let made = 0;
    const all = tenants.map(async (tenantId) => {
      const status = await added(tenantId, 'acme.example');
      made++;
      return status;
    });
    // Each in a transaction; eight run at once.
    for (let i = 0; i < 5; i++) expect((await neighbour.post('/v2/lists', { name: `List ${i}` })).status).toBe(200);
    expect(made).toBeLessThan(tenants.length);
    expect(await Promise.all(all)).toEqual(Array(12).fill(200));
  });

  it('of one tenant are refused if they are too many, and another tenant waits for one of them at most', async () => {
    const [greedy = 0, modest = 0] = await newTenants(2);
    let refused = 0;
    let made = 0;
    const many = Array.from({ length: 30 }, async (_, i) => {
      const { status, headers } = await adding(greedy, `d${i}.example`);
      if (status === 200) made++;
      else {
        expect([status, headers['retry-after']]).toEqual([503, '5']);
        refused++;
      }
    });
    while (refused === 0) await new Promise(setImmediate);
    const before = made;
    expect(await added(modest, 'acme.example')).toBe(200);
    expect(made - before).toBeLessThan(4);
    await Promise.all(many);
    expect(made).toBeGreaterThan(0);
  });
});
