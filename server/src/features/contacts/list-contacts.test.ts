// Contacts by filter, search and order: every page of every combination, against a model in memory.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../test/app.js';
import { makeDynamicList, seedContacts } from '../../../test/dynamic-lists.js';
import type { Runner } from '../../db/database.js';
import { Sql, sql } from '../../db/sql.js';
import { selectContacts } from './queries.js';

const t = useApp();
let tenant: TenantClient;
beforeAll(async () => {
  tenant = await t.tenant();
});

function read(client: TenantClient, query: Record<string, unknown>): Promise<Reply> {
  const texts = Object.entries(query).map(([name, value]): [string, string] => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return client.get(`/v2/contacts?${new URLSearchParams(texts)}`);
}
const emails = ({ body }: Reply): string[] => body.data.map((row: { email: string }) => row.email);

describe('a filter', () => {
  it('selects with exact totals, on every page', async () => {
    const own = await t.tenant();
    await seedContacts(t, own, [
      ...Array.from({ length: 25 }, (_, i) => ({ email: `pro${i + 10}@x.de`, properties: { plan: 'pro', seats: i } })),
      { email: 'free@x.de', properties: { plan: 'free' } },
    ]);
    const filter = {
      all: [
        { property: 'plan', is: 'pro' },
        { property: 'seats', gte: 3 },
      ],
    };
    const first = await read(own, { filter, pageSize: 20 });
    expect(first.body.pagination).toMatchObject({ totalElements: 22, totalPages: 2 });
    expect(emails(first)[0]).toBe('pro34@x.de');
    expect(emails(await read(own, { filter, pageSize: 20, pageNumber: 2 }))).toEqual(['pro14@x.de', 'pro13@x.de']);
    const beyond = await read(own, { filter, pageNumber: 9 });
    expect(beyond.body).toMatchObject({ data: [], pagination: { pageNumber: 9, totalElements: 22 } });
    expect(emails(await read(own, { filter, search: 'PRO2' }))).toHaveLength(10);
    expect((await read(own, { filter, search: 'free' })).body.pagination.totalElements).toBe(0);
  });

  it('that is invalid is a 400 with an item for each fault and its place', async () => {
    const { status, body } = await read(tenant, { filter: { all: [{ property: 'seats', gt: 'x' }, { nonsense: 1 }] } });
    expect(status).toBe(400);
    expect(body.errors.map(({ detail }: { detail: string }) => detail.split(':')[0])).toEqual([
      'filter.all[0].gt',
      'filter.all[1].nonsense',
    ]);
  });

  it.each([
    ['a bracket', '{', 'filter: this is not valid JSON'],
    ['a list', '[]', 'filter: '],
    ['brackets', '['.repeat(16_000), 'filter: this is not valid JSON'],
    ['deep', `${'['.repeat(8000)}${']'.repeat(8000)}`, 'filter: '],
    ['a trick', '{"__proto__":{"property":"plan"}}', 'filter'],
    ['too long', `{"all":[]}${' '.repeat(16_384)}`, 'filter: a filter in a query string has at most 16 KiB'],
  ])('that is no filter, but %s, is a 400 that names it', async (_name, text, detail) => {
    for (const path of ['/v2/contacts', '/v2/dynamic-lists/preview', '/exports/contacts']) {
      const reply = await tenant.get(`${path}?${new URLSearchParams({ filter: text })}`);
      expect(reply.status).toBe(400);
      expect(reply.body.errors[0].detail).toContain(detail);
    }
  });

  it('that is empty is ignored', async () => {
    const own = await t.tenant();
    await seedContacts(t, own, [{ email: 'a@x.de' }]);
    expect(emails(await read(own, { filter: '' }))).toEqual(['a@x.de']);
  });

  it('cannot name a list of another tenant', async () => {
    const other = await t.tenant();
    const dynamicListId = await makeDynamicList(other, { all: [] });
    const { status, body } = await read(tenant, { filter: { any: [{ dynamicListId }] } });
    expect(status).toBe(400);
    expect(body.errors[0].detail).toBe('filter.any[0].dynamicListId: there is no such dynamic list');
  });

  it('of 16 KiB gets through the server with every character encoded', async () => {
    const own = await t.tenant();
    const filter = { property: 'plan', in: Array.from({ length: 60 }, (_, i) => `${'ü'.repeat(120)}${i}`) };
    expect(Buffer.byteLength(JSON.stringify(filter))).toBeGreaterThan(14_000);
    const address = await t.app.http.listen({ port: 0, host: '127.0.0.1' });
    const reply = await fetch(`${address}/v2/contacts?${new URLSearchParams({ filter: JSON.stringify(filter) })}`, {
      headers: { authorization: `Bearer ${own.token}` },
    });
    expect(reply.status).toBe(200);
  });
});

describe('the order', () => {
  it('is a choice of four', async () => {
    expect((await read(tenant, { sort: 'name' })).body.errors[0].detail).toBe('sort');
    expect((await read(tenant, { sort: '' })).status).toBe(400);
  });

  it('matches a model on every page, with and without search and filter', async () => {
    const own = await t.tenant();
    const people = Array.from({ length: 40 }, (_, i) => ({
      email: `${'abcdefghij'[(i * 7) % 10]}${i}@x.de`,
      properties: { n: i % 3 },
    }));
    await seedContacts(t, own, people);
    const orders = {
      createdAt: people,
      '-createdAt': people.toReversed(),
      email: people.toSorted((a, b) => (a.email < b.email ? -1 : 1)),
      '-email': people.toSorted((a, b) => (a.email > b.email ? -1 : 1)),
    };
    const asked = fc.record({
      sort: fc.constantFrom(...(Object.keys(orders) as (keyof typeof orders)[])),
      n: fc.option(fc.nat({ max: 3 })),
      search: fc.option(fc.constantFrom('a', '1@', '0@x.de', 'nobody')),
      pageSize: fc.integer({ min: 1, max: 50 }),
      pageNumber: fc.integer({ min: 1, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ sort, n, search, pageSize, pageNumber }) => {
        const wanted = orders[sort]
          .filter(({ email, properties }) => (n === null || properties.n === n) && email.includes(search ?? ''))
          .map(({ email }) => email);
        const filter = n === null ? {} : { filter: { property: 'n', is: n } };
        const reply = await read(own, { sort, ...filter, ...(search ? { search } : {}), pageSize, pageNumber });
        expect(emails(reply)).toEqual(wanted.slice((pageNumber - 1) * pageSize, pageNumber * pageSize));
        expect(reply.body.pagination.totalElements).toBe(wanted.length);
      }),
      { numRuns: 60 },
    );
  });

  it.each([
    ['contact_id', '-createdAt'],
    ['email', 'email'],
  ])('skips rows by %s in the index alone', async (_key, sort) => {
    const own = await t.tenant();
    await seedContacts(
      t,
      own,
      Array.from({ length: 3000 }, (_, i) => ({ email: `c${i}@x.de`, properties: { note: 'x'.repeat(500) } })),
    );
    await t.db.run(sql`vacuum analyze contact`);
    const plan = await planOf(own, sort as 'email');
    expect(plan).toContain('Index Only Scan');
    expect(plan).not.toContain('Seq Scan on contact');
  });
});

/** The plan of a late page, for the exact statement that is sent. */
async function planOf({ tenantId }: TenantClient, sort: 'email'): Promise<string> {
  let plan = '';
  const explained: Runner = {
    ...t.db,
    rows: async ({ text, values }) => {
      const rows = await t.db.rows(new Sql<{ 'QUERY PLAN': string }>(`explain (costs off) ${text}`, '', values));
      plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      return [];
    },
  };
  await selectContacts({ ...t.db, bulky: () => explained }, tenantId, sort, { limit: 200, offset: 2500 });
  return plan;
}
