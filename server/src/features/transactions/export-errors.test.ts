import { expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { sql } from '../../db/sql.js';

const test = useApp({ work: true });
const csv = { 'content-type': 'text/csv' };
const pathOf = (transactionId: string) => `/exports/transactions/${transactionId}/errors`;

it('answers failed items of any write as a CSV file', async () => {
  const tenant = await test.tenant();
  const contacts = [{ email: 'a@x.de' }, { email: 'bad' }, 5];
  const acknowledged = await tenant.post('/v1/contacts/batch', { contacts });
  await tenant.done(acknowledged);
  const { status, headers, text } = await tenant.get(pathOf(acknowledged.body.data.transactionId));
  expect(status).toBe(200);
  expect(headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(headers['content-disposition']).toContain('attachment; filename="errors-');
  expect(headers['x-ratelimit-limit']).toBeDefined();
  expect(text).toBe(
    'row,email,error\r\n2,bad,email must be an email address.\r\n3,,The item must be an object with an email.\r\n',
  );
});

it('has only its header if nothing failed', async () => {
  const tenant = await test.tenant();
  const acknowledged = await tenant.post('/v2/contacts', { email: 'a@x.de' });
  await tenant.done(acknowledged);
  expect((await tenant.get(pathOf(acknowledged.body.data.transactionId))).text).toBe('row,email,error\r\n');
});

it('quotes what needs it, and lets no spreadsheet run a cell', async () => {
  const tenant = await test.tenant();
  const emails = ['=cmd|x', '+1', '-1', '@sum', 'a "b", c', 'x\ny'];
  const file = `email\n${emails.map((email) => `"${email.replaceAll('"', '""')}"`).join('\n')}`;
  const acknowledged = await tenant.post('/v2/contacts/import', file, csv);
  await tenant.done(acknowledged);
  const { text } = await tenant.get(pathOf(acknowledged.body.data.transactionId));
  const cells = text
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.replace(/,row \d+: email must be.*$/, ''));
  expect(cells).toEqual(["'=cmd|x", "'+1", "'-1", "'@sum", '"a ""b"", c"', '"x\ny"']);
});

it('streams more failures than a page', async () => {
  const tenant = await test.tenant();
  const acknowledged = await tenant.post('/v2/contacts/import', `email\n${'bad\n'.repeat(2500)}`, csv);
  await tenant.done(acknowledged);
  const lines = (await tenant.get(pathOf(acknowledged.body.data.transactionId))).text.trimEnd().split('\r\n');
  expect(lines.slice(1).map((line) => Number(/row (\d+):/.exec(line)?.[1]))).toEqual(
    Array.from({ length: 2500 }, (_, i) => i + 2),
  );
});

it('is guarded like the API, and knows only the tenant’s own transactions', async () => {
  const [tenant, other, writer] = [await test.tenant(), await test.tenant(), await test.tenant({ scopes: ['WRITE'] })];
  const acknowledged = await tenant.post('/v2/contacts', { email: 'bad@x.de' });
  await tenant.done(acknowledged);
  const path = pathOf(acknowledged.body.data.transactionId);
  const anonymous = await test.anonymous.get(path);
  expect([anonymous.status, anonymous.text]).toEqual([401, '']);
  expect((await writer.get(path)).status).toBe(403);
  for (const unknown of [path, pathOf('nonsense'), pathOf(`${other.tenantId}-019a8b2c-4d5e-7f70-8192-a3b4c5d6e7f8`)]) {
    const { status, body } = await other.get(unknown);
    expect(status).toBe(404);
    expect(body.errors).toEqual([{ errorCode: 'NOT_FOUND', message: 'No such transaction.' }]);
  }
  await test.db.run(sql`delete from write_transaction where tenant_id = ${tenant.tenantId}`);
  expect((await tenant.get(path)).status).toBe(404);
});
