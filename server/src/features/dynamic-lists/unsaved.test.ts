// Filters that are tried and explained with a read-only token.
import { describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import { makeDynamicList, seedContacts, seedMembers } from '../../../test/dynamic-lists.js';

const t = useApp();
const filter = { all: [{ property: 'plan', is: 'pro' }, { none: [{ property: 'seats', gt: 5 }] }] };

function read(tenant: TenantClient, what: string, query: Record<string, string>) {
  return tenant.get(`/v2/dynamic-lists/${what}?${new URLSearchParams(query)}`);
}

async function withPeople() {
  const tenant = await t.tenant();
  const ids = await seedContacts(t, tenant, [
    { email: 'ada@x.de', properties: { plan: 'pro', seats: 12 } },
    { email: 'bob@x.de', properties: { plan: 'pro' } },
  ]);
  return { tenant, ids };
}

it('previews as the POST form does', async () => {
  const { tenant } = await withPeople();
  const posted = await tenant.post('/v2/dynamic-lists/preview', { filter });
  const got = await read(tenant, 'preview', { filter: JSON.stringify(filter) });
  expect(got.body.data).toMatchObject({ count: 1, isExact: true, sample: [{ email: 'bob@x.de' }] });
  expect(got.body.data).toEqual(posted.body.data);
  expect((await read(tenant, 'preview', {})).body.errors).toMatchObject([{ message: 'filter is required.' }]);
  expect((await read(tenant, 'preview', { filter: '' })).status).toBe(400);
});

it('explains as a list with that filter does, except for the membership', async () => {
  const { tenant, ids } = await withPeople();
  const listId = await makeDynamicList(tenant, filter);
  await seedMembers(t, tenant, listId, []);
  for (const contactId of ids) {
    const {
      isMember: _,
      evaluatedAt: __,
      ...saved
    } = (await read(tenant, `${listId}/explain`, { contactId })).body.data;
    const { evaluatedAt, ...unsaved } = (await read(tenant, 'explain', { filter: JSON.stringify(filter), contactId }))
      .body.data;
    expect(unsaved).toEqual(saved);
    expect(evaluatedAt).toMatch(/Z$/);
  }
});

it('says which condition does not hold, and what was found', async () => {
  const { tenant, ids } = await withPeople();
  const [contactId = ''] = ids;
  const { body } = await read(tenant, 'explain', { filter: JSON.stringify(filter), contactId });
  expect(body.data.holds).toBe(false);
  expect(body.data.nodes).toMatchObject([
    { path: 'filter', holds: false },
    { path: 'filter.all[0]', holds: true, value: 'pro' },
    { path: 'filter.all[1]', holds: false },
    { path: 'filter.all[1].none[0]', holds: true, value: 12 },
  ]);
});

describe('the breakdown of a filter', () => {
  const numbersOf = async (tenant: TenantClient, json: unknown) => {
    const { body } = await read(tenant, 'breakdown', { filter: JSON.stringify(json) });
    return body.data;
  };
  // 24 contacts: a has 2 values, b 3 and c 4, each combination once.
  async function withCombinations() {
    const tenant = await t.tenant();
    const contacts = Array.from({ length: 24 }, (_, n) => ({
      email: `c${n}@x.de`,
      properties: { a: n % 2, b: Math.floor(n / 2) % 3, c: Math.floor(n / 6) },
    }));
    await seedContacts(t, tenant, contacts);
    return tenant;
  }

  it('says how many are left after each condition, and how many there would be without it', async () => {
    const tenant = await withCombinations();
    const all = [
      { property: 'a', is: 1 },
      { property: 'b', is: 0 },
      { property: 'c', gte: 2 },
    ];
    expect(await numbersOf(tenant, { all })).toEqual({
      count: 2,
      isExact: true,
      nodes: [
        { path: 'filter', left: 2, without: 24 },
        { path: 'filter.all[0]', left: 12, without: 4 },
        { path: 'filter.all[1]', left: 4, without: 6 },
        { path: 'filter.all[2]', left: 2, without: 4 },
      ],
    });
  });

  it('goes into groups: one that loses its last part goes with it', async () => {
    const tenant = await withCombinations();
    const some = {
      any: [
        { property: 'b', is: 0 },
        { property: 'c', is: 0 },
      ],
    };
    const { count, nodes } = await numbersOf(tenant, { all: [some, { none: [{ property: 'a', is: 1 }] }] });
    expect(count).toBe(6);
    expect(nodes).toEqual([
      { path: 'filter', left: 6, without: 24 },
      { path: 'filter.all[0]', left: 12, without: 12 },
      { path: 'filter.all[0].any[0]', left: 8, without: 3 },
      { path: 'filter.all[0].any[1]', left: 12, without: 4 },
      { path: 'filter.all[1]', left: 6, without: 12 },
      { path: 'filter.all[1].none[0]', left: 6, without: 12 },
    ]);
    expect(await numbersOf(tenant, { property: 'a', is: 1 })).toMatchObject({ count: 12, nodes: [{ without: 24 }] });
    expect(await numbersOf(tenant, { any: [] })).toMatchObject({ count: 0, nodes: [{ left: 0, without: 24 }] });
  });

  it('counts what events and lists say in the same statement, for the contacts of the tenant alone', async () => {
    const { tenant, ids } = await withPeople();
    await withPeople();
    const { staticListId } = (await tenant.post('/v2/lists', { name: 'Some' })).body.data;
    await tenant.post(`/v2/lists/${staticListId}/members`, { contactIds: ids.slice(0, 1) });
    const conditions = [{ event: 'signed_in', exactly: 0, withinLast: 'P30D' }, { staticListId }];
    expect((await numbersOf(tenant, { all: conditions })).nodes).toEqual([
      { path: 'filter', left: 1, without: 2 },
      { path: 'filter.all[0]', left: 2, without: 1 },
      { path: 'filter.all[1]', left: 1, without: 2 },
    ]);
  });

  it('is refused for a filter with more than 60 parts, and for one with a fault', async () => {
    const { tenant } = await withPeople();
    const codeOf = async (json: unknown) =>
      (await read(tenant, 'breakdown', { filter: JSON.stringify(json) })).body.errors[0];
    const condition = { property: 'plan', is: 'pro' };
    expect((await numbersOf(tenant, { all: Array(59).fill(condition) })).count).toBe(2);
    expect(await codeOf({ all: Array(60).fill(condition) })).toMatchObject({
      errorCode: 'VALIDATION_ERROR',
      detail: 'filter: at most 60 groups and conditions can be broken down',
    });
    expect(await codeOf({ staticListId: '0'.repeat(24) })).toMatchObject({
      detail: 'filter.staticListId: there is no such static list',
    });
  });
});

it('needs a contact, and what the filter names', async () => {
  const { tenant, ids } = await withPeople();
  const [contactId = ''] = ids;
  const codeOf = async (query: Record<string, string>) => (await read(tenant, 'explain', query)).body.errors[0];
  expect(await codeOf({ filter: '{"all":[]}', contactId: 'nobody' })).toMatchObject({ errorCode: 'BAS-E-002' });
  expect(await codeOf({ filter: '{"all":[]}' })).toMatchObject({ detail: 'contactId' });
  const missing = JSON.stringify({ staticListId: '0'.repeat(24) });
  expect(await codeOf({ filter: missing, contactId })).toMatchObject({
    detail: 'filter.staticListId: there is no such static list',
  });
});
