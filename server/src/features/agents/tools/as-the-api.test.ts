// What the API tells or refuses, tools tell and refuse.
import type { Client } from '@modelcontextprotocol/client';
import { beforeAll, expect, it } from 'vitest';
import { call, connectAgent } from '../../../../test/agents.js';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { makeTopic } from '../../../../test/consent.js';
import { makeContact } from '../../../../test/events.js';
import { makeJourney } from '../../../../test/journeys.js';

const t = useApp({ work: true });
let tenant: TenantClient;
let agent: Client;
beforeAll(async () => {
  tenant = await t.tenant();
  agent = await connectAgent(t, tenant.token);
});

it('names the properties that a change ignored', async () => {
  const contactId = await makeContact(tenant, 'ignored@example.com');
  const properties = { 'Not a key': 1, nested: { a: 1 }, city: 'Rome' };
  const { data } = await call(agent, 'update_contact', { contactId, properties });
  expect(data.results).toEqual([{ status: 'UPDATED', ignoredProperties: ['Not a key', 'nested'] }]);
});

it('knows every topic by its key, however many there are', async () => {
  const own = await t.tenant();
  const contactId = await makeContact(own, 'topics@example.com');
  await makeTopic(own, 'First');
  for (let i = 0; i < 200; i++) await makeTopic(own, `Topic ${i}`);
  const client = await connectAgent(t, own.token);
  const { isError, data } = await call(client, 'update_contact', { contactId, topics: { first: 'subscribed' } });
  expect([isError, data.results]).toEqual([false, [{ status: 'UPDATED' }]]);
  await client.close();
});

it('simulates with named contacts or with a sample, and not with both', async () => {
  const contactIds = [await makeContact(tenant, 'named@example.com')];
  const journeyId = await makeJourney(tenant);
  const { body } = await tenant.post(`/v2/journeys/${journeyId}/simulate`, { contactIds, sample: 3 });
  const { isError, data } = await call(agent, 'simulate_journey', { journeyId, contactIds, sample: 3 });
  expect([isError, data.errors]).toEqual([true, body.errors]);
});
