// Filters that are tried and explained with a read-only token.
import { expect, it } from 'vitest';
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
