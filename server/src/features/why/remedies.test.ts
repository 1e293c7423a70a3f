// What a remedy needs to know: a code and its subjects, beside the words.
import { describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import { auditOf } from '../../../test/audit.js';
import { makeDynamicList, seedContacts } from '../../../test/dynamic-lists.js';
import { makeEmail, tenantWithDomain } from '../../../test/emails.js';
import { makeTeam } from '../../../test/team.js';
import { sql } from '../../db/sql.js';

const t = useApp({ work: true });

interface Piece {
  kind: string;
  text: string;
  holds: boolean;
  fact?: Record<string, unknown>;
}

async function factsOf(tenant: Pick<TenantClient, 'get'>, query: Record<string, string>): Promise<Piece[]> {
  const { status, body } = await tenant.get(`/v2/why?${new URLSearchParams(query)}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return (body.data.evidence as Piece[]).filter(({ fact }) => fact);
}

describe('the facts of a suppression', () => {
  it('say who suppressed an address by hand, and no one once it came about by itself', async () => {
    const team = await makeTeam(t);
    const tenant = team.admin;
    await tenant.post('/v2/workspace/sending-domains', { domain: 'example.com' });
    await team.program.done(await tenant.post('/v2/contacts', { email: 'ada@x.de' }));
    const emailId = await makeEmail(team.program);
    const { accountId: id, name } = (await team.member.get('/v2/me')).body.data.account;
    await team.member.put('/v2/suppressions/ada@x.de', {});
    const told = async () =>
      (await factsOf(tenant, { email: 'ada@x.de', emailId })).find(({ kind }) => kind === 'suppression');
    expect(await told()).toMatchObject({
      text: `Their address was suppressed manually by ${name}.`,
      fact: { code: 'addressSuppressed', reason: 'manual', by: { id, name } },
    });
    await t.db.background.run(sql`update suppression set suppressed_by = null where tenant_id = ${team.tenantId}`);
    expect(await told()).toMatchObject({ text: 'Their address was suppressed manually.', fact: { by: null } });
    const lifted = await team.member.delete(`/v2/suppressions/ada@x.de?note=${'x'.repeat(501)}`);
    expect([lifted.status, lifted.body.errors[0].detail]).toEqual([400, 'note']);
    expect((await team.member.delete('/v2/suppressions/ada@x.de?note=She+asked+for+it')).status).toBe(200);
    expect(await told()).toBeUndefined();
    expect((await auditOf(t, team.tenantId, 'suppression.')).at(-1)?.detail).toBe('{"note":"She asked for it"}');
  });

  it('count from the day of the reason that holds', async () => {
    const tenant = await tenantWithDomain(t, [{ email: 'ada@x.de' }]);
    await tenant.put('/v2/suppressions/ada@x.de', { reason: 'bounced' });
    await t.db.background.run(sql`
      update suppression set created_at = '2026-01-01' where tenant_id = ${tenant.tenantId}`);
    const since = async (reason: string) =>
      (await tenant.put('/v2/suppressions/ada@x.de', { reason })).body.data.createdAt;
    expect(await since('bounced')).toBe('2026-01-01T00:00:00.000Z');
    expect(await since('manual')).not.toMatch(/^2026-01-01/);
  });
});

describe('the facts of what keeps mail back', () => {
  async function withMessage(state: string, reason: string | null) {
    const tenant = await tenantWithDomain(t, [{ email: 'ada@x.de' }]);
    const emailId = await makeEmail(tenant);
    const [{ id: contactId }] = (await tenant.get('/v2/contacts')).body.data;
    await t.db.background.run(sql`
      insert into message (tenant_id, message_id, kind, state, reason, contact_id, address, email_id)
      values (${tenant.tenantId}, gen_random_uuid(), 'direct', ${state}, ${reason}, ${contactId}::uuid, 'ada@x.de', decode(${emailId}, 'hex'))`);
    return {
      tenant,
      emailId,
      codes: async () => (await factsOf(tenant, { contactId, emailId })).map(({ fact }) => fact),
    };
  }

  it('name the domain that is not approved, or whose records are not published', async () => {
    const { tenant, codes } = await withMessage('skipped', 'noSender');
    expect(await codes()).toEqual([{ code: 'senderNotVerified', domain: 'example.com' }]);
    await tenant.delete('/v2/workspace/sending-domains/example.com');
    expect(await codes()).toEqual([{ code: 'senderNotApproved', domain: 'example.com' }]);
    const bounced = await withMessage('bounced', '550 5.7.26 unauthenticated');
    expect(await bounced.codes()).toEqual([{ code: 'senderNotVerified', domain: 'example.com' }]);
    await t.db.background.run(sql`
      update sending_domain set verified_at = now() where tenant_id = ${bounced.tenant.tenantId}`);
    expect(await bounced.codes()).toEqual([]);
  });

  it('say that there is no mail server, that sending is paused, and that nothing sends an email', async () => {
    expect(await (await withMessage('sent', 'outbox')).codes()).toEqual([{ code: 'noMailServer' }]);
    const failed = await withMessage('failed', 'gave up');
    await t.db.background.run(sql`
      insert into sending_pause (tenant_id, reason, since) values (${failed.tenant.tenantId}, 'Too many complaints.', now())`);
    expect(await failed.codes()).toEqual([{ code: 'sendingPaused' }]);
    const other = await makeEmail(failed.tenant);
    const told = await factsOf(failed.tenant, { email: 'ada@x.de', emailId: other });
    expect(told.map(({ fact }) => fact)).toEqual([{ code: 'neverSent', emailId: other }, { code: 'sendingPaused' }]);
  });
});

describe('the facts of lists and journeys', () => {
  it('name the very condition that keeps a contact out of a list, and of a journey that asks for it', async () => {
    const tenant = await tenantWithDomain(t);
    const [contactId = ''] = await seedContacts(t, tenant, [
      { email: 'ada@x.de', properties: { plan: 'free', seats: 3 } },
    ]);
    const filter = { all: [{ property: 'seats', gt: 1 }, { any: [{ property: 'plan', is: 'pro' }] }] };
    const dynamicListId = await makeDynamicList(tenant, filter);
    const condition = { code: 'conditionFails', dynamicListId, path: 'filter.all[1]' };
    const ofList = await factsOf(tenant, { contactId, dynamicListId });
    expect(ofList.map(({ fact }) => fact)).toEqual([condition]);

    const definition = {
      entry: { joined: { dynamicListId } },
      steps: [{ id: 'wait', type: 'delay', for: 'P1D' }],
    };
    const made = await tenant.post('/v2/journeys', { name: 'j', type: 'trigger', definition });
    expect(made.status, made.text).toBe(200);
    const { journeyId } = made.body.data;
    const facts = (await factsOf(tenant, { contactId, journeyId })).map(({ fact }) => fact);
    expect(facts).toContainEqual({ code: 'journeyNotActive', journeyId });
    expect(facts).toContainEqual(condition);

    const staticListId = (await tenant.post('/v2/lists', { name: 'l' })).body.data.staticListId;
    const ofStatic = await factsOf(tenant, { contactId, staticListId });
    expect(ofStatic.map(({ fact }) => fact)).toEqual([{ code: 'notInList', staticListId }]);
  });

  it('have no remedy for who is in', async () => {
    const tenant = await tenantWithDomain(t);
    const [contactId = ''] = await seedContacts(t, tenant, [{ email: 'ada@x.de', properties: { plan: 'pro' } }]);
    const dynamicListId = await makeDynamicList(tenant, { property: 'plan', is: 'pro' });
    expect(await factsOf(tenant, { contactId, dynamicListId })).toEqual([]);
  });
});
