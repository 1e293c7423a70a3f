// The largest filters that the contract allows, sent as a client sends them.
import { beforeAll, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import { makeActive } from '../../../test/journeys.js';

const t = useApp();
let tenant: TenantClient;
beforeAll(async () => {
  tenant = await t.tenant();
});

/** A filter within ten groups. */
const inGroups = (filter: unknown): unknown =>
  Array.from({ length: 10 }).reduce((inner: unknown, _, i) => ({ [i % 2 === 0 ? 'all' : 'any']: [inner] }), filter);

describe('the deepest filter', () => {
  const where = inGroups({ eventProperty: ['a', 'b'], in: ['x'] });
  const deepest = inGroups({ orgMembers: { where: inGroups({ event: 'order', where }) } });

  it('is taken for a list, and tried and explained without one', async () => {
    const made = await tenant.post('/v2/dynamic-lists', { name: 'Deep', filter: deepest });
    expect(made.status).toBe(200);
    expect((await tenant.get(`/v2/dynamic-lists/${made.body.data.dynamicListId}`)).body.data.filter).toEqual(deepest);
    const tried = await tenant.post('/v2/dynamic-lists/preview', { filter: deepest });
    expect(tried.body.data).toMatchObject({ count: 0, isExact: true });
  });

  it('is taken in the branch of a journey', async () => {
    const branch = { id: 'which', type: 'branch', cases: [{ filter: deepest, next: 'end' }], otherwise: null };
    const definition = { entry: { api: true }, steps: [branch, { id: 'end', type: 'exit' }] };
    const id = await makeActive(tenant, { definition });
    expect((await tenant.get(`/v2/journeys/${id}`)).body.data.definition).toEqual(definition);
  });

  it('is refused one group deeper, with the place', async () => {
    const filter = { all: [deepest] };
    const { status, body } = await tenant.post('/v2/dynamic-lists', { name: 'Too deep', filter });
    expect(status).toBe(400);
    expect(body.errors[0].detail).toMatch(/^filter\..*: groups are nested at most 10 deep$/);
  });
});

it('a filter may have a thousand values in each of very many conditions', async () => {
  const values = Array.from({ length: 1000 }, (_, i) => i);
  const filter = { all: [{ any: Array.from({ length: 200 }, () => ({ property: 'p', in: values })) }] };
  const { status, body } = await tenant.post('/v2/dynamic-lists', { name: 'Wide', filter });
  expect([status, body.errors]).toEqual([200, []]);
  expect(JSON.stringify(body.data.filter)).toBe(JSON.stringify(filter));
});
