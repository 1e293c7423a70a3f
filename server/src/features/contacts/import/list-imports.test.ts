import { expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { locks, lockTenant } from '../../../db/locks.js';

const t = useApp({ work: true });
const csv = { 'content-type': 'text/csv' };
const ndjson = { 'content-type': 'application/x-ndjson' };

async function bring(tenant: TenantClient, file: string, type = csv, query = ''): Promise<string> {
  const acknowledged = await tenant.post(`/v2/contacts/import${query}`, file, type);
  await tenant.done(acknowledged);
  return acknowledged.body.data.transactionId;
}

it('lists imports, newest first, with the results of their rows, and no other writes', async () => {
  const tenant = await t.tenant();
  const first = await bring(tenant, 'email,plan,Größe\na@x.de,pro,1\nnobody,,');
  await tenant.done(await tenant.post('/v2/contacts', { email: 'b@x.de' }));
  const second = await bring(
    tenant,
    '{"email":"b@x.de"}\n{"email":"c@x.de"}',
    ndjson,
    '?fileName=Gr%C3%B6%C3%9Fe.ndjson',
  );
  const { body } = await tenant.get('/v2/imports');
  expect(body.pagination.totalElements).toBe(2);
  expect(body.data).toEqual([
    {
      ...{ fileName: 'Größe.ndjson', createdBy: { accountId: expect.any(Number), name: 'Owner' } },
      ...{ transactionId: second, status: 'DONE', format: 'ndjson', progress: { done: 2, total: 2 } },
      ...{ createdAt: expect.stringMatching(/Z$/), doneAt: expect.stringMatching(/Z$/) },
      counts: { CREATED: 1, UPDATED: 0, NO_CHANGE: 1, FAILED: 0 },
      ...{ ignoredProperties: [], errorsPath: null },
    },
    {
      ...{ fileName: null, createdBy: { accountId: expect.any(Number), name: 'Owner' } },
      ...{ transactionId: first, status: 'DONE', format: 'csv', progress: { done: 2, total: 2 } },
      ...{ createdAt: expect.stringMatching(/Z$/), doneAt: expect.stringMatching(/Z$/) },
      counts: { CREATED: 1, UPDATED: 0, NO_CHANGE: 0, FAILED: 1 },
      ...{ ignoredProperties: ['Größe'], errorsPath: `/exports/transactions/${first}/errors` },
    },
  ]);
  expect((await tenant.get('/v2/imports?pageSize=1&pageNumber=2')).body.data[0].transactionId).toBe(first);
  expect((await tenant.get(`/v2/imports/${first}`)).body.data).toEqual(body.data[1]);
  expect((await tenant.get(body.data[1].errorsPath)).text).toContain('nobody');
});

it('shows one that is waiting', async () => {
  const tenant = await t.tenant();
  await t.db.transaction(async (tx) => {
    while (!(await lockTenant(tx, tenant.tenantId, locks.writes)))
      await new Promise((resolve) => setTimeout(resolve, 5));
    await tenant.post('/v2/contacts/import?fileName=a.csv', 'email\na@x.de', csv);
    expect((await tenant.get('/v2/imports')).body.data).toMatchObject([
      { fileName: 'a.csv', createdBy: { name: 'Owner' } },
    ]);
    expect((await tenant.get('/v2/imports')).body.data).toMatchObject([
      { status: 'PENDING', format: 'csv', doneAt: null, progress: { done: 0, total: 1 }, errorsPath: null },
    ]);
  });
});

it('recognizes a CSV file by its form, even if its header was too long to keep', async () => {
  const tenant = await t.tenant();
  const columns = Array.from({ length: 700 }, (_, i) => `column_${i}_${'x'.repeat(90)}`);
  const id = await bring(tenant, `email,${columns.join(',')}\nnobody,${columns.map(() => '').join(',')}`);
  expect((await tenant.get(`/v2/imports/${id}`)).body.data).toMatchObject({ format: 'csv', counts: { FAILED: 1 } });
  expect((await tenant.get(`/exports/transactions/${id}/errors`)).text).toMatch(/^row,email,error\r\n2,nobody,/);
});

it.each([`${'x'.repeat(256)}`, 'a%0Ab'])('refuses the file name %s', async (name) => {
  const tenant = await t.tenant();
  const { status, body } = await tenant.post(`/v2/contacts/import?fileName=${name}`, 'email\na@x.de', csv);
  expect([status, body.errors[0].detail]).toEqual([400, 'fileName']);
});

it('responds 404 for anything that is not an import', async () => {
  const [tenant, other] = [await t.tenant(), await t.tenant()];
  const write = await tenant.post('/v2/contacts', { email: 'a@x.de' });
  const theirs = await bring(other, 'email\na@x.de');
  for (const id of [write.body.data.transactionId, theirs, 'nonsense'])
    expect((await tenant.get(`/v2/imports/${id}`)).body.errors).toMatchObject([{ message: 'No such import.' }]);
});
