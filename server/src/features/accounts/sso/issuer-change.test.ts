// The secret of a provider is sent only to the issuer that it was given for.
import { expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { useProvider } from '../../../../test/identity-provider.js';
import { sql } from '../../../db/sql.js';

const [first, second] = [useProvider([]), useProvider([])];
const t = useApp(() => ({ webhooks: { allowPrivate: true } }));

const make = async (tenant: TenantClient, fields: object = {}) =>
  (
    await tenant.post('/v2/identity-providers', {
      ...{ name: 'Directory', issuer: first.url, clientId: first.clientId, clientSecret: first.clientSecret },
      ...{ domains: ['acme.example'], ...fields },
    })
  ).body.data;
const stored = (tenant: TenantClient) =>
  t.db.row(sql<{ issuer: string; hasSecret: boolean }>`
    select issuer, client_secret is not null as "hasSecret" from identity_provider where tenant_id = ${tenant.tenantId}`);

it('is asked for again with another issuer, and nothing changes until then', async () => {
  const tenant = await t.tenant();
  const { providerId } = await make(tenant);
  const change = (fields: object) => tenant.patch(`/v2/identity-providers/${providerId}`, fields);
  const without = await change({ issuer: second.url });
  expect(without).toMatchObject({ status: 400, body: { errors: [{ detail: 'clientSecret' }] } });
  expect(without.body.errors[0].message).toContain('give it anew');
  expect(await stored(tenant)).toEqual({ issuer: first.url, hasSecret: true });
  expect((await change({ issuer: first.url, name: 'Same' })).status).toBe(200);
  expect((await change({ issuer: second.url, clientSecret: 'another secret' })).status).toBe(200);
  expect(await stored(tenant)).toEqual({ issuer: second.url, hasSecret: true });
  expect((await change({ issuer: first.url, clientSecret: null })).body.data.hasClientSecret).toBe(false);
});

it('is not asked for if there is none', async () => {
  const tenant = await t.tenant();
  const { providerId } = await make(tenant, { clientSecret: null });
  const changed = await tenant.patch(`/v2/identity-providers/${providerId}`, { issuer: second.url });
  expect(changed).toMatchObject({ status: 200, body: { data: { issuer: second.url, hasClientSecret: false } } });
});
