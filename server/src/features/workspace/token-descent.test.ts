// Tokens that were made with other tokens end with those.
import { describe, expect, it } from 'vitest';
import { browserToken, makePerson, signedIn } from '../../../test/accounts.js';
import { type Client, useApp } from '../../../test/app.js';
import { makeTeam, withNewToken } from '../../../test/team.js';
import { sql } from '../../db/sql.js';

const t = useApp();
const wanted = { name: 'CRM sync', scopes: ['READ', 'WRITE'] };

async function make(client: Client, change: object = {}) {
  const { status, body } = await client.post('/v2/tokens', { ...wanted, ...change });
  expect(status, JSON.stringify(body)).toBe(200);
  const { token, tokenId, expiresAt } = body.data;
  return { ...t.withToken(token), tokenId: tokenId as number, expiresAt: expiresAt as string | null };
}
const statusOf = async (client: Client) => (await client.get('/v2/me')).status;

describe('a token that a personal token made', () => {
  it('expires when that one does, or earlier', async () => {
    const { member } = await makeTeam(t);
    const parent = await withNewToken(t, member, { expiresAt: '2098-01-01' });
    expect((await make(parent)).expiresAt).toBe('2098-01-01T00:00:00.000Z');
    expect((await make(parent, { expiresAt: '2097-01-01' })).expiresAt).toBe('2097-01-01T00:00:00.000Z');
    const later = await parent.post('/v2/tokens', { ...wanted, expiresAt: '2099-01-01' });
    expect(later).toMatchObject({ status: 400, body: { errors: [{ detail: 'expiresAt' }] } });
    const child = await make(parent);
    expect((await make(child)).expiresAt).toBe('2098-01-01T00:00:00.000Z');
  });

  it('is revoked with it, and so is what it made, in the audit log too', async () => {
    const { member, admin, tenantId } = await makeTeam(t);
    const parent = await make(member);
    const child = await make(parent);
    const [grandchild, sibling] = [await make(child), await make(member)];
    expect((await admin.delete(`/v2/tokens/${parent.tokenId}`)).status).toBe(200);
    expect(await Promise.all([parent, child, grandchild, sibling].map(statusOf))).toEqual([401, 401, 401, 200]);
    const rows = await t.db.rows(sql<{ subject: string; detail: string }>`
      select subject, detail from audit_entry where tenant_id = ${tenantId} and action = 'token.revoked' order by entry_no`);
    expect(rows).toEqual([
      { subject: `${parent.tokenId}`, detail: JSON.stringify({ alsoEnded: [child.tokenId, grandchild.tokenId] }) },
    ]);
  });

  it('is revoked with it by an operator as well', async () => {
    const { member, tenantId } = await makeTeam(t);
    const parent = await make(member);
    const child = await make(parent);
    expect((await t.admin.delete(`/admin/tenants/${tenantId}/tokens/${parent.tokenId}`)).status).toBe(200);
    expect(await statusOf(child)).toBe(401);
  });

  it('is not made with one that is being revoked at that moment', async () => {
    const { member, admin } = await makeTeam(t);
    const parent = await make(member);
    const tries = Array.from({ length: 8 }, () => parent.post('/v2/tokens', wanted));
    const [revoked, ...made] = await Promise.all([admin.delete(`/v2/tokens/${parent.tokenId}`), ...tries]);
    expect(revoked?.status).toBe(200);
    for (const { status, body } of made)
      if (status === 200) expect(await statusOf(t.withToken(body.data.token))).toBe(401);
  });
});

it('a token that a browser made goes on after its fifteen minutes and after the sign-out', async () => {
  const { tenantId } = await t.tenant();
  const b = await signedIn(t, await makePerson(t, { tenantId }));
  const made = await make(t.withToken(await browserToken(b)));
  expect(made.expiresAt).toBe(null);
  await b.post('/oauth/sign-out');
  expect(await statusOf(made)).toBe(200);
});
