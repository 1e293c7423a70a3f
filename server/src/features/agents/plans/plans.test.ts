// plan and apply: nothing that reaches people happens without both, and it happens once.
import type { Client } from '@modelcontextprotocol/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { call, connectAgent, post, toolCall } from '../../../../test/agents.js';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { makeEmail, tenantWithDomain } from '../../../../test/emails.js';
import { makeContact } from '../../../../test/events.js';
import { makeActive, makeJourney, plainDefinition } from '../../../../test/journeys.js';
import { makeTeam } from '../../../../test/team.js';
import { sql } from '../../../db/sql.js';

const t = useApp({ work: true });
let tenant: TenantClient;
let agent: Client;
beforeAll(async () => {
  tenant = await tenantWithDomain(t, [{ email: 'ada@example.com', properties: { plan: 'free' } }]);
  agent = await connectAgent(t, tenant.token);
});

const statusOf = async (id: string) => (await tenant.get(`/v2/journeys/${id}`)).body.data;
const messages = async () => (await tenant.get('/v2/messages')).body.pagination.totalElements;

async function listWith(...contactIds: string[]): Promise<string> {
  const { body } = await tenant.post('/v2/lists', { name: `List ${contactIds.length} ${contactIds[0]}` });
  const { staticListId } = body.data;
  await tenant.post(`/v2/lists/${staticListId}/members`, { contactIds });
  return staticListId;
}

describe('GET /v2/agent-plans', () => {
  it('lists what agents planned and did, newest first: one’s own, and everybody’s for an admin', async () => {
    const { admin, member, program } = await makeTeam(t);
    const journeyId = await makeJourney(program, { name: 'Listed' });
    const own = await connectAgent(t, member.token);
    const first = await call(own, 'plan', { action: 'activate_journey', journeyId });
    const other = await connectAgent(t, admin.token);
    const second = await call(other, 'plan', { action: 'stop_journey', journeyId: 'nowhere' });
    expect(second.isError).toBe(true);
    const third = await call(other, 'plan', { action: 'activate_journey', journeyId });
    await call(other, 'apply', { planId: third.data.planId });
    const shown = { action: 'activate_journey', journeyId, emailId: null, clientId: null, appName: null };
    const rowOf = (plan: { data: Record<string, unknown> }, state: string) => ({
      ...{ ...shown, planId: plan.data.planId, sentence: plan.data.sentence, reach: plan.data.reach, state },
    });
    const all = (await admin.get('/v2/agent-plans')).body;
    expect(all.data).toMatchObject([rowOf(third, 'applied'), rowOf(first, 'waiting')]);
    expect(all.pagination.totalElements).toBe(2);
    expect(all.data[0].appliedAt).toMatch(/Z$/);
    expect(all.data[1]).toMatchObject({ appliedAt: null, accountId: member.accountId });
    expect((await member.get('/v2/agent-plans')).body.data).toMatchObject([rowOf(first, 'waiting')]);
    await t.db.run(sql`update agent_plan set expires_at = now() where tenant_id = ${admin.tenantId}`);
    expect((await admin.get('/v2/agent-plans?pageSize=1&pageNumber=2')).body.data).toMatchObject([
      rowOf(first, 'expired'),
    ]);
  });
});

describe('a plan', () => {
  it('says what it would do, and does nothing', async () => {
    const journeyId = await makeJourney(tenant, { name: 'Planned' });
    const { data, text } = await call(agent, 'plan', { action: 'activate_journey', journeyId });
    expect(data).toEqual({
      ...{ planId: expect.stringMatching(/^[0-9a-f]{24}$/), sentence: expect.stringContaining('“Planned”') },
      ...{ reach: expect.any(Number), firstRecipients: [], warnings: expect.any(Array) },
      expiresAt: expect.stringMatching(/Z$/),
    });
    expect(Number.isInteger(data.reach)).toBe(true);
    expect(Date.parse(data.expiresAt) - Date.now()).toBeLessThanOrEqual(600_000);
    expect(text).toContain('Nothing is done yet');
    expect((await statusOf(journeyId)).status).toBe('draft');
  });

  it('is refused for what the API would refuse, in its words', async () => {
    const definition = { entry: { api: true }, steps: [{ id: 'mail', type: 'sendEmail', emailId: '0'.repeat(24) }] };
    const journeyId = await makeJourney(tenant, { definition });
    const told = await call(agent, 'plan', { action: 'activate_journey', journeyId });
    const { body } = await tenant.post(`/v2/journeys/${journeyId}/activate`);
    expect(told.isError).toBe(true);
    expect(told.data.errors[0].message).toBe(body.errors[0].message);
    const nothing = await call(agent, 'plan', { action: 'pause_journey', journeyId });
    expect(nothing.text).toContain('cannot be paused');
  });
});

describe('apply', () => {
  it('activates, pauses, resumes and stops a journey', async () => {
    const journeyId = await makeJourney(tenant);
    const run = async (action: string) => {
      const { data } = await call(agent, 'plan', { action, journeyId });
      const applied = await call(agent, 'apply', { planId: data.planId });
      expect(applied.data, action).toMatchObject({ applied: true, planId: data.planId });
      const { status, isPaused } = await statusOf(journeyId);
      return [status, isPaused];
    };
    expect(await run('activate_journey')).toEqual(['active', false]);
    expect(await run('pause_journey')).toEqual(['active', true]);
    expect(await run('resume_journey')).toEqual(['active', false]);
    expect(await run('stop_journey')).toEqual(['inactive', false]);
  });

  it('sends to a list once, and answers the same the second time and at the same time', async () => {
    const [emailId, one, two] = [
      await makeEmail(tenant),
      await makeContact(tenant, 'one@example.com'),
      await makeContact(tenant, 'two@example.com'),
    ];
    const staticListId = await listWith(one, two);
    const { data: plan } = await call(agent, 'plan', { action: 'send_email', emailId, staticListId });
    expect(plan).toMatchObject({ reach: 2, firstRecipients: [{ email: expect.stringContaining('@example.com') }, {}] });
    const before = await messages();
    const answers = await Promise.all([1, 2, 3].map(() => call(agent, 'apply', { planId: plan.planId })));
    expect(answers[0]?.data).toMatchObject({ applied: true, result: { emailId, queued: 2, failed: 0 } });
    for (const { data } of answers) expect(data).toEqual(answers[0]?.data);
    expect((await call(agent, 'apply', { planId: plan.planId })).data).toEqual(answers[0]?.data);
    expect(await messages()).toBe(before + 2);
  });

  it('enrols contacts', async () => {
    const journeyId = await makeActive(tenant);
    const contactId = await makeContact(tenant, 'enrolled@example.com');
    const { data: plan } = await call(agent, 'plan', { action: 'enrol', journeyId, contactIds: [contactId] });
    expect((await tenant.get(`/v2/journeys/${journeyId}/enrolments`)).body.data).toEqual([]);
    const { data } = await call(agent, 'apply', { planId: plan.planId });
    expect(data.result).toMatchObject({ enrolled: 1, skipped: 0, unknown: 0 });
    expect((await tenant.get(`/v2/journeys/${journeyId}/enrolments`)).body.data).toHaveLength(1);
  });

  it('refuses a plan that is too old, with a new one', async () => {
    const journeyId = await makeJourney(tenant);
    const { data: plan } = await call(agent, 'plan', { action: 'activate_journey', journeyId });
    await t.db.run(
      sql`update agent_plan set expires_at = now() - interval '1 second' where tenant_id = ${tenant.tenantId}`,
    );
    const told = await call(agent, 'apply', { planId: plan.planId });
    expect(told).toMatchObject({ isError: true, data: { applied: false, reason: 'it is older than 10 minutes' } });
    expect(told.data.planId).not.toBe(plan.planId);
    expect((await statusOf(journeyId)).status).toBe('draft');
    expect((await call(agent, 'apply', { planId: told.data.planId })).data.applied).toBe(true);
  });

  it('refuses the plan of another person, and one for a journey that was edited since', async () => {
    const journeyId = await makeJourney(tenant);
    const { data: plan } = await call(agent, 'plan', { action: 'activate_journey', journeyId });
    await t.db.run(sql`
      insert into account (tenant_id, name) values (${tenant.tenantId}, 'Other')`);
    await t.db.run(sql`
      update agent_plan set account_id = (select max(account_id) from account where tenant_id = ${tenant.tenantId})
      where tenant_id = ${tenant.tenantId} and applied_at is null`);
    const foreign = await call(agent, 'apply', { planId: plan.planId });
    expect(foreign.data).toMatchObject({ applied: false, reason: 'another person made it' });
    await tenant.patch(`/v2/journeys/${journeyId}`, { definition: { ...plainDefinition, reentry: 'always' } });
    const edited = await call(agent, 'apply', { planId: foreign.data.planId });
    expect(edited.data).toMatchObject({ applied: false, reason: 'what it was made from has changed since' });
    expect((await statusOf(journeyId)).status).toBe('draft');
  });

  it('refuses a plan that reaches more than a tenth more people by now', async () => {
    const emailId = await makeEmail(tenant);
    const staticListId = await listWith(await makeContact(tenant, 'first@example.com'));
    const { data: plan } = await call(agent, 'plan', { action: 'send_email', emailId, staticListId });
    const more = await makeContact(tenant, 'more@example.com');
    await tenant.post(`/v2/lists/${staticListId}/members`, { contactIds: [more] });
    const before = await messages();
    const told = await call(agent, 'apply', { planId: plan.planId });
    expect(told.data).toMatchObject({ applied: false, reach: 2, reason: 'it reaches 2 people by now, not 1' });
    expect(await messages()).toBe(before);
  });

  it('is refused to a person who lost the role', async () => {
    const journeyId = await makeJourney(tenant);
    const { body } = await t.admin.post(`/admin/tenants/${tenant.tenantId}/tokens`, {
      name: 'x',
      scopes: ['READ', 'WRITE'],
    });
    const { token } = body.data;
    const client = await connectAgent(t, token);
    const { data: plan } = await call(client, 'plan', { action: 'activate_journey', journeyId });
    await t.db.run(sql`update account set role = 'viewer' where tenant_id = ${tenant.tenantId}`);
    // A node remembers tokens for three seconds.
    await expect.poll(async () => (await post(t, token, toolCall('plan', {}))).statusCode).toBe(403);
    expect((await post(t, token, toolCall('apply', { planId: plan.planId }))).statusCode).toBe(403);
    await t.db.run(sql`update account set role = 'admin' where tenant_id = ${tenant.tenantId}`);
    expect((await statusOf(journeyId)).status).toBe('draft');
    await expect.poll(async () => (await post(t, tenant.token, toolCall('plan', {}))).statusCode).toBe(200);
  });
});

describe('the person', () => {
  it.each(['accept', 'decline', 'cancel'] as const)('is asked by a client that can ask: %s', async (action) => {
    const journeyId = await makeJourney(tenant, { name: 'Asked about' });
    const asked: string[] = [];
    const client = await connectAgent(t, tenant.token, {
      onAsk: (message) => {
        asked.push(message);
        return { action, ...(action === 'accept' ? { content: { agree: true } } : {}) };
      },
    });
    const { data: plan } = await call(client, 'plan', { action: 'activate_journey', journeyId });
    const { data } = await call(client, 'apply', { planId: plan.planId });
    expect(asked).toEqual([expect.stringContaining(plan.sentence)]);
    expect(asked[0]).toMatch(/This reaches \d+ (person|people)\./);
    expect(data.applied).toBe(action === 'accept');
    expect((await statusOf(journeyId)).status).toBe(action === 'accept' ? 'active' : 'draft');
  });

  it('is not asked by a client of 2025, even one that could', async () => {
    const journeyId = await makeJourney(tenant);
    const onAsk = () => ({ action: 'decline' as const });
    const client = await connectAgent(t, tenant.token, { revision: '2025', onAsk });
    const { data: plan } = await call(client, 'plan', { action: 'activate_journey', journeyId });
    expect((await call(client, 'apply', { planId: plan.planId })).data.applied).toBe(true);
  });

  it('cannot be spoken for: an answer counts only with the sealed state of that plan', async () => {
    const ids = [await makeJourney(tenant), await makeJourney(tenant)];
    const plans = [];
    for (const journeyId of ids)
      plans.push((await call(agent, 'plan', { action: 'activate_journey', journeyId })).data.planId);
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
    };
    const apply = async (planId: string, more: object) => {
      const params = { name: 'apply', arguments: { planId }, _meta: meta, ...more };
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'apply' };
      return (await post(t, tenant.token, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers)).json();
    };
    const inputResponses = { consent: { action: 'accept', content: { agree: true } } };
    const first = await apply(plans[0], {});
    expect(first.result).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
    const { requestState } = first.result;
    expect((await apply(plans[0], { inputResponses })).result.resultType).toBe('input_required');
    expect((await apply(plans[1], { inputResponses, requestState })).result.resultType).toBe('input_required');
    const forged = await apply(plans[0], { inputResponses, requestState: `${requestState.slice(0, -4)}AAAA` });
    expect(forged.error.code).toBe(-32_602);
    expect((await statusOf(ids[0] as string)).status).toBe('draft');
    expect((await apply(plans[0], { inputResponses, requestState })).result.structuredContent.applied).toBe(true);
  });
});

describe('what a live journey waits for or sends', () => {
  it('is changed by a plan only: a contact, an email and a list', async () => {
    const emailId = await makeEmail(tenant);
    const filter = { all: [{ property: 'plan', is: 'pro' }] };
    const { body } = await tenant.post('/v2/dynamic-lists', { name: 'Pros', filter });
    const { dynamicListId } = body.data;
    const steps = [{ id: 'mail', type: 'sendEmail', emailId }];
    const journeyId = await makeActive(tenant, {
      name: 'Live',
      definition: { entry: { joined: { dynamicListId } }, steps },
    });
    const change = { email: 'ada@example.com', properties: { plan: 'pro' } };
    for (const [tool, given] of [
      ['update_contact', change],
      ['save_email', { emailId, subject: 'Changed' }],
      ['save_list', { dynamicListId, filter: { all: [{ property: 'plan', is: 'free' }] } }],
    ] as const) {
      const told = await call(agent, tool, given);
      expect(told.isError, tool).toBe(true);
      expect(told.text, tool).toContain('“Live”'.replace(/[“”]/g, tool === 'save_email' ? '"' : '$&'));
      expect(told.text, tool).toContain('Call plan with action "change"');
      const { data: plan } = await call(agent, 'plan', { action: 'change', ...given });
      expect(plan.sentence, tool).toContain('Change');
      if (tool !== 'update_contact') {
        const applied = await call(agent, 'apply', { planId: plan.planId });
        expect(applied.data, tool).toMatchObject({ applied: true });
      }
    }
    expect((await tenant.get(`/v2/emails/${emailId}`)).body.data.subject).toBe('Changed');
    expect(
      (await call(agent, 'update_contact', { email: 'ada@example.com', properties: { city: 'Paris' } })).isError,
    ).toBe(false);
    expect((await tenant.get(`/v2/journeys/${journeyId}/enrolments`)).body.data).toEqual([]);
  });

  it('is drafted beside it, and published by a plan', async () => {
    const journeyId = await makeActive(tenant, { name: 'Drafted' });
    const before = await statusOf(journeyId);
    const definition = {
      ...plainDefinition,
      steps: [{ id: 'wait', type: 'delay', for: 'P2D' }, ...plainDefinition.steps.slice(1)],
    };
    const dry = await call(agent, 'save_journey', { journeyId, definition, dryRun: true });
    expect(dry.data).toMatchObject({
      saved: false,
      differences: [{ path: 'definition.steps[0].for', before: 'P1D', after: 'P2D' }],
    });
    expect((await call(agent, 'get_journey', { journeyId })).data.draft).toBeNull();
    const saved = await call(agent, 'save_journey', { journeyId, definition });
    expect(saved.data).toMatchObject({ saved: true, isDraftOfLive: true });
    expect(await statusOf(journeyId)).toEqual(before);
    expect((await call(agent, 'get_journey', { journeyId })).data.draft.definition).toEqual(definition);
    const { data: plan } = await call(agent, 'plan', { action: 'activate_journey', journeyId });
    expect(plan.sentence).toContain('Publish the draft');
    expect((await call(agent, 'apply', { planId: plan.planId })).data.applied).toBe(true);
    expect(await statusOf(journeyId)).toMatchObject({ version: 2, definition });
    expect((await call(agent, 'get_journey', { journeyId })).data.draft).toBeNull();
  });
});
