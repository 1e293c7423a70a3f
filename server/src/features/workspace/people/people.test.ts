import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { browserToken, isSignedIn, signedIn } from '../../../../test/accounts.js';
import type { Reply } from '../../../../test/app.js';
import { useApp } from '../../../../test/app.js';
import { makeTeam, makeTeammate, type Team, type Teammate, withNewToken } from '../../../../test/team.js';
import { sql } from '../../../db/sql.js';

const t = useApp();
const path = ({ accountId }: { accountId: number }) => `/v2/people/${accountId}`;

function expectLast(reply: Reply): void {
  expect(reply.status).toBe(409);
  expect(reply.body.errors[0]).toMatchObject({ errorCode: 'INVALID_STATE' });
  expect(reply.body.errors[0].message).toContain('last admin');
}

async function accountOf({ get }: Pick<Teammate, 'get'>): Promise<{ accountId: number }> {
  return (await get('/v2/me')).body.data.account;
}

describe('the people of a workspace', () => {
  it('are listed with their roles, and for an admin with second factors and last use', async () => {
    const { admin, member, viewer, program, tenantId } = await makeTeam(t);
    await t.db.run(sql`update person set totp_since = now() where person_id = ${member.personId}`);
    await t.db.run(sql`
      update access_token set last_used_at = '2026-01-02T03:04:05Z' where tenant_id = ${tenantId} and account_id = ${member.accountId}`);
    const { body } = await admin.get('/v2/people');
    expect(body.pagination).toMatchObject({ totalElements: 4 });
    const base = { state: 'active', isPerson: true, hasSecondFactor: false, isYou: false };
    const { accountId } = await accountOf(program);
    // Uses are stored now and then: when the others were last seen is not part of this test.
    expect(body.data.map(({ lastSeenAt: _, ...row }: { lastSeenAt: unknown }) => row)).toEqual([
      { ...base, accountId, name: 'Owner', email: null, role: 'admin', isPerson: false },
      { ...base, accountId: admin.accountId, name: 'A admin', email: admin.email, role: 'admin', isYou: true },
      {
        ...{ ...base, accountId: member.accountId, name: 'A member', email: member.email, role: 'member' },
        hasSecondFactor: true,
      },
      { ...base, accountId: viewer.accountId, name: 'A viewer', email: viewer.email, role: 'viewer' },
    ]);
    expect(body.data[2].lastSeenAt).toBe('2026-01-02T03:04:05.000Z');
  });

  it('see only names, addresses and roles of each other', async () => {
    const { viewer, admin } = await makeTeam(t);
    const rows: { accountId: number; hasSecondFactor: boolean | null; lastSeenAt: unknown; isYou: boolean }[] = (
      await viewer.get('/v2/people')
    ).body.data;
    for (const row of rows) {
      expect(row.isYou).toBe(row.accountId === viewer.accountId);
      expect(row.hasSecondFactor).toBe(row.isYou ? false : null);
      if (!row.isYou) expect(row.lastSeenAt).toBeNull();
    }
    expect(rows.map(({ accountId }) => accountId)).toContain(admin.accountId);
  });

  it('come in pages', async () => {
    const { admin, viewer } = await makeTeam(t);
    const page = await admin.get('/v2/people?pageSize=3&pageNumber=2');
    expect(page.body.pagination).toMatchObject({ totalElements: 4, totalPages: 2 });
    expect(page.body.data).toMatchObject([{ accountId: viewer.accountId }]);
  });
});

describe('a role', () => {
  it('takes effect on tokens at once: those of a viewer read, and those of an admin look after the workspace', async () => {
    const { admin, member } = await makeTeam(t);
    expect((await member.post('/v2/lists', { name: 'before' })).status).toBe(200);
    const demoted = await admin.patch(path(member), { role: 'viewer' });
    expect(demoted.body.data).toMatchObject({ accountId: member.accountId, role: 'viewer' });
    expect(await member.post('/v2/lists', { name: 'after' })).toMatchObject({ status: 403, text: '' });
    expect((await member.get('/v2/lists')).status).toBe(200);
    await admin.patch(path(member), { role: 'admin' });
    expect((await member.get('/v2/audit-log')).status).toBe(200);
    expect((await member.post('/v2/lists', { name: 'after' })).status).toBe(200);
  });

  it('can be changed together with a name, and each change is logged once', async () => {
    const { admin, member, tenantId } = await makeTeam(t);
    const changed = await admin.patch(path(member), { role: 'admin', name: ' Ada ' });
    expect(changed.body.data).toMatchObject({ name: 'Ada', role: 'admin' });
    await admin.patch(path(member), { role: 'admin', name: 'Ada' });
    const log = await t.db.rows(sql<{ action: string; detail: string; accountId: number }>`
      select action, subject, detail, account_id as "accountId", address from audit_entry
      where tenant_id = ${tenantId} and subject = ${String(member.accountId)} and action like 'person.%' order by entry_no`);
    const common = { subject: String(member.accountId), accountId: admin.accountId, address: '127.0.0.1' };
    expect(log).toEqual([
      { ...common, action: 'person.renamed', detail: '{}' },
      { ...common, action: 'person.role-changed', detail: '{"from":"member","to":"admin"}' },
    ]);
  });

  it.each([
    [{}, ''],
    [{ role: 'owner' }, 'role'],
    [{ role: null }, 'role'],
    [{ name: '' }, 'name'],
    [{ name: 'x'.repeat(256) }, 'name'],
  ])('is refused as %j', async (body, field) => {
    const { admin, member } = await makeTeam(t);
    const reply = await admin.patch(path(member), body);
    expect(reply.status).toBe(400);
    if (field) expect(reply.body.errors[0].detail).toBe(field);
  });

  it('of a person in another workspace is 404', async () => {
    const [ours, theirs] = [await makeTeam(t), await makeTeam(t)];
    for (const reply of [
      await ours.admin.patch(path(theirs.member), { role: 'viewer' }),
      await ours.admin.post(`${path(theirs.member)}/deactivate`),
      await ours.admin.post(`${path(theirs.member)}/reactivate`),
      await ours.admin.patch('/v2/people/x', { role: 'viewer' }),
    ])
      expect(reply.body.errors[0]).toMatchObject({ errorCode: 'NOT_FOUND', message: 'No such person.' });
    expect((await theirs.member.post('/v2/lists', { name: 'still' })).status).toBe(200);
  });
});

describe('deactivation', () => {
  it('ends tokens of every kind, grants and sessions here, at once, and leaves the person’s other workspaces alone', async () => {
    const { admin, member, tenantId } = await makeTeam(t);
    const elsewhere = await t.tenant();
    await t.db.run(sql`
      insert into account (tenant_id, name, role, person_id) values (${elsewhere.tenantId}, 'x', 'member', ${member.personId})`);
    const browser = await signedIn(t, member);
    const chosen = await browser.post('/oauth/session/workspace', { tenantId });
    expect(chosen.status).toBe(200);
    const tokens = [member.token, await browserToken(browser)];
    const app = await withNewToken(t, member);
    await t.db.run(sql`
      update access_token set kind = 'app', grant_hash = sha256('grant') where tenant_id = ${tenantId} and token_id = ${app.tokenId}`);
    await t.db.run(sql`
      insert into oauth_record (kind, id_hash, payload, grant_hash, of_tenant_id, account_id)
      values ('Grant', sha256('grant'), '{}', null, ${tenantId}, ${member.accountId}),
        ('RefreshToken', sha256('refresh'), '{}', sha256('grant'), null, null),
        ('Grant', sha256('other'), '{}', null, ${tenantId}, ${admin.accountId}),
        ('RefreshToken', sha256('theirs'), '{}', sha256('other'), null, null),
        ('Client', sha256('client'), '{}', null, null, null)`);
    for (const token of [...tokens, app.token]) expect((await t.withToken(token).get('/v2/me')).status).toBe(200);

    const gone = await admin.post(`${path(member)}/deactivate`);
    expect(gone.body.data).toMatchObject({ accountId: member.accountId, state: 'deactivated' });
    for (const token of [...tokens, app.token]) expect((await t.withToken(token).get('/v2/me')).status).toBe(401);
    const live = await t.db.rows(sql`
      select from access_token where tenant_id = ${tenantId} and account_id = ${member.accountId} and revoked_at is null`);
    expect(live).toHaveLength(0);
    const records = await t.db.rows(sql<{ kind: string }>`select kind from oauth_record order by kind`);
    expect(records.map(({ kind }) => kind)).toEqual(['Client', 'Grant', 'RefreshToken']);
    expect((await browser.post('/oauth/session/token')).status).not.toBe(200);
    expect((await browser.post('/oauth/session/workspace', { tenantId })).status).not.toBe(200);
    expect((await browser.post('/oauth/session/workspace', { tenantId: elsewhere.tenantId })).status).toBe(200);
  });

  it('ends the sessions of a person without another workspace', async () => {
    const { admin, member } = await makeTeam(t);
    const browser = await signedIn(t, member);
    expect(await isSignedIn(browser)).toBe(true);
    await admin.post(`${path(member)}/deactivate`);
    expect(await isSignedIn(browser)).toBe(false);
    expect((await browser.get('/oauth/session/account')).status).toBe(401);
  });

  it('changes nothing the second time, and a key replays it', async () => {
    const { admin, member, tenantId } = await makeTeam(t);
    const key = { 'idempotency-key': 'k' };
    const first = await admin.post(`${path(member)}/deactivate`, undefined, key);
    const again = await admin.post(`${path(member)}/deactivate`, undefined, key);
    expect([again.headers['idempotency-replayed'], again.body.data]).toEqual(['true', first.body.data]);
    expect((await admin.post(`${path(member)}/deactivate`)).body.data.state).toBe('deactivated');
    const log = await t.db.rows(sql`
      select from audit_entry where tenant_id = ${tenantId} and action = 'person.deactivated'`);
    expect(log).toHaveLength(1);
  });

  it('is undone by reactivation, which brings back the account and none of its tokens', async () => {
    const { admin, member, tenantId } = await makeTeam(t);
    await admin.post(`${path(member)}/deactivate`);
    // One that was being made in that very moment.
    await t.db.run(sql`
      insert into access_token (token_hash, tenant_id, account_id, name, scopes)
      values (sha256('rpt_pat_late'), ${tenantId}, ${member.accountId}, 'late', '{READ}')`);
    const back = await admin.post(`${path(member)}/reactivate`);
    expect(back.body.data).toMatchObject({ state: 'active', role: 'member' });
    expect((await member.get('/v2/me')).status).toBe(401);
    const live = await t.db.rows(sql`
      select from access_token where tenant_id = ${tenantId} and account_id = ${member.accountId} and revoked_at is null`);
    expect(live).toHaveLength(0);
    expect((await (await withNewToken(t, member)).get('/v2/me')).status).toBe(200);
    expect((await admin.post(`${path(member)}/reactivate`)).status).toBe(200);
  });

  it('may be of oneself, if there is another admin', async () => {
    const { admin, tenantId } = await makeTeam(t);
    expectLast(await admin.post(`${path(admin)}/deactivate`));
    await makeTeammate(t, tenantId, 'admin');
    expect((await admin.post(`${path(admin)}/deactivate`)).status).toBe(200);
    expect((await admin.get('/v2/me')).status).toBe(401);
  });
});

describe('the last admin', () => {
  it('is the last person who is an admin: accounts of programs do not count', async () => {
    const { admin, member, program } = await makeTeam(t);
    expectLast(await program.patch(path(admin), { role: 'member' }));
    expectLast(await program.patch(path(admin), { role: 'viewer', name: 'x' }));
    expectLast(await program.post(`${path(admin)}/deactivate`));
    expect((await program.patch(path(admin), { role: 'admin', name: 'Renamed' })).body.data.name).toBe('Renamed');
    await admin.patch(path(member), { role: 'admin' });
    expect((await member.patch(path(admin), { role: 'member' })).status).toBe(200);
    await member.post(`${path(admin)}/deactivate`);
    expectLast(await member.patch(path(member), { role: 'member' }));
  });

  it('is not a deactivated one', async () => {
    const { admin, tenantId } = await makeTeam(t);
    const second = await makeTeammate(t, tenantId, 'admin');
    await admin.post(`${path(second)}/deactivate`);
    expectLast(await admin.patch(path(admin), { role: 'member' }));
    expect((await admin.patch(path(second), { role: 'member' })).status).toBe(200);
  });

  it('is not protected while there are no people; once there are, a program’s account that is the only admin stays', async () => {
    const tenant = await t.tenant();
    const own = await accountOf(tenant);
    const other = await t.admin.post(`/admin/tenants/${tenant.tenantId}/accounts`, { name: 'other' });
    const { accountId } = other.body.data;
    const helper = await withNewToken(t, { tenantId: tenant.tenantId, accountId });
    expect((await tenant.post(`${path({ accountId })}/deactivate`)).status).toBe(200);
    await tenant.post(`${path({ accountId })}/reactivate`);
    expect((await helper.get('/v2/me')).status).toBe(401);
    await makeTeammate(t, tenant.tenantId, 'viewer');
    expect((await tenant.patch(path({ accountId }), { role: 'member' })).status).toBe(200);
    expectLast(await tenant.patch(path(own), { role: 'member' }));
    const lonely = await t.tenant();
    expect((await lonely.patch(path(await accountOf(lonely)), { role: 'viewer' })).status).toBe(200);
  });

  it('remains when two admins demote each other at once', async () => {
    for (let round = 0; round < 5; round++) {
      const { admin, tenantId } = await makeTeam(t);
      const second = await makeTeammate(t, tenantId, 'admin');
      const replies = await Promise.all([
        admin.patch(path(second), { role: 'member' }),
        second.patch(path(admin), { role: 'member' }),
      ]);
      // The second one was no longer an admin, or was told that the other is the last.
      const statuses = replies.map(({ status }) => status).sort();
      expect(statuses[0]).toBe(200);
      expect([403, 409]).toContain(statuses[1]);
      expect(await activeAdmins(tenantId)).toHaveLength(1);
    }
  });

  it('remains whatever is done to whom, one after the other or all at once', async () => {
    const step = fc.record({ who: fc.nat(2), what: fc.constantFrom('admin', 'viewer', 'deactivate', 'reactivate') });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), fc.boolean(), async (steps, isAtOnce) => {
        const { program, tenantId, admin, member } = await makeTeam(t);
        const people = [admin, member, await makeTeammate(t, tenantId, 'admin')];
        const run = ({ who, what }: (typeof steps)[number]) => change({ program }, people[who] as Teammate, what);
        const replies: Reply[] = [];
        if (isAtOnce) replies.push(...(await Promise.all(steps.map(run))));
        else for (const each of steps) replies.push(await run(each));
        for (const { status } of replies) expect([200, 409]).toContain(status);
        expect((await activeAdmins(tenantId)).length).toBeGreaterThan(0);
      }),
      { numRuns: 12 },
    );
  });
});

function change({ program }: Pick<Team, 'program'>, person: Teammate, what: string): Promise<Reply> {
  return what === 'admin' || what === 'viewer'
    ? program.patch(path(person), { role: what })
    : program.post(`${path(person)}/${what}`);
}

function activeAdmins(tenantId: number): Promise<unknown[]> {
  return t.db.rows(sql`
    select from account
    where tenant_id = ${tenantId} and role = 'admin' and deactivated_at is null and person_id is not null`);
}
