// What a live journey waits for, beyond what its definition names: only a plan changes that.
import type { Client } from '@modelcontextprotocol/client';
import { beforeAll, expect, it } from 'vitest';
import { call, connectAgent } from '../../../../test/agents.js';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { makeContacts, makeTopic, statesOf } from '../../../../test/consent.js';
import { tenantWithDomain } from '../../../../test/emails.js';
import { makeActive, plainDefinition } from '../../../../test/journeys.js';

const t = useApp({ work: true });
let tenant: TenantClient;
let agent: Client;
beforeAll(async () => {
  tenant = await tenantWithDomain(t);
  agent = await connectAgent(t, tenant.token);
});

it('leaving a topic is refused where a journey waits for those who unsubscribe, and planned', async () => {
  await makeTopic(tenant, 'News', { byDefault: 'subscribed' });
  const [contactId = ''] = await makeContacts(tenant, 'leaver@example.com');
  const filter = { all: [{ marketing: 'unsubscribed', atLeast: 1 }] };
  const { body } = await tenant.post('/v2/dynamic-lists', { name: 'Leavers', filter });
  const { dynamicListId } = body.data;
  const journeyId = await makeActive(tenant, {
    name: 'Goodbye',
    definition: { ...plainDefinition, entry: { joined: { dynamicListId } } },
  });
  const change = { contactId, topics: { news: 'unsubscribed' } };
  const told = await call(agent, 'update_contact', change);
  expect(told).toMatchObject({ isError: true, text: expect.stringContaining('“Goodbye”') });
  expect(await statesOf(tenant, contactId)).toEqual({ news: 'subscribed' });
  const { data } = await call(agent, 'plan', { action: 'change', ...change });
  expect(data.sentence).toContain('“Goodbye”');
  expect((await call(agent, 'apply', { planId: data.planId })).data.applied).toBe(true);
  const enrolments = async () => (await tenant.get(`/v2/journeys/${journeyId}/enrolments`)).body.data;
  await expect.poll(async () => (await enrolments()).length).toBe(1);
  // Who stays starts nothing.
  const [stays = ''] = await makeContacts(tenant, 'stays@example.com');
  const kept = await call(agent, 'update_contact', { contactId: stays, topics: { news: 'subscribed' } });
  expect([kept.isError, kept.text]).toEqual([false, 'The contact is changed.']);
});
