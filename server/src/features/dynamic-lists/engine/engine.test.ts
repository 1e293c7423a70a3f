import { beforeEach, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { members, settled } from '../../../../test/audiences.js';
import { makeDynamicList as makeList } from '../../../../test/dynamic-lists.js';
import { sendEvents } from '../../../../test/events.js';
import { type AudienceNews, audiencesChanged } from './news.js';

const t = useApp({ work: true });
let tenant: TenantClient;
beforeEach(async () => {
  tenant = await t.tenant();
});

async function write(...contacts: [email: string, properties?: Record<string, unknown>][]): Promise<string[]> {
  const body = { contacts: contacts.map(([email, properties = {}]) => ({ email: `${email}@x.io`, properties })) };
  const done = await tenant.done(await tenant.post('/v2/contacts/batch', body));
  return done.data.results.map(({ contactId }: { contactId: string }) => contactId);
}

async function user(email: string, userId: string, orgIds: string[] = [], properties = {}): Promise<void> {
  await tenant.done(await tenant.post('/v2/users', { email: `${email}@x.io`, userId, orgIds, properties }));
}

/** The members of the list once everything has been checked, without the domain. */
async function inList(listId: string): Promise<string> {
  await settled(t, tenant.tenantId);
  return (await members(tenant, listId)).map((email) => email.replace('@x.io', '')).join(' ');
}

const event = (email: string, eventName: string, more = {}) => ({ email: `${email}@x.io`, eventName, ...more });
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

describe('a list', () => {
  it('starts with the contacts it finds, and follows writes', async () => {
    await write(['a', { plan: 'pro' }], ['b', { plan: 'free' }], ['c']);
    const pro = await makeList(tenant, { property: 'plan', is: 'pro' });
    const others = await makeList(tenant, { property: 'plan', isNot: 'pro' });
    expect([await inList(pro), await inList(others)]).toEqual(['a', 'b c']);
    await write(['b', { plan: 'pro' }], ['a', { plan: null }], ['d', { plan: 'pro' }], ['e']);
    expect([await inList(pro), await inList(others)]).toEqual(['b d', 'a c e']);
    const { body } = await tenant.get(`/v2/dynamic-lists/${pro}`);
    expect(body.data).toMatchObject({ memberCount: 2, state: 'ready', lagSeconds: 0 });
  });

  it('is looked at again when its filter is edited', async () => {
    await write(['a', { plan: 'pro' }], ['b', { plan: 'free' }]);
    const list = await makeList(tenant, { property: 'plan', is: 'pro' });
    expect(await inList(list)).toBe('a');
    expect((await tenant.patch(`/v2/dynamic-lists/${list}`, { filter: { property: 'plan', is: 'free' } })).status).toBe(
      200,
    );
    expect(await inList(list)).toBe('b');
  });

  it('forgets a person who is erased', async () => {
    const [id] = await write(['a'], ['b']);
    const list = await makeList(tenant, { all: [] });
    expect(await inList(list)).toBe('a b');
    await tenant.done(await tenant.delete(`/v2/contacts/${id}`));
    expect(await inList(list)).toBe('b');
    expect((await tenant.get(`/v2/dynamic-lists/${list}`)).body.data.memberCount).toBe(1);
  });

  it('follows events, and windows that close by themselves', async () => {
    await write(['a'], ['b']);
    const ever = await makeList(tenant, { event: 'login', atLeast: 2 });
    const lately = await makeList(tenant, { event: 'login', withinLast: 'PT3S' });
    const quiet = await makeList(tenant, { none: [{ event: 'login', withinLast: 'PT3S' }] });
    await sendEvents(tenant, [
      event('a', 'login', { eventDate: ago(0) }),
      event('a', 'login', { eventDate: ago(60_000) }),
    ]);
    await sendEvents(tenant, [event('b', 'login', { eventDate: ago(60_000) }), event('b', 'logout')]);
    expect([await inList(ever), await inList(lately), await inList(quiet)]).toEqual(['a', 'a', 'b']);
    await expect.poll(() => inList(lately), { timeout: 60_000 }).toBe('');
    expect([await inList(ever), await inList(quiet)]).toEqual(['a', 'a b']);
  });

  it('counts a future event when its time has come', async () => {
    await write(['a']);
    const list = await makeList(tenant, { event: 'renewal' });
    await sendEvents(tenant, [event('a', 'renewal', { eventDate: ago(-2000) })]);
    expect(await inList(list)).toBe('');
    await expect.poll(() => inList(list), { timeout: 60_000 }).toBe('a');
  });

  it('follows users and their organizations', async () => {
    await tenant.post('/v2/organizations', { orgId: 'o', name: 'Ore', properties: { tier: 'gold' } });
    await user('a', 'ua', ['o'], { role: 'admin' });
    await user('b', 'ub', [], { role: 'member' });
    const admins = await makeList(tenant, { userProperty: 'role', is: 'admin' });
    const gold = await makeList(tenant, { orgProperty: 'tier', is: 'gold' });
    const named = await makeList(tenant, { organization: 'name', startsWith: 'ore' });
    expect([await inList(admins), await inList(gold), await inList(named)]).toEqual(['a', 'a', 'a']);
    await user('b', 'ub', ['o'], { role: 'admin' });
    expect([await inList(admins), await inList(gold), await inList(named)]).toEqual(['a b', 'a b', 'a b']);
    await tenant.patch('/v2/organizations/o', { name: 'Tin', properties: { tier: 'tin' } });
    expect([await inList(gold), await inList(named)]).toEqual(['', '']);
    await tenant.patch('/v2/organizations/o', { properties: { tier: 'gold' } });
    expect(await inList(gold)).toBe('a b');
    await tenant.delete('/v2/organizations/o/members/ub');
    expect(await inList(gold)).toBe('a');
    await tenant.delete('/v2/users/ua');
    expect([await inList(admins), await inList(gold)]).toEqual(['b', '']);
  });

  it('counts the members of organizations, whichever of them changes', async () => {
    for (const orgId of ['o', 'p']) await tenant.post('/v2/organizations', { orgId, name: orgId });
    await user('a', 'ua', ['o']);
    await user('b', 'ub', ['o']);
    await user('c', 'uc', ['p']);
    const list = await makeList(tenant, { orgMembers: { where: { property: 'plan', is: 'pro' }, atLeast: 2 } });
    const few = await makeList(tenant, { orgMembers: { where: { event: 'login' }, atMost: 0 } });
    expect([await inList(list), await inList(few)]).toEqual(['', 'a b c']);
    await write(['a', { plan: 'pro' }], ['b', { plan: 'pro' }], ['c', { plan: 'pro' }]);
    expect(await inList(list)).toBe('a b');
    await sendEvents(tenant, [event('a', 'login')]);
    expect(await inList(few)).toBe('c');
    await user('c', 'uc', ['o']);
    expect([await inList(list), await inList(few)]).toEqual(['a b c', 'c']);
    await write(['a', { plan: 'free' }], ['b', { plan: 'free' }]);
    expect(await inList(list)).toBe('');
    await write(['b', { plan: 'pro' }]);
    expect(await inList(list)).toBe('a b c');
    await tenant.delete('/v2/organizations/o/members/ub');
    expect(await inList(list)).toBe('');
  });

  it('checks an organization once after many changes, with every list that reads it', async () => {
    await tenant.post('/v2/organizations', { orgId: 'o', name: 'Ore' });
    for (const who of ['a', 'b', 'c']) await user(who, `u${who}`, ['o']);
    const crowd = await makeList(tenant, { orgMembers: { where: { all: [] }, atLeast: 4 } });
    const gold = await makeList(tenant, { orgProperty: 'tier', is: 'gold' });
    expect([await inList(crowd), await inList(gold)]).toEqual(['', '']);
    await Promise.all([
      user('d', 'ud', ['o']),
      tenant.patch('/v2/organizations/o', { properties: { tier: 'gold' } }),
      tenant.patch('/v2/organizations/o', { properties: { other: 1 } }),
    ]);
    expect([await inList(crowd), await inList(gold)]).toEqual(['a b c d', 'a b c d']);
  });

  it('follows static lists, and lists of lists through three of them', async () => {
    const [a, b] = await write(['a', { plan: 'pro' }], ['b']);
    const made = await tenant.post('/v2/lists', { name: 'Chosen' });
    const staticListId = made.body.data.staticListId;
    const one = await makeList(tenant, { any: [{ staticListId }, { property: 'plan', is: 'pro' }] });
    const two = await makeList(tenant, { none: [{ dynamicListId: one }] });
    const three = await makeList(tenant, { dynamicListId: two });
    expect([await inList(one), await inList(two), await inList(three)]).toEqual(['a', 'b', 'b']);
    await tenant.post(`/v2/lists/${staticListId}/members`, { contactIds: [b] });
    expect([await inList(one), await inList(two), await inList(three)]).toEqual(['a b', '', '']);
    await write(['a', { plan: null }]);
    await tenant.delete(`/v2/lists/${staticListId}/members/${b}`);
    expect([await inList(one), await inList(two), await inList(three)]).toEqual(['', 'a b', 'a b']);
    expect(a).toBeDefined();
  });
});

describe('joins and leaves', () => {
  it('are announced when a contact changes, not for the first members of a new or edited list', async () => {
    const told: AudienceNews[] = [];
    audiencesChanged.hear(t.db.identity, async (_tx, tenantId, items) => {
      if (tenantId === tenant.tenantId) told.push(...items);
    });
    const [a, b] = await write(['a', { plan: 'pro' }], ['b', { plan: 'free' }]);
    const list = await makeList(tenant, { property: 'plan', is: 'pro' });
    expect(await inList(list)).toBe('a');
    expect(told).toEqual([]);
    await write(['b', { plan: 'pro' }], ['a', { plan: 'free' }]);
    expect(await inList(list)).toBe('b');
    expect(told.sort((x, y) => x.what.localeCompare(y.what))).toEqual([
      { listId: list, contactId: b, what: 'joined' },
      { listId: list, contactId: a, what: 'left' },
    ]);
    told.length = 0;
    await tenant.patch(`/v2/dynamic-lists/${list}`, { filter: { property: 'plan', is: 'free' } });
    expect(await inList(list)).toBe('a');
    expect(told).toEqual([]);
  });
});
