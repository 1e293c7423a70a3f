// A process that ends in the middle of apply: the plan is applied once, or not at all, and a second apply says what the first did.
// What a kill leaves in the database is made here by hand; agents-kill.test.ts kills a real one.
import type { Client } from '@modelcontextprotocol/client';
import { beforeAll, expect, it } from 'vitest';
import { call, connectAgent } from '../../../../test/agents.js';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { makeEmail, tenantWithDomain } from '../../../../test/emails.js';
import { makeContact } from '../../../../test/events.js';
import { makeActive, makeJourney, plainDefinition } from '../../../../test/journeys.js';
import { sql } from '../../../db/sql.js';

const t = useApp({ work: true });
let tenant: TenantClient;
let agent: Client;
beforeAll(async () => {
  tenant = await tenantWithDomain(t, [{ email: 'ada@example.com' }]);
  agent = await connectAgent(t, tenant.token);
});

const planned = async (given: object) => (await call(agent, 'plan', { ...given })).data.planId as string;
const apply = (planId: string) => call(agent, 'apply', { planId });
const messages = async () => (await tenant.get('/v2/messages')).body.pagination.totalElements;

/** It was done, but the caller was not told: the process ended in between. */
async function forget(planId: string): Promise<void> {
  await t.db.run(sql`
    update agent_plan set outcome = null, applied_at = null, leased_until = now() - interval '1 second'
    where tenant_id = ${tenant.tenantId} and encode(plan_id, 'hex') = ${planId}`);
}

async function listOf(size: number): Promise<string> {
  const { body } = await tenant.post('/v2/lists', { name: `List of ${size} ${Math.random()}` });
  const { staticListId } = body.data;
  const contacts = Array.from({ length: size }, (_, i) => ({ email: `m${i}-${staticListId}@example.com` }));
  const done = await tenant.done(await tenant.post('/v2/contacts/batch', { contacts }));
  const contactIds = done.data.results.map(({ contactId }: { contactId: string }) => contactId);
  await tenant.post(`/v2/lists/${staticListId}/members`, { contactIds });
  return staticListId;
}

it('sends to no one twice, although the list has changed since and the plan has expired', async () => {
  const emailId = await makeEmail(tenant);
  const staticListId = await listOf(600);
  const planId = await planned({ action: 'send_email', emailId, staticListId });
  const before = await messages();
  const first = await apply(planId);
  expect(first.data.result).toEqual({ emailId, queued: 600, failed: 0 });
  await forget(planId);
  await t.db.run(sql`
    update agent_plan set expires_at = now() - interval '1 minute' where tenant_id = ${tenant.tenantId}
      and encode(plan_id, 'hex') = ${planId}`);
  // Both ends of the list move: whatever is counted by place would fall into another part.
  const { body } = await tenant.get(`/v2/lists/${staticListId}/members?pageSize=3`);
  for (const { contactId } of body.data) {
    const { status } = await tenant.delete(`/v2/lists/${staticListId}/members/${contactId}`);
    expect(status).toBe(200);
  }
  const more = await makeContact(tenant, `late-${staticListId}@example.com`);
  await tenant.post(`/v2/lists/${staticListId}/members`, { contactIds: [more] });
  expect((await apply(planId)).data).toMatchObject({ applied: true, planId, result: first.data.result });
  expect(await messages()).toBe(before + 600);
});

it('enrols no one twice', async () => {
  const journeyId = await makeActive(tenant, { definition: { ...plainDefinition, reentry: 'always' } });
  const contactIds = [await makeContact(tenant, 'one@example.com'), await makeContact(tenant, 'two@example.com')];
  const planId = await planned({ action: 'enrol', journeyId, contactIds });
  const first = await apply(planId);
  await forget(planId);
  expect((await apply(planId)).data).toEqual(first.data);
  expect((await tenant.get(`/v2/journeys/${journeyId}/enrolments`)).body.data).toHaveLength(2);
});

it('says what was done to a journey, an email and a list', async () => {
  const journeyId = await makeJourney(tenant);
  for (const action of ['activate_journey', 'pause_journey', 'resume_journey', 'stop_journey']) {
    const planId = await planned({ action, journeyId });
    const first = await apply(planId);
    expect(first.data.applied, action).toBe(true);
    await forget(planId);
    expect((await apply(planId)).data, action).toEqual(first.data);
  }
  const live = await makeActive(tenant);
  const steps = [{ id: 'wait', type: 'delay', for: 'P3D' }, ...plainDefinition.steps.slice(1)];
  await call(agent, 'save_journey', { journeyId: live, definition: { ...plainDefinition, steps } });
  const publishing = await planned({ action: 'activate_journey', journeyId: live });
  const published = await apply(publishing);
  await forget(publishing);
  expect((await apply(publishing)).data).toEqual(published.data);
  expect((await tenant.get(`/v2/journeys/${live}`)).body.data.version).toBe(2);
  const emailId = await makeEmail(tenant);
  const changing = await planned({ action: 'change', emailId, subject: 'Once' });
  const changed = await apply(changing);
  await forget(changing);
  expect((await apply(changing)).data).toMatchObject({ applied: true, result: { emailId, saved: true } });
  expect(changed.data.result).toMatchObject({ emailId, saved: true });
});

it('goes no further if what it was made from has changed, and offers no plan that would repeat it', async () => {
  const emailId = await makeEmail(tenant);
  const staticListId = await listOf(2);
  const planId = await planned({ action: 'send_email', emailId, staticListId });
  await apply(planId);
  await forget(planId);
  const before = await messages();
  await tenant.patch(`/v2/emails/${emailId}`, { subject: 'Another' });
  const told = await apply(planId);
  expect(told).toMatchObject({ isError: true, data: { applied: false, planId } });
  expect(told.data.reason).toContain('it was interrupted');
  expect(await messages()).toBe(before);
});

it('tells three who apply an activation at once the same', async () => {
  const planId = await planned({ action: 'activate_journey', journeyId: await makeJourney(tenant) });
  const answers = await Promise.all([1, 2, 3].map(() => apply(planId)));
  for (const { data } of answers) expect(data).toEqual(answers[0]?.data);
  expect(answers[0]?.data.applied).toBe(true);
});
