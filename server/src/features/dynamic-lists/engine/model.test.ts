// Whatever is written in whatever order: once it is quiet, every list has the members that a count from scratch finds, and explain agrees.
import { setTimeout as sleep } from 'node:timers/promises';
import { topicDefaults, topicStates } from '@rapport/contract';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { settled } from '../../../../test/audiences.js';
import { makeTopic } from '../../../../test/consent.js';
import { makeDynamicList as makeList } from '../../../../test/dynamic-lists.js';
import { sendEvents } from '../../../../test/events.js';
import { happened, judged, subscribed } from '../../../../test/filters/mail.js';
import { appSubjects } from '../../../../test/filters/subjects.js';
import { sql } from '../../../db/sql.js';
import { compile } from '../../filter-language/compile/index.js';
import { readFilter } from '../../filter-language/read.js';

const t = useApp({ work: true });

const people = ['a', 'b', 'c', 'd'];
const orgs = ['o', 'p'];
const plans = ['free', 'pro'];
const names = ['login', 'export'];
const whats = ['opened', 'clicked'] as const;
const one = <T>(values: readonly T[]) => fc.constantFrom(...values);
/** Some moments around now, in milliseconds. */
const offset = fc.integer({ min: -2500, max: 2500 });

const condition = fc.oneof(
  fc.record({ property: fc.constant('plan'), is: one(plans) }),
  fc.record({ property: fc.constant('plan'), isNot: one(plans) }),
  fc.record({ property: fc.constant('plan'), hasEverBeen: one(plans) }),
  fc.record({ property: fc.constant('renews'), withinNext: one(['PT1S', 'PT2S']) }),
  fc.record({ property: fc.constant('renews'), notWithinLast: one(['PT1S', 'PT2S']) }),
  fc.record({ contact: fc.constant('updatedAt'), withinLast: one(['PT1S', 'PT2S']) }),
  fc.record({ userProperty: fc.constant('role'), is: one(plans) }),
  fc.record({ orgProperty: fc.constant('tier'), isNot: one(plans) }),
  fc.record({ organization: fc.constant('name'), contains: one(plans) }),
  fc.record({ event: one(names), atLeast: one([1, 2]), withinLast: one(['PT1S', 'PT2S']) }),
  fc.record({ event: one(names), exactly: one([0, 1, 2]) }),
  fc.record({ event: one(names), measure: fc.constant('last'), notWithinLast: fc.constant('PT2S') }),
  fc.record({
    orgMembers: fc.record({
      where: fc.record({ property: fc.constant('plan'), is: one(plans) }),
      atLeast: one([1, 2]),
    }),
  }),
  fc.record({
    orgMembers: fc.record({
      where: fc.record({ event: one(names), withinLast: fc.constant('PT2S') }),
      atMost: one([0, 1]),
    }),
  }),
  fc.record({
    sequence: fc.tuple(
      fc.record({ event: one(names) }),
      fc.record({ event: one(names), within: fc.constant('PT1S'), not: fc.constant(true) }),
    ),
  }),
  fc.record({ marketing: one(whats), atLeast: one([1, 2]), withinLast: one(['PT1S', 'PT2S']), machine: fc.boolean() }),
  fc.record({ marketing: one(whats), exactly: one([0, 1, 2]) }),
  fc.record({ orgMembers: fc.record({ where: fc.record({ marketing: one(whats) }), atLeast: one([1, 2]) }) }),
  fc.record({ unsubscribed: fc.boolean() }),
  fc.record({ topic: fc.constant('topic'), is: one(topicStates) }),
  fc.record({ orgMembers: fc.record({ where: fc.record({ topic: fc.constant('topic'), isNot: one(topicStates) }) }) }),
  fc.constant({ staticListId: 'static' }),
  fc.constant({ dynamicListId: 'before' }),
);
const filter = fc.record({
  group: one(['all', 'any', 'none']),
  of: fc.array(condition, { minLength: 1, maxLength: 2 }),
});

type Operation = (tenant: TenantClient, world: World) => Promise<unknown>;
interface World {
  staticListId: string;
  topicId: string;
  lists: string[];
}

const write: fc.Arbitrary<Operation> = fc
  .record({ who: one(people), plan: one([...plans, null]), renews: fc.option(offset) })
  .map(({ who, plan, renews }) => async (tenant) => {
    const properties = { plan, ...(renews === null ? {} : { renews: at(renews) }) };
    await tenant.done(await tenant.post('/v2/contacts/batch', { contacts: [{ email: `${who}@x.io`, properties }] }));
  });
const event: fc.Arbitrary<Operation> = fc.record({ who: one(people), name: one(names), when: offset }).map(
  ({ who, name, when }) =>
    (tenant) =>
      sendEvents(tenant, [{ email: `${who}@x.io`, eventName: name, eventDate: at(when) }]),
);
const mail: fc.Arbitrary<Operation> = fc
  .record({ who: one(people), what: one(whats), when: offset, isMachine: fc.boolean() })
  .map(({ who, what, when, isMachine }) =>
    ofContact(who, (tenantId, id) => happened(t, tenantId, id, [{ eventName: what, eventDate: at(when), isMachine }])),
  );
const judge: fc.Arbitrary<Operation> = fc
  .record({ who: one(people), isMachine: fc.boolean() })
  .map(({ who, isMachine }) => ofContact(who, (tenantId, id) => judged(t, tenantId, id, isMachine)));
const subscribe: fc.Arbitrary<Operation> = fc
  .record({ who: one(people), isIn: fc.boolean() })
  .map(({ who, isIn }) => ofContact(who, (tenantId, id) => subscribed(t, tenantId, id, isIn)));
const topic: fc.Arbitrary<Operation> = fc
  .record({ who: one(people), state: one(topicDefaults) })
  .map(({ who, state }) => async (tenant, { topicId }) => {
    const { body } = await tenant.get(`/v2/contacts/by-email/${who}@x.io`);
    if (body.data) await tenant.put(`/v2/contacts/${body.data.id}/topics/${topicId}`, { state });
  });
const user: fc.Arbitrary<Operation> = fc
  .record({ who: one(people), orgIds: fc.subarray(orgs), role: one(plans) })
  .map(({ who, orgIds, role }) => async (tenant) => {
    const body = { email: `${who}@x.io`, userId: `u${who}`, orgIds, properties: { role } };
    await tenant.done(await tenant.post('/v2/users', body));
  });
const organization: fc.Arbitrary<Operation> = fc.record({ orgId: one(orgs), tier: one(plans), name: one(plans) }).map(
  ({ orgId, tier, name }) =>
    (tenant) =>
      tenant.patch(`/v2/organizations/${orgId}`, { name, properties: { tier } }),
);
const leave: fc.Arbitrary<Operation> = fc.record({ who: one(people), orgId: one(orgs) }).map(
  ({ who, orgId }) =>
    (tenant) =>
      tenant.delete(`/v2/organizations/${orgId}/members/u${who}`),
);
const goUser: fc.Arbitrary<Operation> = one(people).map((who) => (tenant) => tenant.delete(`/v2/users/u${who}`));
const member: fc.Arbitrary<Operation> = fc
  .record({ who: one(people), isIn: fc.boolean() })
  .map(({ who, isIn }) => async (tenant, { staticListId }) => {
    const { body } = await tenant.get(`/v2/contacts/by-email/${who}@x.io`);
    if (!body.data) return;
    if (isIn) await tenant.post(`/v2/lists/${staticListId}/members`, { contactIds: [body.data.id] });
    else await tenant.delete(`/v2/lists/${staticListId}/members/${body.data.id}`);
  });
const erase: fc.Arbitrary<Operation> = one(people).map((who) => async (tenant) => {
  const { body } = await tenant.get(`/v2/contacts/by-email/${who}@x.io`);
  if (body.data) await tenant.done(await tenant.delete(`/v2/contacts/${body.data.id}`));
});
const edit: fc.Arbitrary<Operation> = fc
  .record({ index: fc.nat(), to: filter })
  .map(({ index, to }) => (tenant, world) => {
    const at = index % world.lists.length;
    return tenant.patch(`/v2/dynamic-lists/${world.lists[at]}`, { filter: asSent(to, world, at) });
  });
const operation = fc.oneof(
  { arbitrary: write, weight: 6 },
  { arbitrary: event, weight: 6 },
  { arbitrary: mail, weight: 6 },
  judge,
  { arbitrary: subscribe, weight: 2 },
  { arbitrary: topic, weight: 3 },
  { arbitrary: user, weight: 3 },
  organization,
  leave,
  goUser,
  { arbitrary: member, weight: 2 },
  erase,
  { arbitrary: edit, weight: 2 },
);

/** What is done to an existing contact. */
function ofContact(who: string, operate: (tenantId: number, contactId: string) => Promise<void>): Operation {
  return async (tenant) => {
    const { body } = await tenant.get(`/v2/contacts/by-email/${who}@x.io`);
    if (body.data) await operate(tenant.tenantId, body.data.id);
  };
}

const at = (ms: number) => new Date(Date.now() + ms).toISOString();

/** `before`: the list made before this one, so that no circle can be asked for. */
function asSent(
  { group, of }: { group: string; of: object[] },
  { staticListId, topicId, lists }: World,
  index: number,
): unknown {
  const parts = of.map((part) => {
    if ('topic' in part) return { ...part, topic: topicId };
    if ('orgMembers' in part)
      return JSON.parse(JSON.stringify(part).replace('"topic":"topic"', `"topic":"${topicId}"`));
    if ('staticListId' in part) return { staticListId };
    if ('dynamicListId' in part) return index > 0 ? { dynamicListId: lists[index - 1] } : { all: [] };
    return part;
  });
  return { [group]: parts };
}

async function live(filters: { group: string; of: object[] }[], operations: Operation[]): Promise<void> {
  const tenant = await t.tenant();
  for (const orgId of orgs) await tenant.post('/v2/organizations', { orgId, name: orgId });
  const made = await tenant.post('/v2/lists', { name: 'Static' });
  const topicId = await makeTopic(tenant, 'Topic');
  const world: World = { staticListId: made.body.data.staticListId, topicId, lists: [] };
  for (const [i, sent] of filters.entries()) world.lists.push(await makeList(tenant, asSent(sent, world, i)));
  for (const operate of operations) await operate(tenant, world);
  await isRight(tenant);
  // Every window and every moment ahead has passed.
  await sleep(5200);
  await isRight(tenant);
}

async function isRight(tenant: TenantClient): Promise<void> {
  const { tenantId } = tenant;
  await expect
    .poll(
      async () => {
        await settled(t, tenantId);
        return differences(tenant);
      },
      { timeout: 60_000, interval: 20 },
    )
    .toEqual([]);
}

/** Lists whose members, count, or explanations differ from a count from scratch. A window may close meanwhile: asked again. */
async function differences(tenant: TenantClient): Promise<unknown[]> {
  const { tenantId } = tenant;
  const lists = await t.db.rows(sql<{ listId: string; filter: unknown }>`
    select list_id as "listId", filter from dynamic_list where tenant_id = ${tenantId} and deleted_at is null`);
  const found: unknown[] = [];
  for (const { listId, filter } of lists) {
    const { joins, holds } = compile(readFilter(filter, appSubjects), {
      ...{ tenantId, now: sql`clock_timestamp()`, scope: () => sql`true` },
    });
    const expected = (
      await t.db.rows(sql<{ id: string }>`
        select c.contact_id as id from contact c ${joins} where c.tenant_id = ${tenantId} and ${holds} order by 1`)
    ).map(({ id }) => id);
    const { body } = await tenant.get(`/v2/dynamic-lists/${listId}/members?pageSize=200`);
    const members = body.data.map(({ contactId }: { contactId: string }) => contactId).sort();
    const { memberCount } = (await tenant.get(`/v2/dynamic-lists/${listId}`)).body.data;
    if (members.join() !== expected.join() || memberCount !== members.length)
      found.push({ filter, members, expected, memberCount });
    for (const contactId of await everybody(tenantId)) {
      const { data } = (await tenant.get(`/v2/dynamic-lists/${listId}/explain?contactId=${contactId}`)).body;
      if (data.holds !== expected.includes(contactId) || data.isMember !== members.includes(contactId))
        found.push(data);
    }
  }
  return found;
}

async function everybody(tenantId: number): Promise<string[]> {
  const rows = await t.db.rows(sql<{ id: string }>`select contact_id as id from contact where tenant_id = ${tenantId}`);
  return rows.map(({ id }) => id);
}

const runs = Number(process.env.AUDIENCE_RUNS ?? 6);

it('has the members that a count from scratch finds, after any sequence of writes, edits and passing moments', {
  timeout: 120_000 + runs * 5000,
}, async () => {
  const filters = fc.array(filter, { minLength: 4, maxLength: 4 });
  const lives = fc.sample(fc.tuple(filters, fc.array(operation, { minLength: 25, maxLength: 25 })), runs);
  // Side by side: most of the time is waiting for windows.
  await Promise.all(lives.map(([sent, operations]) => live(sent, operations)));
});
