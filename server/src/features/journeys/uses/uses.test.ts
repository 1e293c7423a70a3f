// What an active journey uses is not deleted.
import { beforeAll, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { makeDynamicList } from '../../../../test/dynamic-lists.js';
import { makeEmail, tenantWithDomain } from '../../../../test/emails.js';
import { makeActive, makeJourney, seedEnrolments } from '../../../../test/journeys.js';

const t = useApp();
let tenant: TenantClient;
beforeAll(async () => {
  tenant = await tenantWithDomain(t);
});

let made = 0;
async function makeStaticList(): Promise<string> {
  return (await tenant.post('/v1/lists', { name: `List ${++made}` })).body.data.staticListId;
}

const exit = { id: 'end', type: 'exit' };
const api = { api: true };
const branch = (filter: unknown) => ({ id: 'ask', type: 'branch', cases: [{ filter, next: 'end' }], otherwise: 'end' });
const waiting = (filter: unknown) => ({
  ...{ id: 'wait', type: 'waitUntil', branches: [{ filter, next: 'end' }], timeout: 'P1D', onTimeout: 'end' },
});

/** Where a definition can name a list, and in which type of journey. */
const places: [string, (list: object) => [type: string, definition: object]][] = [
  ['its audience', (list) => ['batch', { entry: { audience: list, schedule: { at: '2099-01-01' } }, steps: [exit] }]],
  ['its entry', (list) => ['trigger', { entry: { joined: list }, steps: [exit] }]],
  ['exitWhen', (list) => ['trigger', { entry: api, exitWhen: { none: [list] }, steps: [exit] }]],
  ['its goal', (list) => ['trigger', { entry: api, goal: { filter: list }, steps: [exit] }]],
  ['a branch', (list) => ['trigger', { entry: api, steps: [branch({ any: [list] }), exit] }]],
  ['a wait', (list) => ['trigger', { entry: api, steps: [waiting({ all: [list] }), exit] }]],
];

async function expectKept(path: string, change: Record<string, unknown>): Promise<void> {
  const draft = await makeJourney(tenant, change);
  const id = await makeActive(tenant, { name: 'The user', ...change });
  const refused = await tenant.delete(path);
  expect([refused.status, refused.body.errors[0]]).toMatchObject([
    409,
    { errorCode: 'INVALID_STATE', message: expect.stringContaining('the active journey "The user"') },
  ]);
  await tenant.post(`/v2/journeys/${id}/deactivate`);
  expect((await tenant.delete(path)).status).toBe(200);
  expect((await tenant.get(`/v2/journeys/${draft}`)).body.data.status).toBe('draft');
}

describe.each(places)('a list in %s of an active journey', (_, use) => {
  it('is not deleted, be it dynamic', async () => {
    const dynamicListId = await makeDynamicList(tenant, { all: [] });
    const [type, definition] = use({ dynamicListId });
    await expectKept(`/v2/dynamic-lists/${dynamicListId}`, { type, definition });
  });

  it('is not deleted, be it static', async () => {
    const staticListId = await makeStaticList();
    const [type, definition] = use({ staticListId });
    await expectKept(`/v2/lists/${staticListId}`, { type, definition });
  });
});

it('keeps a list that contacts are added to, or leave', async () => {
  for (const type of ['addToList', 'removeFromList']) {
    const staticListId = await makeStaticList();
    const definition = { entry: api, steps: [{ id: 'list', type, staticListId }] };
    await expectKept(`/v1/lists/${staticListId}`, { definition });
  }
  const dynamicListId = await makeDynamicList(tenant, { all: [] });
  const definition = { entry: { left: { dynamicListId } }, steps: [exit] };
  await expectKept(`/v2/dynamic-lists/${dynamicListId}`, { definition });
});

it('keeps a journey that contacts are taken out of, also one that cannot be started', async () => {
  const journeyId = await makeJourney(tenant, { type: 'batch' });
  const named = (type: string) => ({ definition: { entry: api, steps: [{ id: 'other', type, journeyId }] } });
  const starts = await makeJourney(tenant, named('startJourney'));
  const refused = await tenant.post(`/v2/journeys/${starts}/activate`);
  expect(refused.text).toContain('definition.steps[0].journeyId: a batch journey cannot be started');
  await expectKept(`/v2/journeys/${journeyId}`, named('leaveJourney'));
});

it('keeps an email that is sent, and no other', async () => {
  const [sent, asked] = [await makeEmail(tenant), await makeEmail(tenant)];
  const definition = {
    entry: api,
    exitWhen: { marketing: 'opened', emailId: asked },
    steps: [
      { id: 'mail', type: 'sendEmail', emailId: sent },
      { id: 'tell', type: 'emitEvent', eventName: 'told', properties: { emailId: asked, staticListId: asked } },
    ],
  };
  const id = await makeActive(tenant, { definition });
  expect((await tenant.delete(`/v2/emails/${asked}`)).status).toBe(200);
  expect((await tenant.delete(`/v2/emails/${sent}`)).status).toBe(409);
  await tenant.post(`/v2/journeys/${id}/deactivate`);
  expect((await tenant.delete(`/v2/emails/${sent}`)).status).toBe(200);
});

it('keeps what an earlier version uses for as long as somebody is on the way in it', async () => {
  const [first, second] = [await makeEmail(tenant), await makeEmail(tenant)];
  const definition = (emailId: string) => ({
    entry: api,
    steps: [
      { id: 'wait', type: 'delay', for: 'P1D' },
      { id: 'mail', type: 'sendEmail', emailId },
    ],
  });
  const edit = (id: string) =>
    tenant.patch(`/v2/journeys/${id}`, { definition: definition(second), inFlight: 'finish' });
  const id = await makeActive(tenant, { definition: definition(first) });
  await seedEnrolments(t, tenant, id, { stepId: 'wait' });
  await edit(id);
  expect((await tenant.delete(`/v2/emails/${first}`)).status).toBe(409);
  await tenant.post(`/v2/journeys/${id}/deactivate`);
  const empty = await makeActive(tenant, { definition: definition(first) });
  await edit(empty);
  expect((await tenant.delete(`/v2/emails/${first}`)).status).toBe(200);
  expect((await tenant.delete(`/v2/emails/${second}`)).status).toBe(409);
});

it('names the first three of many', async () => {
  const emailId = await makeEmail(tenant);
  const definition = { entry: api, steps: [{ id: 'mail', type: 'sendEmail', emailId }] };
  for (const name of ['One', 'Two', 'Three', 'Four', 'Five']) await makeActive(tenant, { name, definition });
  const { body } = await tenant.delete(`/v2/emails/${emailId}`);
  expect(body.errors[0].message).toBe(
    'It is sent by the active journeys "One", "Two", "Three", 2 more. Deactivate or change them first.',
  );
});
