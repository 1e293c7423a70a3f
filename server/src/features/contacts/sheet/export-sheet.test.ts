import { connect } from 'node:net';
import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { auditOf } from '../../../../test/audit.js';
import { makeDynamicList, seedContacts, seedMembers } from '../../../../test/dynamic-lists.js';

const t = useApp();
const path = '/exports/contacts';

async function rowsOf(tenant: TenantClient, query: Record<string, string> = {}): Promise<string[][]> {
  const { status, text } = await tenant.get(`${path}?${new URLSearchParams(query)}`);
  expect(status).toBe(200);
  return parse(text) as string[][];
}

async function withPeople(): Promise<{ tenant: TenantClient; ids: string[] }> {
  const tenant = await t.tenant();
  const ids = await seedContacts(t, tenant, [
    { email: 'ada@x.de', properties: { plan: 'pro', seats: -3, tags: ['a', 'b"c'], is_new: true } },
    { email: 'bob@x.de', properties: { plan: '=HYPERLINK("x")' } },
    { email: 'cyd@x.de', properties: { plan: 'pro', note: 'two\nlines, and a comma' } },
  ]);
  return { tenant, ids };
}

describe('a file of contacts', () => {
  it('has the email and every property, newest first, with cells that no spreadsheet runs', async () => {
    const { tenant } = await withPeople();
    const reply = await tenant.get(path);
    expect(reply.headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="contacts.csv"',
      'cache-control': 'no-store',
    });
    expect(parse(reply.text)).toEqual([
      ['email', 'is_new', 'note', 'plan', 'seats', 'tags'],
      ['cyd@x.de', '', 'two\nlines, and a comma', 'pro', '', ''],
      ['bob@x.de', '', '', `'=HYPERLINK("x")`, '', ''],
      ['ada@x.de', 'true', '', 'pro', '-3', '["a","b\\"c"]'],
    ]);
  });

  it('has the named columns, in order', async () => {
    const { tenant, ids } = await withPeople();
    const [header, last] = await rowsOf(tenant, { columns: 'plan, id,createdAt', search: 'cyd' });
    expect(header).toEqual(['plan', 'id', 'createdAt']);
    expect(last).toEqual(['pro', ids[2], expect.stringMatching(/^\d{4}-.*Z$/)]);
  });

  it.each([
    ['plam', 'columns has "plam"'],
    ['email,', 'columns has ""'],
    ['email,email', 'columns must name each column once'],
    ['First Name', 'columns has "First Name"'],
    ['constructor', 'columns has "constructor"'],
  ])('refuses the columns %s', async (columns, message) => {
    const { tenant } = await withPeople();
    const { status, body } = await tenant.get(`${path}?${new URLSearchParams({ columns })}`);
    expect([status, body.errors[0].detail]).toEqual([400, 'columns']);
    expect(body.errors[0].message).toContain(message);
  });

  it('distinguishes a property from the contact’s own field of that name', async () => {
    const tenant = await t.tenant();
    await seedContacts(t, tenant, [{ email: 'a@x.de', properties: { email: 'other@x.de', id: 7 } }]);
    expect(await rowsOf(tenant)).toEqual([
      ['email', 'properties.email', 'properties.id'],
      ['a@x.de', 'other@x.de', '7'],
    ]);
    expect(await rowsOf(tenant, { columns: 'properties.id' })).toEqual([['properties.id'], ['7']]);
  });

  it('has the contacts that match a filter, a search and lists together', async () => {
    const { tenant, ids } = await withPeople();
    const [ada = '', bob = '', cyd = ''] = ids;
    const listId = (await tenant.post('/v2/lists', { name: 'l' })).body.data.staticListId;
    await tenant.post(`/v2/lists/${listId}/members`, { contactIds: [ada, bob] });
    const dynamicListId = await makeDynamicList(tenant, { all: [] });
    const joinedAt = '2026-11-15T09:00:00.000Z';
    await seedMembers(
      t,
      tenant,
      dynamicListId,
      [ada, cyd].map((contactId) => ({ contactId, joinedAt })),
    );
    const filter = JSON.stringify({ property: 'plan', is: 'pro' });
    const emailsOf = async (query: Record<string, string>) =>
      (await rowsOf(tenant, { ...query, columns: 'email' })).slice(1).flat();
    expect(await emailsOf({ filter })).toEqual(['cyd@x.de', 'ada@x.de']);
    expect(await emailsOf({ listId })).toEqual(['bob@x.de', 'ada@x.de']);
    expect(await emailsOf({ dynamicListId })).toEqual(['cyd@x.de', 'ada@x.de']);
    expect(await emailsOf({ listId, dynamicListId })).toEqual(['ada@x.de']);
    expect(await emailsOf({ listId, filter, search: 'BOB' })).toEqual([]);
  });

  it('of a missing list, or another tenant’s, is a 404', async () => {
    const { tenant } = await withPeople();
    const other = await t.tenant();
    const theirs = await makeDynamicList(other, { all: [] });
    for (const query of [`dynamicListId=${theirs}`, 'listId=nonsense', 'listId=', `listId=${'0'.repeat(24)}`])
      expect((await tenant.get(`${path}?${query}`)).body.errors).toMatchObject([{ errorCode: 'NOT_FOUND' }]);
  });

  it('needs a token with READ, and supports one method', async () => {
    const writer = await t.tenant({ scopes: ['WRITE'] });
    expect((await t.anonymous.get(path)).status).toBe(401);
    expect((await writer.get(path)).status).toBe(403);
    const tenant = await t.tenant();
    expect((await tenant.post(path, {})).headers.allow).toBe('GET, HEAD');
  });

  it('is in the audit log, without anything that may name a person', async () => {
    const { tenant } = await withPeople();
    await tenant.get(`${path}?search=ada`);
    await tenant.get(`${path}?columns=nonsense`);
    expect(await auditOf(t, tenant.tenantId, 'report.')).toMatchObject([
      { action: 'report.exported', subject: 'contacts', detail: '{"hasFilter":false,"hasSearch":true}' },
    ]);
  });

  it('has every contact once, over many reads', async () => {
    const tenant = await t.tenant();
    const people = Array.from({ length: 4100 }, (_, i) => ({ email: `c${i}@x.de`, properties: { n: i } }));
    await seedContacts(t, tenant, people);
    const all = await rowsOf(tenant, { columns: 'n' });
    expect(all.slice(1).map(([n]) => Number(n))).toEqual(people.map(({ properties }) => properties.n).toReversed());
    const few = await rowsOf(tenant, { columns: 'n', filter: JSON.stringify({ property: 'n', lt: 3 }) });
    expect(few.slice(1).flat()).toEqual(['2', '1', '0']);
  });

  it('delays no other read while it is not read itself', async () => {
    const tenant = await t.tenant();
    const note = 'x'.repeat(30_000);
    await seedContacts(
      t,
      tenant,
      Array.from({ length: 600 }, (_, i) => ({ email: `c${i}@x.de`, properties: { note } })),
    );
    const { port } = new URL(await t.app.http.listen({ port: 0, host: '127.0.0.1' }));
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${tenant.token}\r\n\r\n`);
    // Reads the first bytes and then stops.
    await new Promise((resolve) => socket.once('readable', resolve));
    for (let i = 0; i < 3; i++) expect((await tenant.get('/v2/contacts?pageSize=50')).status).toBe(200);
    socket.destroy();
  });
});
