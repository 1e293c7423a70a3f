// dryRun: what saving would refuse is refused in the same words, and nothing is saved.
import type { Client } from '@modelcontextprotocol/client';
import { beforeAll, expect, it } from 'vitest';
import { call, connectAgent } from '../../../test/agents.js';
import { type TenantClient, useApp } from '../../../test/app.js';
import { emailBody, makeEmail, tenantWithDomain } from '../../../test/emails.js';
import { makeActive, makeJourney } from '../../../test/journeys.js';

const t = useApp({ work: true });
let tenant: TenantClient;
let agent: Client;
beforeAll(async () => {
  tenant = await tenantWithDomain(t);
  agent = await connectAgent(t, tenant.token);
});

const nowhere = 'f'.repeat(24);
const filter = { all: [{ property: 'plan', is: 'pro' }] };

/** Both ways of saving refuse it, with the same errors. */
async function refusedAlike(tool: string, given: Record<string, unknown>) {
  const [tried, saved] = [await call(agent, tool, { ...given, dryRun: true }), await call(agent, tool, given)];
  expect([tried.isError, saved.isError], JSON.stringify(tried)).toEqual([true, true]);
  expect(tried.data.errors).toEqual(saved.data.errors);
  return tried.data.errors[0].errorCode;
}

it('of an email looks at the sender, the name and the folder, too', async () => {
  const name = `Taken ${Math.random()}`;
  const emailId = await makeEmail(tenant, { name });
  const other = await makeEmail(tenant);
  const stranger = { fromEmail: { email: 'me@stranger.example' } };
  expect(await refusedAlike('save_email', emailBody(stranger))).toBe('UnapprovedEmailDomainException');
  expect(await refusedAlike('save_email', { emailId, ...stranger })).toBe('UnapprovedEmailDomainException');
  expect(await refusedAlike('save_email', emailBody({ name }))).toBe('TEMPLATE_ALREADY_EXISTS');
  expect(await refusedAlike('save_email', { emailId: other, name })).toBe('TEMPLATE_ALREADY_EXISTS');
  expect(await refusedAlike('save_email', emailBody({ folderId: nowhere }))).toBe('VALIDATION_ERROR');
});

it('of a list looks at the folder and for circles, too', async () => {
  expect(await refusedAlike('save_list', { name: 'x', filter, folderId: nowhere })).toBe('VALIDATION_ERROR');
  const { body } = await tenant.post('/v2/dynamic-lists', { name: 'Round', filter });
  const { dynamicListId } = body.data;
  const round = { all: [{ dynamicListId }] };
  expect(await refusedAlike('save_list', { dynamicListId, filter: round })).toBe('VALIDATION_ERROR');
});

it('of a journey looks at the folder and the type, too', async () => {
  expect(await refusedAlike('save_journey', { name: 'x', type: 'trigger', folderId: nowhere })).toBe(
    'VALIDATION_ERROR',
  );
  const journeyId = await makeJourney(tenant);
  expect(await refusedAlike('save_journey', { journeyId, folderId: nowhere })).toBe('VALIDATION_ERROR');
  const once = await makeActive(tenant);
  await tenant.post(`/v2/journeys/${once}/deactivate`);
  expect(await refusedAlike('save_journey', { journeyId: once, type: 'batch' })).toBe('INVALID_STATE');
});

it('saves nothing of what could be saved', async () => {
  const emailId = await makeEmail(tenant, { subject: 'Before' });
  const journeyId = await makeJourney(tenant, { name: 'Before' });
  const { body } = await tenant.post('/v2/dynamic-lists', { name: 'Before', filter });
  const { dynamicListId } = body.data;
  const paths = ['emails', 'journeys', 'dynamic-lists'].map((path) => `/v2/${path}?pageSize=200`);
  const all = async () => (await Promise.all(paths.map((path) => tenant.get(path)))).map((page) => page.body.data);
  const one = async () =>
    (await Promise.all([`emails/${emailId}`, `journeys/${journeyId}`].map((path) => tenant.get(`/v2/${path}`)))).map(
      (page) => page.body.data,
    );
  const before = [await all(), await one()];
  for (const [tool, given] of [
    ['save_email', emailBody()],
    ['save_email', { emailId, subject: 'After' }],
    ['save_list', { name: 'New', filter }],
    ['save_list', { dynamicListId, name: 'After', filter: { all: [] } }],
    ['save_journey', { name: 'New', type: 'trigger' }],
    ['save_journey', { journeyId, name: 'After' }],
  ] as const) {
    const { data, isError, text } = await call(agent, tool, { ...given, dryRun: true });
    expect([isError, data.saved], text).toEqual([false, false]);
    expect(data.differences.length, tool).toBeGreaterThan(0);
  }
  expect([await all(), await one()]).toEqual(before);
});

it('takes a filter that is longer than an address may be, as the API does', async () => {
  const values = Array.from({ length: 1000 }, (_, i) => `${'value'.repeat(4)} ${i}`);
  const long = { all: [{ property: 'plan', in: values }] };
  expect((await tenant.post('/v2/dynamic-lists', { name: 'By the API', filter: long })).status).toBe(200);
  for (const dryRun of [true, false]) {
    const { data, text } = await call(agent, 'save_list', { name: 'By an agent', filter: long, dryRun });
    expect(data.saved, text).toBe(!dryRun);
  }
});
