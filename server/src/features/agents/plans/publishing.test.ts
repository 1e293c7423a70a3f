// Drafts beside journeys: what publishing one would do, and one that outlived the life of its journey.
import type { Client } from '@modelcontextprotocol/client';
import { beforeAll, expect, it } from 'vitest';
import { call, connectAgent } from '../../../../test/agents.js';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { makeContacts } from '../../../../test/consent.js';
import { tenantWithDomain } from '../../../../test/emails.js';
import { makeActive, plainDefinition } from '../../../../test/journeys.js';

const t = useApp({ work: true });
let tenant: TenantClient;
let agent: Client;
beforeAll(async () => {
  tenant = await tenantWithDomain(t);
  agent = await connectAgent(t, tenant.token);
});

async function listOf(...emails: string[]): Promise<string> {
  const { body } = await tenant.post('/v2/lists', { name: `Of ${emails.join()}` });
  const { staticListId } = body.data;
  if (emails.length > 0)
    await tenant.post(`/v2/lists/${staticListId}/members`, { contactIds: await makeContacts(tenant, ...emails) });
  return staticListId;
}

it('a plan to publish reaches those whom the draft reaches', async () => {
  const entry = (staticListId: string) => ({
    audience: { staticListId },
    schedule: { cron: '0 9 1 1 *', timeZone: 'UTC' },
  });
  const { steps } = plainDefinition;
  const [one, three] = [await listOf('a@example.com'), await listOf('b@example.com', 'c@example.com', 'd@example.com')];
  const journeyId = await makeActive(tenant, { type: 'batch', definition: { entry: entry(one), steps } });
  await call(agent, 'save_journey', { journeyId, definition: { entry: entry(three), steps } });
  const { data } = await call(agent, 'plan', { action: 'activate_journey', journeyId });
  expect(data).toMatchObject({ reach: 3, sentence: expect.stringContaining('3 people') });
  expect(data.firstRecipients).toHaveLength(3);
  const applied = await call(agent, 'apply', { planId: data.planId });
  expect(applied.data).toMatchObject({ applied: true, reach: 3 });
});

it('a draft of a journey that was stopped keeps nobody from activating what is saved', async () => {
  const journeyId = await makeActive(tenant);
  const definition = { ...plainDefinition, steps: [{ id: 'mail', type: 'sendEmail', emailId: 'f'.repeat(24) }] };
  await call(agent, 'save_journey', { journeyId, definition });
  await tenant.post(`/v2/journeys/${journeyId}/deactivate`);
  const { data } = await call(agent, 'plan', { action: 'activate_journey', journeyId });
  expect((await call(agent, 'apply', { planId: data.planId })).data).toMatchObject({ applied: true });
  const { body } = await tenant.get(`/v2/journeys/${journeyId}`);
  expect(body.data).toMatchObject({ status: 'active', definition: plainDefinition });
});
