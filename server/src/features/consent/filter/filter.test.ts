// Filters by topic, through HTTP: what they mean, what is refused, and how lists follow what contacts say.
import { topicStates } from '@rapport/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { members, settled } from '../../../../test/audiences.js';
import { makeContacts, makePending, makeTopic } from '../../../../test/consent.js';
import { makeDynamicList } from '../../../../test/dynamic-lists.js';

const t = useApp({ work: true });
let tenant: TenantClient;
/** What nothing was said of, and what was, of two topics with different defaults. */
let ids: { none: string; yes: string; no: string; asked: string };
let news: string;
let tips: string;

beforeAll(async () => {
  tenant = await t.tenant();
  const names = ['none', 'yes', 'no', 'asked'] as const;
  const made = await makeContacts(tenant, ...names.map((name) => `${name}@x.io`));
  ids = Object.fromEntries(names.map((name, i) => [name, made[i]])) as typeof ids;
  news = await makeTopic(tenant, 'News');
  tips = await makeTopic(tenant, 'Tips', { byDefault: 'subscribed' });
  for (const topicId of [news, tips]) {
    await tenant.put(`/v2/contacts/${ids.yes}/topics/${topicId}`, { state: 'subscribed' });
    await tenant.put(`/v2/contacts/${ids.no}/topics/${topicId}`, { state: 'unsubscribed' });
    await makePending(t, tenant, ids.asked, topicId);
  }
});

async function found(filter: object): Promise<string[]> {
  const { status, body, text } = await tenant.get(
    `/v2/contacts?pageSize=100&filter=${encodeURIComponent(JSON.stringify(filter))}`,
  );
  expect(status, text).toBe(200);
  const previewed = await tenant.post('/v2/dynamic-lists/preview', { filter });
  expect(previewed.body.data).toMatchObject({ count: body.data.length, isExact: true });
  return body.data.map(({ email }: { email: string }) => email.split('@')[0]).sort();
}

describe('a condition on a topic', () => {
  it('takes the default of the topic for the state of contacts who never said anything', async () => {
    expect(await found({ topic: news, is: 'subscribed' })).toEqual(['yes']);
    expect(await found({ topic: news, is: 'unsubscribed' })).toEqual(['no', 'none']);
    expect(await found({ topic: tips, is: 'subscribed' })).toEqual(['none', 'yes']);
    expect(await found({ topic: tips, is: 'unsubscribed' })).toEqual(['no']);
  });

  it('takes pending for neither of the other two', async () => {
    expect(await found({ topic: news, is: 'pending' })).toEqual(['asked']);
    expect(await found({ topic: news, isNot: 'subscribed' })).toEqual(['asked', 'no', 'none']);
    expect(await found({ topic: news, isNot: 'unsubscribed' })).toEqual(['asked', 'yes']);
    expect(await found({ topic: tips, isNot: 'pending' })).toEqual(['no', 'none', 'yes']);
  });

  it('stands in groups, more than once too', async () => {
    const both = [
      { topic: news, is: 'subscribed' },
      { topic: tips, is: 'subscribed' },
    ];
    expect(await found({ all: both })).toEqual(['yes']);
    expect(await found({ any: both })).toEqual(['none', 'yes']);
    expect(await found({ none: both })).toEqual(['asked', 'no']);
  });

  it('says what is wrong with it, and where', async () => {
    const other = await makeTopic(await t.tenant(), 'News');
    const gone = await makeTopic(tenant, 'Gone');
    await tenant.delete(`/v2/topics/${gone}`);
    const state = '"subscribed", "unsubscribed" or "pending" is wanted';
    const cases: [object, string][] = [
      [{ topic: '0'.repeat(24), is: 'pending' }, 'filter.topic: there is no such topic'],
      [{ topic: other, is: 'pending' }, 'filter.topic: there is no such topic'],
      [{ any: [{ topic: gone, is: 'pending' }] }, 'filter.any[0].topic: there is no such topic'],
      [
        { orgMembers: { where: { topic: gone, is: 'pending' } } },
        'filter.orgMembers.where.topic: there is no such topic',
      ],
      [{ topic: 'news', is: 'pending' }, 'filter.topic: nothing has this id'],
      [{ topic: null, is: 'pending' }, 'filter.topic: the id of a topic is wanted'],
      [{ topic: news }, 'filter: an operator is wanted: "is" or "isNot"'],
      [{ topic: news, is: 'pending', isNot: 'pending' }, 'filter: one operator is wanted, not "is" and "isNot"'],
      [{ topic: news, is: 'Subscribed' }, `filter.is: ${state}`],
      [{ topic: news, isNot: true }, `filter.isNot: ${state}`],
      [{ topic: news, exists: true }, 'filter.exists: this operator cannot stand here, only "is" or "isNot"'],
      [{ topic: news, is: 'pending', since: 'P1D' }, 'filter.since: not known here'],
      [
        { topic: news, unsubscribed: true, is: 'pending' },
        'filter: one subject is wanted, not "topic" and "unsubscribed"',
      ],
    ];
    for (const [filter, detail] of cases) {
      const { status, body } = await tenant.post('/v2/dynamic-lists/preview', { filter });
      expect([status, body.errors?.[0]?.errorCode, body.errors?.[0]?.detail]).toEqual([
        ...[400, 'VALIDATION_ERROR'],
        expect.stringContaining(detail),
      ]);
    }
  });

  it('is said with the name of the topic, and explained with the state', async () => {
    const words = { subscribed: 'subscribed to', unsubscribed: 'unsubscribed from', pending: 'pending for' };
    for (const state of topicStates) {
      const filter = {
        all: [
          { topic: news, is: state },
          { topic: news, isNot: state },
        ],
      };
      const listId = await makeDynamicList(tenant, filter);
      const { data } = (await tenant.get(`/v2/dynamic-lists/${listId}/explain?contactId=${ids.asked}`)).body;
      const isSo = state === 'pending';
      expect(data.nodes.slice(1)).toEqual([
        {
          path: 'filter.all[0]',
          text: `The contact is ${words[state]} the topic “News”.`,
          holds: isSo,
          value: 'pending',
        },
        {
          ...{ path: 'filter.all[1]', text: `The contact is not ${words[state]} the topic “News”.` },
          ...{ holds: !isSo, value: 'pending' },
        },
      ]);
      await tenant.delete(`/v2/dynamic-lists/${listId}`);
    }
    const unsaved = encodeURIComponent(JSON.stringify({ topic: tips, is: 'subscribed' }));
    const { data } = (await tenant.get(`/v2/dynamic-lists/explain?filter=${unsaved}&contactId=${ids.none}`)).body;
    expect(data).toMatchObject({ holds: true, nodes: [{ value: 'subscribed' }] });
  });
});

describe('a dynamic list by topic', () => {
  it('follows what contacts say, and who is new', async () => {
    const own = await t.tenant();
    const topicId = await makeTopic(own, 'Offers', { byDefault: 'subscribed' });
    const list = await makeDynamicList(own, { topic: topicId, is: 'subscribed' });
    const left = await makeDynamicList(own, { none: [{ dynamicListId: list }] });
    const [a, b] = (await makeContacts(own, 'a@x.io', 'b@x.io')) as [string, string];
    await own.put(`/v2/contacts/${a}/topics/${topicId}`, { state: 'unsubscribed' });
    await expect.poll(() => members(own, list)).toEqual(['b@x.io']);
    await expect.poll(() => members(own, left)).toEqual(['a@x.io']);
    const contacts = [
      { email: 'a@x.io', topics: { offers: 'subscribed' } },
      { email: 'b@x.io', topics: { offers: 'unsubscribed' } },
    ];
    await own.done(await own.post('/v2/contacts/batch', { contacts }));
    await expect.poll(() => members(own, list)).toEqual(['a@x.io']);
    // What outlives an erasure is heard of, too.
    await own.done(await own.delete(`/v2/contacts/${b}`));
    await makeContacts(own, 'b@x.io', 'c@x.io');
    await settled(t, own.tenantId);
    await expect.poll(() => members(own, list)).toEqual(['a@x.io', 'c@x.io']);
    expect(await members(own, left)).toEqual(['b@x.io']);
  });

  it('counts members of organizations by it', async () => {
    const own = await t.tenant();
    const topicId = await makeTopic(own, 'Offers');
    await own.post('/v2/organizations', { orgId: 'o', name: 'Engines' });
    for (const who of ['a', 'b'])
      await own.done(await own.post('/v2/users', { email: `${who}@x.io`, userId: who, orgIds: ['o'], properties: {} }));
    const where = { topic: topicId, is: 'subscribed' };
    const list = await makeDynamicList(own, { orgMembers: { where, atLeast: 2 } });
    for (const [who, expected] of [
      ['a', []],
      ['b', ['a@x.io', 'b@x.io']],
    ] as const) {
      const { id } = (await own.get(`/v2/contacts/by-email/${who}@x.io`)).body.data;
      await own.put(`/v2/contacts/${id}/topics/${topicId}`, { state: 'subscribed' });
      await settled(t, own.tenantId);
      await expect.poll(() => members(own, list)).toEqual(expected);
    }
  });

  it('keeps its topics from being deleted', async () => {
    const topicId = await makeTopic(tenant, 'Kept');
    const filter = { any: [{ orgMembers: { where: { none: [{ topic: topicId, isNot: 'pending' }] } } }] };
    const listId = await makeDynamicList(tenant, filter, 'Fans');
    const refused = await tenant.delete(`/v2/topics/${topicId}`);
    expect([refused.status, refused.body.errors[0]]).toMatchObject([
      409,
      { errorCode: 'INVALID_STATE', message: 'It is used by the dynamic list "Fans". Change its filter first.' },
    ]);
    await tenant.patch(`/v2/dynamic-lists/${listId}`, { filter: { topic: news, is: 'pending' } });
    expect((await tenant.delete(`/v2/topics/${topicId}`)).status).toBe(200);
  });
});
