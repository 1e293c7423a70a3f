import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import * as oauth from '../../../test/oauth.js';
import { makeTeam, type Team } from '../../../test/team.js';
import { sql } from '../../db/sql.js';
import { recordAudit } from '../audit/index.js';

const t = useApp();
let team: Team;
beforeAll(async () => {
  team = await makeTeam(t);
});

interface Row {
  entryNo: number;
  at: string;
  action: string;
  subject: string | null;
  subjectName: string | null;
  account: { accountId: number; name: string } | null;
}
async function read(query = ''): Promise<Row[]> {
  return (await team.admin.get(`/v2/audit-log?pageSize=200${query}`)).body.data;
}

describe('the audit log', () => {
  it('tells newest first who did what to whom, from where, with the hash of each entry', async () => {
    await team.admin.patch('/v2/workspace', { name: 'Acme' });
    const [entry] = (await team.admin.get('/v2/audit-log?pageSize=1')).body.data;
    expect(entry).toEqual({
      entryNo: expect.any(Number),
      at: expect.stringMatching(/^\d{4}-.*Z$/),
      account: { accountId: team.admin.accountId, name: 'A admin' },
      action: 'workspace.changed',
      subject: null,
      subjectName: null,
      detail: { name: 'Acme' },
      address: '127.0.0.1',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const stored = await t.db.row(sql<{ hash: string }>`
      select hash from audit_head where tenant_id = ${team.tenantId}`);
    expect(entry.hash).toBe(stored?.hash);
  });

  it('names no account where an operator did it', async () => {
    await t.admin.patch(`/admin/tenants/${team.tenantId}`, { rateLimit: 999_999 });
    const [entry] = await read();
    expect(entry).toMatchObject({ account: null, action: 'workspace.changed', detail: { rateLimit: 999_999 } });
  });

  it('names what each entry is about, even if it is gone by now', async () => {
    const named = async (action: string) => (await read(`&action=${action}`))[0]?.subjectName;
    const made = await team.admin.post('/v2/tokens', { name: 'Nightly sync', scopes: ['READ'] });
    await team.admin.delete(`/v2/tokens/${made.body.data.tokenId}`);
    expect(await named('token.revoked')).toBe('Nightly sync');
    await team.admin.patch(`/v2/people/${team.viewer.accountId}`, { role: 'member' });
    await team.admin.patch(`/v2/people/${team.viewer.accountId}`, { role: 'viewer' });
    expect(await named('person.role-changed')).toBe('A viewer');
    const invited = await team.admin.post('/v2/invitations', { email: 'new@example.com', role: 'viewer' });
    await team.admin.delete(`/v2/invitations/${invited.body.data.invitationId}`);
    expect(await named('person.invited')).toBe('new@example.com');
    expect(await named('invitation.revoked')).toBe('new@example.com');
    const hook = await team.admin.post('/v2/workspace/mail-hooks', { provider: 'generic' });
    await team.admin.delete(`/v2/workspace/mail-hooks/${hook.body.data.hookId}`);
    expect(await named('mail-hook.removed')).toBe('generic');
    const domain = await team.admin.post('/v2/workspace/sending-domains', { domain: 'named.example' });
    expect([domain.status, await named('sending-domain.added')]).toEqual([200, 'named.example']);
    const by = { tenantId: team.tenantId, accountId: null, address: null };
    await recordAudit(t.db, by, 'sso-domain.lost', 'staff.example');
    expect(await named('sso-domain.lost')).toBe('staff.example');
    const webhook = await team.admin.post('/v2/webhooks', { url: 'https://hooks.example/x', events: ['message.sent'] });
    await team.admin.delete(`/v2/webhooks/${webhook.body.data.webhookId}`);
    expect([await named('webhook.added'), await named('webhook.removed')]).toEqual(['hooks.example', 'hooks.example']);
  });

  it('names an app that was disconnected', async () => {
    const own = await makeTeam(t);
    await oauth.connect(await oauth.registerApp(t, { client_name: 'Sync' }), await oauth.makeMember(t, own.tenantId));
    const [app] = (await own.admin.get('/v2/connected-apps')).body.data;
    await own.admin.delete(`/v2/connected-apps/${app.appId}`);
    const [entry] = (await own.admin.get('/v2/audit-log?action=app.disconnected')).body.data;
    expect(entry).toMatchObject({ subject: app.appId, subjectName: 'Sync' });
  });

  it('names a contact by its address, and an erased one not at all', async () => {
    const contact = '019a8b2c4d5e7f708192a3b4c5d6e7f8';
    await t.db.run(sql`
      insert into contact (tenant_id, contact_id, email, created_at, updated_at, search_text)
      values (${team.tenantId}, ${contact}, 'told@example.com', now(), now(), '')`);
    await team.admin.get(`/v2/contacts/${contact}/export`);
    const exported = async () => (await read('&action=contact.exported'))[0];
    expect(await exported()).toMatchObject({ subject: contact, subjectName: 'told@example.com' });
    await team.admin.put('/v2/suppressions/told@example.com', {});
    await team.admin.delete('/v2/suppressions/told@example.com');
    const lifted = async () => (await read('&action=suppression.lifted'))[0];
    expect(await lifted()).toMatchObject({ subject: contact, subjectName: 'told@example.com' });
    await t.db.run(sql`delete from contact where tenant_id = ${team.tenantId}`);
    expect(await exported()).toMatchObject({ subject: contact, subjectName: null });
  });

  it('belongs to one workspace', async () => {
    const other = await makeTeam(t);
    const numbers = (await other.admin.get('/v2/audit-log')).body.data.map(({ entryNo }: Row) => entryNo);
    expect(numbers).toEqual(numbers.map((_: number, i: number) => numbers.length - i));
    expect(await read(`&accountId=${other.admin.accountId}`)).toEqual([]);
  });

  it('comes in pages, with how many entries there are', async () => {
    const all = await read();
    const page = await team.admin.get('/v2/audit-log?pageSize=2&pageNumber=2');
    expect(page.body.pagination).toMatchObject({ totalElements: all.length, pageNumber: 2 });
    expect(page.body.data).toEqual(all.slice(2, 4));
    const past = await team.admin.get('/v2/audit-log?pageNumber=500');
    expect(past.body).toMatchObject({ data: [], pagination: { totalElements: all.length } });
  });

  it('is filtered by action, account and time, all together', async () => {
    const { tenantId, admin, member } = team;
    for (const accountId of [admin.accountId, member.accountId, null])
      await recordAudit(t.db, { tenantId, accountId, address: null }, 'sign-in.succeeded', null, { n: accountId });
    const all = await read();
    const signIns = await read('&action=sign-in.succeeded');
    expect(signIns).toEqual(all.filter(({ action }) => action === 'sign-in.succeeded'));
    expect(signIns).toHaveLength(3);
    expect(await read(`&accountId=${member.accountId}`)).toEqual(
      all.filter(({ account }) => account?.accountId === member.accountId),
    );
    expect(await read(`&action=sign-in.succeeded&accountId=${member.accountId}`)).toHaveLength(1);
    const moment = all[1]?.at as string;
    expect(await read(`&from=${moment}`)).toEqual(all.filter(({ at }) => at >= moment));
    expect(await read(`&to=${moment}`)).toEqual(all.filter(({ at }) => at <= moment));
    expect(await read('&from=2099-01-01')).toEqual([]);
    expect(await read('&from=2099-01-01&to=2020-01-01')).toEqual([]);
    const filtered = await admin.get('/v2/audit-log?action=sign-in.succeeded&pageSize=1');
    expect(filtered.body.pagination.totalElements).toBe(3);
  });

  it.each([
    'action=',
    'action=no.such',
    'accountId=',
    'accountId=x',
    'accountId=-1',
    'accountId=1e3',
    'accountId=999999999',
  ])('is empty for %s, which nothing matches', async (query) => {
    expect(await read(`&${query}`)).toEqual([]);
  });

  it.each(['from=yesterday', 'to=', 'action=a&action=b', 'from=2026-01-01&from=2026-01-01', 'pageSize=0'])(
    'refuses %s',
    async (query) => {
      const reply = await team.admin.get(`/v2/audit-log?${query}`);
      expect(reply.status).toBe(400);
    },
  );
});
