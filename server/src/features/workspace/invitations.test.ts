// What the API adds to invitations: permissions, idempotency keys and tenancy. features/accounts tests how a link is used.
import { describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { makeTeam } from '../../../test/team.js';
import { sql } from '../../db/sql.js';

const t = useApp();
const path = '/v2/invitations';
const wanted = { email: ' Grace@Example.com ', role: 'member' };

describe('an invitation', () => {
  it('shows its link once; the list and the log do not have it', async () => {
    const { admin } = await makeTeam(t);
    const made = await admin.post(path, wanted);
    const { link, isMailed, ...shown } = made.body.data;
    expect(link).toMatch(/^http:\/\/rapport\.test\/oauth\/invitation\?token=[\w-]{43}$/);
    expect(isMailed).toBe(false);
    expect(shown).toMatchObject({
      ...{ email: 'grace@example.com', role: 'member', status: 'open', invitedBy: admin.accountId },
      ...{ acceptedAt: null, accountId: null },
    });
    const listed = await admin.get(path);
    expect(listed.body.data).toEqual([shown]);
    const secret = new URL(link).searchParams.get('token') as string;
    const log = await admin.get('/v2/audit-log?action=person.invited');
    expect(log.body.data).toMatchObject([{ subject: String(shown.invitationId), account: { name: 'A admin' } }]);
    for (const { text } of [listed, log]) expect(text).not.toContain(secret);
    // The log stores no address; it is read from the invitation for as long as that exists.
    const [{ subjectName, ...stored }] = log.body.data;
    expect(subjectName).toBe('grace@example.com');
    expect(JSON.stringify(stored)).not.toContain('grace');
  });

  it('is made once per key, and the row of the key does not reveal its link', async () => {
    const { admin, program, tenantId } = await makeTeam(t);
    const key = { 'idempotency-key': 'k' };
    const first = await admin.post(path, wanted, key);
    const again = await admin.post(path, wanted, key);
    expect([again.headers['idempotency-replayed'], again.body.data]).toEqual(['true', first.body.data]);
    expect((await admin.get(path)).body.data).toHaveLength(1);
    expect((await program.post(path, wanted, key)).body.errors[0].errorCode).toBe('IDEMPOTENCY_KEY_REUSED');
    const kept = await t.db.row(sql<{ response: string }>`
      select response::text from idempotency_key where tenant_id = ${tenantId}`);
    expect(kept?.response).not.toContain('token=');
  });

  it('is sent again with another link, and revoked', async () => {
    const { admin } = await makeTeam(t);
    const { link, invitationId } = (await admin.post(path, wanted)).body.data;
    const again = await admin.post(`${path}/${invitationId}/resend`);
    expect(again.body.data).toMatchObject({ invitationId, status: 'open' });
    expect(again.body.data.link).not.toBe(link);
    expect((await admin.delete(`${path}/${invitationId}`)).body.data).toEqual({ invitationId, success: true });
    expect((await admin.get(path)).body.data).toMatchObject([{ invitationId, status: 'revoked' }]);
    expect((await admin.post(`${path}/${invitationId}/resend`)).body.errors[0].errorCode).toBe('INVALID_STATE');
  });

  it('of another workspace is 404', async () => {
    const [ours, theirs] = [await makeTeam(t), await makeTeam(t)];
    const { invitationId } = (await theirs.admin.post(path, wanted)).body.data;
    for (const id of [invitationId, 'x', '0', '99999999999999999999']) {
      expect((await ours.admin.post(`${path}/${id}/resend`)).status).toBe(404);
      expect((await ours.admin.delete(`${path}/${id}`)).status).toBe(404);
    }
    expect((await theirs.admin.get(path)).body.data).toMatchObject([{ status: 'open' }]);
  });

  it('is refused for a person who belongs to the workspace already', async () => {
    const { admin, member } = await makeTeam(t);
    const reply = await admin.post(path, { email: member.email, role: 'admin' });
    expect(reply.status).toBe(409);
    expect(reply.body.errors[0].errorCode).toBe('INVALID_STATE');
  });

  it.each(["o'brien+x@mail.example.co.uk", 'josé@bücher.example', 'a@xn--bcher-kva.example', 'a@b.xn--p1ai'])(
    'is made for %s',
    async (email) => {
      const { admin } = await makeTeam(t);
      expect((await admin.post(path, { email, role: 'member' })).body.data.email).toBe(email);
    },
  );

  it.each<[object, string]>([
    [{ role: 'member' }, 'email'],
    [{ email: 'nobody', role: 'member' }, 'email'],
    ...['a@b', '<a@b.example>', 'A <a@b.example>', 'a@b.example>', '"a"@b.example', 'a@b..example', 'a@.example'].map(
      (email): [object, string] => [{ email, role: 'member' }, 'email'],
    ),
    ...['a@-b.example', 'a@b.example.', 'a@b_c.example', 'a@[127.0.0.1]', 'a,b@c.example', 'a@b.c', 'a@127.0.0.1'].map(
      (email): [object, string] => [{ email, role: 'member' }, 'email'],
    ),
    [{ email: 'a@b.example' }, 'role'],
    [{ email: 'a@b.example', role: 'owner' }, 'role'],
  ])('is refused as %j, naming %s', async (body, field) => {
    const { admin } = await makeTeam(t);
    const reply = await admin.post(path, body);
    expect(reply.status).toBe(400);
    expect(reply.body.errors[0].detail).toBe(field);
  });
});

it('lets an operator invite the first admin of a tenant', async () => {
  const { tenantId, get } = await t.tenant();
  const made = await t.admin.post(`/admin/tenants/${tenantId}/invitations`, { ...wanted, role: 'admin' });
  expect(made.body.data).toMatchObject({ invitedBy: null, role: 'admin', link: expect.stringContaining('token=') });
  const log = await get('/v2/audit-log?action=person.invited');
  expect(log.body.data).toMatchObject([{ account: null, address: '127.0.0.1' }]);
});
