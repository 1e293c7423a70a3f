import { expect, it } from 'vitest';
import { browserToken, makePerson, signedIn } from '../../../test/accounts.js';
import { useApp } from '../../../test/app.js';
import { makeTeam, makeTeammate, withNewToken } from '../../../test/team.js';
import { sql } from '../../db/sql.js';

const t = useApp();

it('says who calls, where, and with what', async () => {
  const team = await makeTeam(t);
  const { tenantId, admin } = team;
  await t.admin.patch(`/admin/tenants/${tenantId}`, { name: 'Acme', timeZone: 'Europe/Berlin' });
  const client = await withNewToken(t, admin, { scopes: ['READ'], expiresAt: '2099-01-01' });
  expect((await client.get('/v2/me')).body.data).toEqual({
    account: { accountId: admin.accountId, name: 'A admin', email: admin.email, role: 'admin' },
    workspace: { tenantId, name: 'Acme', timeZone: 'Europe/Berlin' },
    token: { kind: 'personal', scopes: ['READ'], expiresAt: '2099-01-01T00:00:00.000Z', tokenId: client.tokenId },
    workspaces: [],
  });
});

it('names a program’s account, too, which has no address and no other workspaces', async () => {
  const tenant = await t.tenant();
  const { data } = (await tenant.get('/v2/me')).body;
  expect(data.account).toEqual({ accountId: expect.any(Number), name: 'Owner', email: null, role: 'admin' });
  expect(data).toMatchObject({ workspace: { tenantId: tenant.tenantId, timeZone: null }, workspaces: [] });
  expect(data.token).toMatchObject({ scopes: ['READ', 'WRITE'], expiresAt: null });
});

it('shows the scopes that the role still allows', async () => {
  const { viewer } = await makeTeam(t);
  const { data } = (await viewer.get('/v2/me')).body;
  expect(data).toMatchObject({ account: { role: 'viewer' }, token: { scopes: ['READ'] } });
});

/** A person with an account in both. */
async function inTwo() {
  const [first, second] = [await makeTeam(t), await makeTeam(t)];
  const person = await makeTeammate(t, first.tenantId, 'member');
  await t.admin.patch(`/admin/tenants/${second.tenantId}`, { name: 'Second' });
  await t.db.run(sql`
    insert into account (tenant_id, name, role, person_id) values (${second.tenantId}, 'x', 'viewer', ${person.personId})`);
  const browse = async () => {
    const b = await signedIn(t, person);
    await b.post('/oauth/session/workspace', { tenantId: first.tenantId });
    return t.withToken(await browserToken(b));
  };
  return { person, second, browse };
}

it('lists the other workspaces of a person who signed in by password, unless they are deactivated there', async () => {
  const { person, second, browse } = await inTwo();
  const client = await browse();
  const others = async () => (await client.get('/v2/me')).body.data.workspaces;
  expect(await others()).toEqual([{ tenantId: second.tenantId, name: 'Second', role: 'viewer' }]);
  await t.db.run(sql`
    update account set deactivated_at = now() where tenant_id = ${second.tenantId} and person_id = ${person.personId}`);
  expect(await others()).toEqual([]);
});

it('does not list them to a token that outlives its session, whatever session made it', async () => {
  const { person, browse } = await inTwo();
  const session = await browse();
  const made = (await session.post('/v2/tokens', { name: 'x', scopes: ['READ'] })).body.data.token;
  expect((await session.get('/v2/me')).body.data.workspaces).toHaveLength(1);
  for (const client of [t.withToken(made), person])
    expect((await client.get('/v2/me')).body.data.workspaces).toEqual([]);
});

it('knows the token of a browser, and hides other workspaces from one that came by an identity provider', async () => {
  const { tenantId } = await t.tenant();
  const person = await makePerson(t, { tenantId, role: 'member' });
  const token = await browserToken(await signedIn(t, person));
  const client = t.withToken(token);
  const second = await t.tenant();
  await t.db.run(sql`
    insert into account (tenant_id, name, role, person_id) values (${second.tenantId}, 'x', 'viewer', ${person.personId})`);
  const before = (await client.get('/v2/me')).body.data;
  expect(before.token).toMatchObject({ kind: 'session', scopes: ['READ', 'WRITE'], expiresAt: expect.any(String) });
  expect(before.workspaces).toHaveLength(1);
  await t.db.run(sql`update session set sso_tenant_id = ${tenantId} where person_id = ${person.personId}`);
  expect((await client.get('/v2/me')).body.data.workspaces).toEqual([]);
});
