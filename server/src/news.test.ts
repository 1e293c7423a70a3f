// What features announce: every change of a contact, user, organization, membership, list member or event, once.
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../test/app.js';
import { eventsDone, makeUser } from '../test/events.js';
import type { Topic } from './db/news.js';
import { contactsChanged } from './features/contacts/index.js';
import { eventsStored } from './features/events/index.js';
import { membersChanged } from './features/lists/index.js';
import { membershipsChanged, organizationsChanged } from './features/organizations/index.js';
import { usersChanged } from './features/users/index.js';

const t = useApp({ work: true });
/** What was announced, in order: the topic, and the news without what the test ignores. */
let told: [string, Record<string, unknown>][] = [];
let tenant: TenantClient;

function listen<Item extends object>(name: string, topic: Topic<Item>): void {
  topic.hear(t.db.identity, async (_tx, tenantId, items) => {
    if (tenantId === tenant.tenantId)
      told.push(...items.map((item): (typeof told)[number] => [name, Object.fromEntries(Object.entries(item))]));
  });
}

beforeAll(() => {
  listen('contacts', contactsChanged);
  listen('users', usersChanged);
  listen('organizations', organizationsChanged);
  listen('memberships', membershipsChanged);
  listen('members', membersChanged);
  listen('events', eventsStored);
});
beforeEach(async () => {
  tenant = await t.tenant();
  told = [];
});

function heard(name: string): Record<string, unknown>[] {
  const found = told.filter(([topic]) => topic === name).map(([, item]) => item);
  told = told.filter(([topic]) => topic !== name);
  return found;
}

async function contact(email: string, properties: Record<string, unknown>): Promise<string> {
  const done = await tenant.done(await tenant.post('/v2/contacts/batch', { contacts: [{ email, properties }] }));
  return done.data.results[0].contactId;
}

it('tells of contacts that are made, changed and erased, with what each property was and is', async () => {
  const contactId = await contact('a@x.io', { plan: 'free', seats: 1 });
  expect(heard('contacts')).toMatchObject([
    {
      contactId,
      what: 'created',
      changes: [
        { field: 'plan', oldValue: null, newValue: 'free' },
        { field: 'seats', oldValue: null, newValue: 1 },
      ],
    },
  ]);
  await contact('a@x.io', { plan: 'pro', seats: null, unknownCase: 1 });
  expect(heard('contacts')).toMatchObject([
    {
      contactId,
      what: 'changed',
      changes: [
        { field: 'plan', oldValue: 'free', newValue: 'pro' },
        { field: 'seats', oldValue: 1, newValue: null },
      ],
    },
  ]);
  await contact('a@x.io', { plan: 'pro' });
  expect(heard('contacts')).toEqual([]);
  await tenant.done(await tenant.delete(`/v2/contacts/${contactId}`));
  expect(heard('contacts')).toMatchObject([{ contactId, what: 'erased', changes: [] }]);
});

it('tells of contacts that an import makes and changes', async () => {
  const contactId = await contact('a@x.io', { plan: 'free' });
  told = [];
  await tenant.done(
    await tenant.post('/v2/contacts/import', 'email,plan\na@x.io,pro\nb@x.io,team', { 'content-type': 'text/csv' }),
  );
  expect(heard('contacts')).toMatchObject([
    { contactId, what: 'changed', changes: [{ field: 'plan', oldValue: 'free', newValue: 'pro' }] },
    { what: 'created', changes: [{ field: 'plan', newValue: 'team' }] },
  ]);
});

it('tells of users and memberships, and of their end when the user is deleted', async () => {
  for (const orgId of ['one', 'two']) await tenant.post('/v2/organizations', { orgId, name: orgId });
  const write = { email: 'a@x.io', userId: 'u', orgIds: ['one', 'two'], properties: { role: 'admin', gone: null } };
  const done = await tenant.done(await tenant.post('/v2/users', write));
  const { contactId } = done.data.results[0];
  expect(heard('users')).toEqual([
    {
      userId: 'u',
      contactId,
      what: 'created',
      changes: [{ field: 'role', oldValue: null, newValue: 'admin' }],
      removed: { gone: null },
    },
  ]);
  expect(heard('memberships')).toEqual([
    { orgId: 'one', userId: 'u', what: 'joined' },
    { orgId: 'two', userId: 'u', what: 'joined' },
  ]);
  await tenant.done(await tenant.post('/v2/users', { email: 'a@x.io', userId: 'u', properties: { role: 'member' } }));
  expect(heard('users')).toMatchObject([
    { userId: 'u', what: 'changed', changes: [{ field: 'role', oldValue: 'admin', newValue: 'member' }] },
  ]);
  expect((await tenant.delete('/v2/organizations/one/members/u')).status).toBe(200);
  expect(heard('memberships')).toEqual([{ orgId: 'one', userId: 'u', what: 'left' }]);
  expect((await tenant.delete('/v2/organizations/one/members/u')).status).toBe(404);
  expect((await tenant.delete('/v2/users/u')).status).toBe(200);
  expect(heard('memberships')).toEqual([{ orgId: 'two', userId: 'u', what: 'left' }]);
  expect(heard('users')).toMatchObject([{ userId: 'u', contactId, what: 'deleted' }]);
});

it('tells of organizations, and not of a change that changes nothing', async () => {
  await tenant.post('/v2/organizations', { orgId: 'o', name: 'O', properties: { size: 1 } });
  expect(heard('organizations')).toEqual([
    { orgId: 'o', what: 'created', nameChanged: true, changes: [{ field: 'size', oldValue: null, newValue: 1 }] },
  ]);
  await tenant.patch('/v2/organizations/o', { name: 'O', properties: { size: 1 } });
  expect(heard('organizations')).toEqual([]);
  await tenant.patch('/v2/organizations/o', { name: 'P', properties: null });
  expect(heard('organizations')).toEqual([
    { orgId: 'o', what: 'changed', nameChanged: true, changes: [{ field: 'size', oldValue: 1, newValue: null }] },
  ]);
});

it('tells of members of lists, each once, and of their end when the contact is erased', async () => {
  const [a, b] = [await contact('a@x.io', {}), await contact('b@x.io', {})];
  const listId = (await tenant.post('/v1/lists', { name: 'L' })).body.data.staticListId;
  await tenant.post(`/v1/lists/${listId}/members`, { contactIds: [a] });
  await tenant.post(`/v1/lists/${listId}/members`, { contactIds: [a, b] });
  expect(heard('members')).toEqual([
    { listId, contactId: a, what: 'joined' },
    { listId, contactId: b, what: 'joined' },
  ]);
  await tenant.delete(`/v1/lists/${listId}/members/${a}`);
  await tenant.done(await tenant.delete(`/v2/contacts/${b}`));
  expect(heard('members')).toEqual([
    { listId, contactId: a, what: 'left' },
    { listId, contactId: b, what: 'left' },
  ]);
});

it('tells of events that were stored, not of repeats and failures, and of users that they make', async () => {
  const contactId = await makeUser(tenant, 'a@x.io', 'u');
  told = [];
  const event = { eventId: 'e1', userId: 'u', eventName: 'signed_up', eventProperties: { plan: 'pro' } };
  const events = [event, event, { userId: 'nobody', eventName: 'x' }, { email: 'a@x.io', userId: 'v', eventName: 'y' }];
  await eventsDone(tenant, await tenant.post('/v2/events', { events }));
  const stored = heard('events');
  expect(stored).toMatchObject([
    { contactId, eventName: 'signed_up', userId: 'u', properties: '{"plan":"pro"}' },
    { contactId, eventName: 'y', userId: 'v' },
  ]);
  expect(heard('users')).toMatchObject([{ userId: 'v', contactId, what: 'created' }]);
});

it('tells of what Segment calls do', async () => {
  const authorization = `Basic ${Buffer.from(`${tenant.token}:`).toString('base64')}`;
  const batch = [
    { type: 'identify', userId: 's', traits: { email: 's@x.io', plan: 'pro' } },
    { type: 'group', userId: 's', groupId: 'acme', traits: { name: 'Acme', size: 3 } },
    { type: 'track', userId: 's', event: 'opened' },
  ];
  await tenant.post('/ingest/v1/batch', { batch }, { authorization });
  await contact('marker@x.io', {});
  expect(heard('contacts')[0]).toMatchObject({ what: 'created', changes: [{ field: 'plan', newValue: 'pro' }] });
  expect(heard('users')).toMatchObject([{ userId: 's', what: 'created', changes: [{ field: 'plan' }] }]);
  expect(heard('organizations')).toMatchObject([{ orgId: 'acme', what: 'created', changes: [{ field: 'size' }] }]);
  expect(heard('memberships')).toEqual([{ orgId: 'acme', userId: 's', what: 'joined' }]);
  expect(heard('events')).toMatchObject([{ eventName: 'opened', userId: 's' }]);
});
