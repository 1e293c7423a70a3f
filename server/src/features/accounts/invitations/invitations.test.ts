import { hash } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { browserToken, makePerson, signedIn, type TestPerson } from '../../../../test/accounts.js';
import { useApp } from '../../../../test/app.js';
import { inviter, pathOf } from '../../../../test/invitations.js';
import { linkIn, openMailbox } from '../../../../test/mailbox.js';
import { bytes, sql } from '../../../db/sql.js';
import { randomBytes } from '../../../lib/random.js';
import { SecretBox } from '../../../lib/secret-box.js';

const mailbox = await openMailbox();
const box = new SecretBox(randomBytes(32));
const t = useApp({ transport: mailbox.transport, box, work: true });
const { invite, invitations } = (() => {
  const made = inviter(t, { transport: mailbox.transport, box });
  return { invite: made.invite, invitations: () => made.invitations };
})();
const whole = { limit: 20, offset: 0 };
let admin: TestPerson;
let tenantId = 0;
let count = 0;
let email = '';

beforeEach(async () => {
  ({ tenantId } = await t.tenant());
  admin = await makePerson(t, { tenantId, name: 'Ada Lovelace' });
  email = `guest-${++count}@example.com`;
});
afterAll(() => mailbox.server.close());

const actor = () => ({ tenantId, accountId: admin.accountId, address: '192.0.2.1' });
const list = async () => (await invitations().list(tenantId, whole)).rows;
const audited = async () =>
  t.db.rows(sql<{ action: string; subject: string; accountId: number | null; detail: string }>`
    select action, subject, account_id as "accountId", detail from audit_entry where tenant_id = ${tenantId} and action <> 'token.created' order by entry_no`);

describe('inviting', () => {
  it('mails a link that works for a week, shows it once, and stores only its hash', async () => {
    const made = await invite({ tenantId, email: ` ${email.toUpperCase()} `, role: 'viewer', by: admin.accountId });
    expect(made).toMatchObject({ role: 'viewer', status: 'open', invitedBy: admin.accountId, isMailed: true });
    expect(made.link).toMatch(/^http:\/\/rapport\.test\/oauth\/invitation\?token=[\w-]{43}$/);
    const days = (Date.parse(made.expiresAt) - Date.parse(made.createdAt)) / 86_400_000;
    expect(days).toBeCloseTo(7, 3);
    const mail = await mailbox.mailTo(email);
    expect(linkIn(mail)).not.toBe(pathOf(made));
    for (const path of [linkIn(mail), pathOf(made)]) expect((await t.anonymous.get(path)).status).toBe(200);
    expect(mail.text).toContain('Ada Lovelace invites you to the workspace Test');
    const mailed = linkIn(mail).slice(linkIn(mail).indexOf('=') + 1);
    const row = await t.db.row(sql<{ secretHash: string; text: string }>`
      select secret_hash as "secretHash", i::text as text from invitation i where tenant_id = ${tenantId}`);
    const secret = made.link.slice(made.link.indexOf('=') + 1);
    expect(row?.secretHash).toBe(hash('sha256', secret));
    for (const each of [secret, mailed]) {
      expect(row?.text).not.toContain(each);
      expect(JSON.stringify(await list())).not.toContain(each);
    }
  });

  it('is in the audit log, with the role and without the address', async () => {
    const { invitationId } = await invite({ tenantId, email, by: admin.accountId });
    const [entry] = await audited();
    expect(entry).toMatchObject({ action: 'person.invited', subject: `${invitationId}`, accountId: admin.accountId });
    expect(entry?.detail).toBe('{"role":"member"}');
  });

  it('the same address again replaces an open invitation, even when both come at once', async () => {
    const first = await invite({ tenantId, email });
    const both = await Promise.all([
      invite({ tenantId, email, role: 'admin' }),
      invite({ tenantId, email: email.toUpperCase() }),
    ]);
    const rows = await list();
    expect(rows.filter(({ status }) => status === 'open')).toHaveLength(1);
    const last = Math.max(...both.map(({ invitationId }) => invitationId));
    expect(rows.map(({ invitationId, status }) => [invitationId, status])).toEqual([
      [last, 'open'],
      [last - 1, 'revoked'],
      [first.invitationId, 'revoked'],
    ]);
  });

  it('leaves invitations of other workspaces alone', async () => {
    const other = await t.tenant();
    await invite({ tenantId: other.tenantId, email });
    await invite({ tenantId, email });
    expect((await invitations().list(other.tenantId, whole)).rows).toMatchObject([{ status: 'open' }]);
    await expect(
      t.db.transaction((tx) => invitations().revoke(tx, { ...actor(), tenantId: other.tenantId }, 1_000_000)),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('refuses a person who belongs to the workspace, and says what to do', async () => {
    await expect(invite({ tenantId, email: admin.email.toUpperCase() })).rejects.toThrow('Change their role instead.');
    await t.db.run(
      sql`update account set deactivated_at = now() where tenant_id = ${tenantId} and account_id = ${admin.accountId}`,
    );
    await expect(invite({ tenantId, email: admin.email })).rejects.toThrow('Reactivate them instead.');
  });

  it('needs a workspace that exists', async () => {
    await expect(invite({ tenantId: 1_000_000, email })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('mail', () => {
  it('does not flood a mailbox, whichever workspaces invite it; the link is still returned', async () => {
    const { tenantId: other } = await t.tenant();
    const mailed: boolean[] = [];
    for (let i = 0; i < 12; i++)
      mailed.push(
        (await invite({ tenantId: i % 2 ? other : tenantId, email: i % 3 ? email : email.toUpperCase() })).isMailed,
      );
    expect(mailed).toEqual([...Array(10).fill(true), false, false]);
  });

  it('from one workspace is limited to 200 an hour', async () => {
    const key = hash('sha256', `guess invite-mail-of:${tenantId}`);
    await t.db.run(sql`insert into guess (guess_key, tries) values (${bytes(key)}, 199)`);
    expect((await invite({ tenantId, email })).isMailed).toBe(true);
    expect((await invite({ tenantId, email: `other-${email}` })).isMailed).toBe(false);
  });
});

describe('an invitation that is sent again', () => {
  it('has a new link and another week, and belongs to the person who sent it again', async () => {
    const first = await invite({ tenantId, email });
    await t.db.run(sql`update invitation set expires_at = now() - interval '1 day' where tenant_id = ${tenantId}`);
    expect(await list()).toMatchObject([{ status: 'expired' }]);
    const again = await t.db.transaction((tx) => invitations().resend(tx, actor(), first.invitationId));
    expect(again).toMatchObject({
      invitationId: first.invitationId,
      invitedBy: admin.accountId,
      status: 'open',
      isMailed: true,
    });
    expect(again.link).not.toBe(first.link);
    expect((await t.anonymous.get(linkIn(await mailbox.mailTo(email, 2)))).status).toBe(200);
    for (const dead of [pathOf(first), linkIn(await mailbox.mailTo(email, 1))]) {
      const old = await t.anonymous.get(dead);
      expect([old.status, old.text.includes('Invitation not found')]).toEqual([404, true]);
    }
    expect((await t.anonymous.get(pathOf(again))).status).toBe(200);
    expect((await audited()).map(({ action, detail }) => [action, detail])).toEqual([
      ['person.invited', '{"role":"member"}'],
      ['person.invited', '{"role":"member","isAgain":true}'],
    ]);
  });

  it('must be neither accepted nor revoked, and belong to this workspace', async () => {
    const resend = (invitationId: number) => t.db.transaction((tx) => invitations().resend(tx, actor(), invitationId));
    const { invitationId } = await invite({ tenantId, email });
    await t.db.transaction((tx) => invitations().revoke(tx, actor(), invitationId));
    await expect(resend(invitationId)).rejects.toThrow('It was revoked. Invite the person anew.');
    await t.db.run(sql`update invitation set accepted_at = now() where tenant_id = ${tenantId}`);
    await expect(resend(invitationId)).rejects.toThrow('It was accepted');
    const other = await t.tenant();
    const theirs = await invite({ tenantId: other.tenantId, email });
    await expect(resend(theirs.invitationId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('revoking an invitation', () => {
  it('ends its link, and is in the audit log once', async () => {
    const made = await invite({ tenantId, email });
    const revoke = () => t.db.transaction((tx) => invitations().revoke(tx, actor(), made.invitationId));
    expect([await revoke(), await revoke()]).toMatchObject([{ status: 'revoked' }, { status: 'revoked' }]);
    expect((await audited()).filter(({ action }) => action === 'invitation.revoked')).toHaveLength(1);
    const page = await t.anonymous.get(pathOf(made));
    expect([page.status, page.text.includes('This invitation was revoked')]).toEqual([410, true]);
  });

  it('happens by itself when its inviter is deactivated', async () => {
    const made = await invite({ tenantId, email, by: admin.accountId });
    await t.db.run(
      sql`update account set deactivated_at = now() where tenant_id = ${tenantId} and account_id = ${admin.accountId}`,
    );
    expect(await list()).toMatchObject([{ status: 'revoked' }]);
    expect((await t.anonymous.get(pathOf(made))).status).toBe(410);
  });

  it('happens by itself when its inviter is no longer an admin', async () => {
    const made = await invite({ tenantId, email, role: 'admin', by: admin.accountId });
    await t.db.run(
      sql`update account set role = 'viewer' where tenant_id = ${tenantId} and account_id = ${admin.accountId}`,
    );
    expect(await list()).toMatchObject([{ status: 'revoked' }]);
    expect((await t.anonymous.get(pathOf(made))).status).toBe(410);
  });

  it.each(['deactivated', 'an admin no more'])('stays so when its inviter was %s and is back', async (how) => {
    const boss = await makePerson(t, { tenantId, name: 'Boss' });
    const client = t.withToken(await browserToken(await signedIn(t, boss)));
    const made = await invite({ tenantId, email, by: admin.accountId });
    const person = `/v2/people/${admin.accountId}`;
    const isGone = how === 'deactivated';
    const away = isGone ? client.post(`${person}/deactivate`) : client.patch(person, { role: 'viewer' });
    expect((await away).status).toBe(200);
    const back = isGone ? client.post(`${person}/reactivate`) : client.patch(person, { role: 'admin' });
    expect((await back).status).toBe(200);
    expect(await list()).toMatchObject([{ status: 'revoked' }]);
    expect((await t.anonymous.get(pathOf(made))).status).toBe(410);
  });

  it('also holds for invitations whose inviter was deactivated by an earlier build', async () => {
    const boss = await makePerson(t, { tenantId, name: 'Boss' });
    const client = t.withToken(await browserToken(await signedIn(t, boss)));
    await invite({ tenantId, email, by: admin.accountId });
    await t.db.run(sql`
      update account set deactivated_at = now() where tenant_id = ${tenantId} and account_id = ${admin.accountId}`);
    expect((await client.post(`/v2/people/${admin.accountId}/reactivate`)).status).toBe(200);
    expect(await list()).toMatchObject([{ status: 'revoked' }]);
  });
});
