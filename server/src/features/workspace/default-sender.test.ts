import { describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { auditOf } from '../../../test/audit.js';
import { emailBody } from '../../../test/emails.js';
import { makeTeam } from '../../../test/team.js';
import { insertSendingDomain } from '../sending/index.js';

const t = useApp();
const path = '/v2/workspace/default-sender';
const none = { fromEmail: null, replyTo: null };

async function teamWithDomain() {
  const team = await makeTeam(t);
  await insertSendingDomain(t.db, team.tenantId, 'example.com');
  return team;
}

describe('the sender that new emails begin with', () => {
  it('is none until admins set it, whole, and is of one workspace', async () => {
    const [team, other] = [await teamWithDomain(), await teamWithDomain()];
    expect((await team.viewer.get(path)).body.data).toEqual(none);
    const sender = { fromEmail: { email: 'hello@example.com', name: 'Acme' }, replyTo: 'help@else.test' };
    for (const person of [team.viewer, team.member]) expect((await person.put(path, sender)).status).toBe(403);
    const given = { ...sender, fromEmail: { email: ' Hello@Example.com ', name: 'Acme' } };
    expect((await team.admin.put(path, given)).body.data).toEqual(sender);
    expect((await team.member.get(path)).body.data).toEqual(sender);
    expect((await other.admin.get(path)).body.data).toEqual(none);
    const [entry] = await auditOf(t, team.tenantId, 'workspace.changed');
    expect(JSON.parse(entry?.detail ?? '')).toEqual({ defaultSender: sender });
    expect((await team.admin.put(path, { replyTo: 'x@y.test' })).body.data).toEqual({ ...none, replyTo: 'x@y.test' });
    for (const removed of [{}, none]) {
      expect((await team.admin.put(path, removed)).body.data).toEqual(none);
      expect((await team.admin.get(path)).body.data).toEqual(none);
    }
  });

  it('must be of an approved domain, in this workspace', async () => {
    const [team, other] = [await teamWithDomain(), await makeTeam(t)];
    const sender = { fromEmail: { email: 'hello@example.com' } };
    expect((await team.admin.put(path, sender)).body.data.fromEmail).toEqual({
      email: 'hello@example.com',
      name: null,
    });
    const refused = await other.admin.put(path, sender);
    expect([refused.status, refused.body.errors[0].errorCode]).toEqual([400, 'UnapprovedEmailDomainException']);
    expect(refused.body.errors[0].detail).toBe('fromEmail.email');
    expect((await other.admin.get(path)).body.data).toEqual(none);
  });

  it.each([
    [{ fromEmail: 'hello@example.com' }, 'fromEmail'],
    [{ fromEmail: { name: 'Acme' } }, 'fromEmail.email'],
    [{ fromEmail: { email: 'hello' } }, 'fromEmail.email'],
    [{ fromEmail: { email: 'hello@example.com', name: 'a\nb' } }, 'fromEmail.name'],
    [{ replyTo: 'nowhere' }, 'replyTo'],
  ])('is not %j', async (body, place) => {
    const { admin } = await teamWithDomain();
    const refused = await admin.put(path, body);
    expect([refused.status, refused.body.errors[0].errorCode]).toEqual([400, 'VALIDATION_ERROR']);
    expect(refused.body.errors[0].detail).toBe(place);
    expect((await admin.get(path)).body.data).toEqual(none);
  });

  it('does not stand in for the sender of an email that names none, and changes no email', async () => {
    const { admin } = await teamWithDomain();
    const before = (await admin.post('/v2/emails', emailBody())).body.data;
    await admin.put(path, { fromEmail: { email: 'new@example.com' }, replyTo: 'help@example.com' });
    expect((await admin.post('/v2/emails', emailBody({ fromEmail: undefined }))).status).toBe(400);
    const after = (await admin.post('/v2/emails', emailBody())).body.data;
    expect([after.fromEmail.email, after.replyTo]).toEqual(['hello@example.com', 'hello@example.com']);
    expect((await admin.get(`/v2/emails/${before.emailId}`)).body.data).toEqual(before);
  });
});
