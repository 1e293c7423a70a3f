// A question to the person that is never answered, or too late; and a person who is no longer what they were.
import { beforeAll, expect, it } from 'vitest';
import { call, connectAgent, post } from '../../../test/agents.js';
import { type TenantClient, useApp } from '../../../test/app.js';
import { makeEmail, tenantWithDomain } from '../../../test/emails.js';
import { makeContact } from '../../../test/events.js';
import { makeActive, makeJourney } from '../../../test/journeys.js';
import { sql } from '../../db/sql.js';
import { systemClock } from '../../lib/clock.js';

let aheadMs = 0;
const clock = { ...systemClock, now: () => new Date(systemClock.now().getTime() + aheadMs) };
const t = useApp({ work: true, clock });
let tenant: TenantClient;
beforeAll(async () => {
  tenant = await tenantWithDomain(t);
});

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
};
const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'apply' };

async function apply(planId: string, more: object = {}) {
  const params = { name: 'apply', arguments: { planId }, _meta: meta, ...more };
  return (await post(t, tenant.token, { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers)).json();
}
const agreed = { inputResponses: { consent: { action: 'accept', content: { agree: true } } } };
const statusOf = async (id: string) => (await tenant.get(`/v2/journeys/${id}`)).body.data.status;

async function planFor(journeyId: string): Promise<string> {
  const agent = await connectAgent(t, tenant.token);
  return (await call(agent, 'plan', { action: 'activate_journey', journeyId })).data.planId;
}

it('does nothing while it waits for the answer, holds nothing open, and forgets the question with the plan', async () => {
  const journeyId = await makeJourney(tenant);
  const planId = await planFor(journeyId);
  const { result } = await apply(planId);
  // The call has ended: what is known travels with the client.
  expect(result.resultType).toBe('input_required');
  expect(await statusOf(journeyId)).toBe('draft');
  const row = await t.db.row(sql<{ leased: boolean }>`
    select leased_until is not null as leased from agent_plan
    where tenant_id = ${tenant.tenantId} and encode(plan_id, 'hex') = ${planId}`);
  expect(row).toEqual({ leased: false });
  // Asked again, it is asked again, however often.
  expect((await apply(planId)).result.resultType).toBe('input_required');
  aheadMs = 601_000;
  const late = await apply(planId, { ...agreed, requestState: result.requestState });
  aheadMs = 0;
  expect(late.error.code).toBe(-32_602);
  await t.db.run(sql`
    update agent_plan set expires_at = now() where tenant_id = ${tenant.tenantId} and encode(plan_id, 'hex') = ${planId}`);
  const over = await apply(planId, { ...agreed, requestState: result.requestState });
  expect(over.result.structuredContent).toMatchObject({ applied: false, reason: 'it is older than 10 minutes' });
  expect(await statusOf(journeyId)).toBe('draft');
});

it('takes an answer of another kind, or none in words, for a no', async () => {
  const journeyId = await makeJourney(tenant);
  const planId = await planFor(journeyId);
  const { requestState } = (await apply(planId)).result;
  for (const consent of [
    { action: 'accept', content: { agree: false } },
    { action: 'accept', content: { agree: 'true' } },
    { action: 'accept', content: {} },
    { action: 'accept' },
    { action: 'decline' },
    { action: 'cancel' },
  ]) {
    const told = await apply(planId, { inputResponses: { consent }, requestState });
    expect(told.result?.structuredContent?.applied ?? false, JSON.stringify(consent)).toBe(false);
  }
  expect(await statusOf(journeyId)).toBe('draft');
});

it('asks with the sentence and the number of people, also where a journey was edited between plan and question', async () => {
  const emailId = await makeEmail(tenant);
  const contactId = await makeContact(tenant, 'asked@example.com');
  const agent = await connectAgent(t, tenant.token);
  const { data } = await call(agent, 'plan', { action: 'send_email', emailId, contactId });
  const { message } = (await apply(data.planId)).result.inputRequests.consent.params;
  expect(message).toContain(data.sentence);
  expect(message).toContain('This reaches 1 person.');
  await tenant.patch(`/v2/emails/${emailId}`, { subject: 'Edited since' });
  const told = await apply(data.planId);
  expect(told.result.structuredContent).toMatchObject({
    ...{ applied: false, reason: 'what it was made from has changed since', reach: 1 },
    ...{ sentence: data.sentence, expiresAt: expect.any(String), firstRecipients: [{ contactId }] },
  });
  expect(told.result.structuredContent.planId).not.toBe(data.planId);
});

it('says no to a person who may not see the workspace any more, between plan and apply', async () => {
  const journeyId = await makeActive(tenant);
  const contactId = await makeContact(tenant, 'nobody@example.com');
  const { body } = await t.admin.post(`/admin/tenants/${tenant.tenantId}/tokens`, {
    ...{ name: 'gone', scopes: ['READ', 'WRITE'] },
  });
  const { token, tokenId } = body.data;
  const agent = await connectAgent(t, token);
  const { data } = await call(agent, 'plan', { action: 'enrol', journeyId, contactIds: [contactId] });
  expect((await t.admin.delete(`/admin/tenants/${tenant.tenantId}/tokens/${tokenId}`)).status).toBe(200);
  const asked = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'apply', arguments: { planId: data.planId } },
  };
  // A node remembers tokens for three seconds.
  await expect.poll(async () => (await post(t, token, { ...asked, method: 'tools/list' })).statusCode).toBe(401);
  expect((await post(t, token, asked)).statusCode).toBe(401);
  expect((await tenant.get(`/v2/journeys/${journeyId}/enrolments`)).body.data).toEqual([]);
});
