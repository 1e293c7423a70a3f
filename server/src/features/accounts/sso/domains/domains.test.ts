// People are led to a provider only for a proven domain.
import { beforeEach, describe, expect, it } from 'vitest';
import { browser } from '../../../../../test/accounts.js';
import { type TenantClient, useApp } from '../../../../../test/app.js';
import { auditOf } from '../../../../../test/audit.js';
import { useDns } from '../../../../../test/dns.js';
import { useProvider } from '../../../../../test/identity-provider.js';
import { sql } from '../../../../db/sql.js';
import { dnsResolver } from '../../../sending/index.js';
import { providersFor } from '../../index.js';
import { recheckProofs } from './domains.js';

const dns = useDns();
const elsewhere = useProvider([]);
const t = useApp(() => ({ webhooks: { allowPrivate: true }, dnsServers: [dns.address] }));
let [acme, stranger]: TenantClient[] = [];
let domain = '';
let count = 0;
beforeEach(async () => {
  [acme, stranger] = [await t.tenant(), await t.tenant()];
  domain = `acme-${++count}.example`;
  dns.clear();
});

const add = async (tenant = acme as TenantClient, fields: object = {}) => {
  const body = { name: 'Directory', issuer: elsewhere.url, clientId: 'rapport', domains: [domain], ...fields };
  const reply = await tenant.post('/v2/identity-providers', body);
  expect(reply.status, reply.text).toBe(200);
  return reply.body.data;
};
const check = async ({ providerId }: { providerId: number }, tenant = acme as TenantClient) =>
  (await tenant.post(`/v2/identity-providers/${providerId}/check-domains`)).body.data;
const publish = ({ record }: { record: { name: string; value: string } }, ...more: string[]) =>
  dns.set('TXT', record.name, ...more, record.value);
const prove = async (
  made: { providerId: number; domainProofs: { record: { name: string; value: string } }[] },
  tenant = acme,
) => {
  for (const proof of made.domainProofs) publish(proof);
  return check(made, tenant);
};
const offers = async () => (await providersFor(t.db, `nobody@${domain}`)).map(({ tenantId }) => tenantId);

describe('a domain of a provider', () => {
  it('is not offered until DNS has the record that is asked for', async () => {
    const made = await add();
    const [proof] = made.domainProofs;
    expect(proof).toMatchObject({ domain, isProven: false, state: 'unknown', checkedAt: null });
    expect(proof.record).toEqual({
      ...{ type: 'TXT', name: `_rapport-sso.${domain}`, value: expect.stringMatching(/^rapport-sso=[\w-]{32}$/) },
    });
    expect(await offers()).toEqual([]);
    expect((await check(made)).domainProofs).toMatchObject([{ isProven: false, state: 'missing' }]);
    dns.set('TXT', proof.record.name, 'rapport-sso=of somebody else');
    expect((await check(made)).domainProofs).toMatchObject([{ isProven: false, state: 'wrong' }]);
    publish(proof, 'another record');
    expect((await check(made)).domainProofs).toMatchObject([{ isProven: true, state: 'found' }]);
    expect(await offers()).toEqual([acme?.tenantId]);
    const page = await browser(t).get(`/oauth/sso?email=nobody@${domain}`);
    expect(page.text).toContain(`/oauth/sso/${acme?.tenantId}/${made.providerId}`);
    expect(await auditOf(t, (acme as TenantClient).tenantId, 'sso-domain.')).toMatchObject([
      { action: 'sso-domain.proven', subject: domain },
    ]);
  });

  it('has a different word in each workspace, so that none proves it for another', async () => {
    const [own, theirs] = [await add(), await add(stranger)];
    expect(own.domainProofs[0].record.value).not.toBe(theirs.domainProofs[0].record.value);
    await prove(own);
    expect((await check(theirs, stranger)).domainProofs).toMatchObject([{ isProven: false, state: 'wrong' }]);
    expect(await offers()).toEqual([acme?.tenantId]);
  });

  it('is offered once per workspace, however many providers and strangers name it', async () => {
    for (let i = 0; i < 12; i++) await add(await t.tenant());
    const first = await add();
    await add(undefined, { name: 'Second' });
    await prove(first);
    expect(await offers()).toEqual([acme?.tenantId]);
    const theirs = await add(stranger);
    dns.set('TXT', `_rapport-sso.${domain}`, theirs.domainProofs[0].record.value, first.domainProofs[0].record.value);
    await check(theirs, stranger);
    expect(await offers()).toEqual([acme?.tenantId, stranger?.tenantId]);
  });

  it('stays proven while DNS is silent, is looked up again after a day, and ends with its record', async () => {
    const made = await add();
    await prove(made);
    dns.mood = 'servfail';
    expect((await check(made)).domainProofs).toMatchObject([{ isProven: true, state: 'unknown' }]);
    dns.mood = 'fine';
    dns.clear();
    const recheck = () => recheckProofs(t.db, dnsResolver([dns.address]), new AbortController().signal);
    await recheck();
    expect(await offers()).toEqual([acme?.tenantId]);
    await t.db.run(sql`update sso_domain set checked_at = now() - interval '2 days'`);
    await recheck();
    expect(await offers()).toEqual([]);
    expect(await auditOf(t, (acme as TenantClient).tenantId, 'sso-domain.')).toMatchObject([
      { action: 'sso-domain.proven' },
      { action: 'sso-domain.lost', accountId: null },
    ]);
  });

  it('is forgotten with the last provider that names it', async () => {
    const made = await add();
    const [{ record }] = (await prove(made)).domainProofs;
    const changed = await acme?.patch(`/v2/identity-providers/${made.providerId}`, { domains: [`other-${domain}`] });
    expect(changed?.body.data.domainProofs).toMatchObject([{ domain: `other-${domain}`, isProven: false }]);
    expect(await offers()).toEqual([]);
    const again = await acme?.patch(`/v2/identity-providers/${made.providerId}`, { domains: [domain] });
    expect(again?.body.data.domainProofs[0].record.value).not.toBe(record.value);
    await acme?.delete(`/v2/identity-providers/${made.providerId}`);
    expect(await t.db.rows(sql`select from sso_domain where domain = ${domain}`)).toEqual([]);
  });

  it('must be proven before its provider is required: people who cannot find it would be locked out', async () => {
    const made = await add();
    const require = (fields: object = {}) =>
      (acme as TenantClient).patch(`/v2/identity-providers/${made.providerId}`, { isRequired: true, ...fields });
    const early = await require();
    expect(early).toMatchObject({ status: 409, body: { errors: [{ errorCode: 'INVALID_STATE' }] } });
    expect(early.body.errors[0].message).toContain(`Prove ${domain} first`);
    await prove(made);
    // The other rule still holds: only a person who came through it may require it.
    expect((await require()).body.errors[0].message).toContain('sign in at its signInUrl');
    await t.db.run(sql`update identity_provider set is_required = true where provider_id = ${made.providerId}`);
    const more = await require({ domains: [domain, `more-${domain}`] });
    expect(more.body.errors[0].message).toContain(`Prove more-${domain} first`);
    expect((await require({ name: 'Renamed' })).status).toBe(200);
  });
});

it('a provider of an earlier build is not offered, but still works at its address, and where it is required', async () => {
  const made = await add();
  await t.db.run(sql`update identity_provider set is_required = true where provider_id = ${made.providerId}`);
  expect(await offers()).toEqual([]);
  expect((await browser(t).get(new URL(made.signInUrl).pathname)).status).toBe(303);
  expect((await acme?.patch(`/v2/identity-providers/${made.providerId}`, { name: 'Same' }))?.status).toBe(200);
});

it('checking is for admins of the workspace', async () => {
  const made = await add();
  expect((await stranger?.post(`/v2/identity-providers/${made.providerId}/check-domains`))?.status).toBe(404);
});
