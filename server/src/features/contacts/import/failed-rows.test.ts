// The file of failed rows: as they came, with their spreadsheet row number, and ready to be sent again.
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../../test/app.js';
import { sql } from '../../../db/sql.js';
import { parseTransactionId } from '../../../lib/ids.js';
import { selectFailuresAfter, selectFailuresOf } from '../../transactions/outcomes/queries.js';

const test = useApp({ work: true });
const url = '/v2/contacts/import';
const csv = { 'content-type': 'text/csv' };
const ndjson = { 'content-type': 'application/x-ndjson' };
const wrong = 'email must be an email address.';

const pathOf = ({ body }: Reply) => `/exports/transactions/${body.data.transactionId}/errors`;
const propertiesOf = async (tenant: TenantClient, email: string) =>
  (await tenant.get(`/v2/contacts/by-email/${email}`)).body.data.properties;

async function bring(tenant: TenantClient, file: string, { query = '', type = csv } = {}): Promise<Reply> {
  const acknowledged = await tenant.post(url + query, file, type);
  await tenant.done(acknowledged);
  return acknowledged;
}

describe('of a CSV file', () => {
  it('names the row that a spreadsheet shows: the header is row 1, and blank lines count', async () => {
    const tenant = await test.tenant();
    const file = '\nemail,n\nbad1,1\n\r\na@x.de,"two\nlines"\nbad2,2\n\n\n\nbad3,3\n';
    const acknowledged = await bring(tenant, file);
    expect((await tenant.get(pathOf(acknowledged))).text).toBe(
      `email,n,_error\r\nbad1,1,row 3: ${wrong}\r\nbad2,2,row 6: ${wrong}\r\nbad3,3,row 10: ${wrong}\r\n`,
    );
  });

  it('knows the row across many chunks, even if each has blank lines', async () => {
    const tenant = await test.tenant();
    const lines = Array.from({ length: 5000 }, (_, i) =>
      i % 1000 === 7 ? `bad${i}` : i % 3 === 0 ? '' : `c${i}@x.de`,
    );
    const acknowledged = await bring(tenant, ['email', ...lines].join('\n'));
    const told = (await tenant.get(pathOf(acknowledged))).text.trimEnd().split('\r\n').slice(1);
    const wanted = [7, 1007, 2007, 3007, 4007].map((i) => `bad${i},row ${i + 2}: ${wrong}`);
    expect(told).toEqual(wanted);
  });

  it('has every column as it came when `columns` says what they are, skipped ones too', async () => {
    const tenant = await test.tenant();
    const file =
      'Name,E-Mail,Seats,VIP,Secret,Secret,\nAda,ada(at)x.de,007,TRUE,s1,s2,s3\nBob,bob@x.de,12,no,s4,s5,s6\n';
    const acknowledged = await bring(tenant, file, {
      query: '?columns=first_name,email,seats:number,vip:boolean,,,&fileName=people.csv',
    });
    expect((await tenant.get(pathOf(acknowledged))).text).toBe(
      `Name,E-Mail,Seats,VIP,Secret,Secret,,_error\r\nAda,ada(at)x.de,007,TRUE,s1,s2,s3,row 2: ${wrong}\r\n`,
    );
    expect(await propertiesOf(tenant, 'bob@x.de')).toEqual({ first_name: 'Bob', seats: 12, vip: 'no' });
    const again = await bring(
      tenant,
      "E-Mail,Seats,VIP,Phone,_error\nada@x.de,7.5, true ,'+49,row 2: wrong\nsecond,,,'=x,row 3: wrong",
      { query: '?columns=email,seats:number,vip:boolean,phone,' },
    );
    expect(await propertiesOf(tenant, 'ada@x.de')).toEqual({ seats: 7.5, vip: true, phone: '+49' });
    expect((await tenant.get(pathOf(again))).text).toBe(
      `E-Mail,Seats,VIP,Phone,_error\r\nsecond,,,'=x,row 3: ${wrong}\r\n`,
    );
  });

  it.each([
    ['a', '?columns=email', 'columns names 1 column; the header has 2.'],
    ['no email', '?columns=plan,', 'columns must name one column email.'],
    ['two emails', '?columns=email,email', 'columns must name one column email.'],
    ['a key that is none', '?columns=email,First%20Name', 'columns has "First Name"'],
    ['a type that is none', '?columns=email,seats:integer', 'columns has "seats:integer"'],
    ['one key twice', '?columns=email,,plan,plan', 'columns has "plan" twice.'],
  ])('is refused with %s in `columns`', async (_what, query, message) => {
    const tenant = await test.tenant();
    const { status, body } = await tenant.post(url + query, 'email,plan\na@x.de,x', csv);
    expect(status).toBe(400);
    expect(body.errors[0]).toMatchObject({ errorCode: 'VALIDATION_ERROR', detail: 'columns' });
    expect(body.errors[0].message).toContain(message);
  });

  it('keeps an apostrophe of the file through the file of failed rows and back', async () => {
    const tenant = await test.tenant();
    const cells = ["'=1", "''=1", "'plain", '=1', '\t2'];
    const file = `email,${cells.map((_, i) => `c${i}`)}\nbad,${cells.map((cell) => `"${cell}"`)}`;
    const failed = (await tenant.get(pathOf(await bring(tenant, file)))).text;
    await bring(tenant, failed.replace('bad', 'good@x.de'));
    expect(Object.values(await propertiesOf(tenant, 'good@x.de')).sort()).toEqual([...cells].sort());
  });

  it('has addresses that come back as they were, even those that a spreadsheet would run', async () => {
    const tenant = await test.tenant();
    const long = 'x'.repeat(33_000);
    const failed = (await tenant.get(pathOf(await bring(tenant, `email,long\n+49@x.de,${long}`)))).text;
    expect(failed).toContain("\n'+49@x.de,");
    await bring(tenant, failed.replace(long, 'short'));
    expect((await tenant.get('/v2/contacts')).body.data).toMatchObject([{ email: '+49@x.de' }]);
  });

  it('comes in pages that hold little, however long its rows are', async () => {
    const tenant = await test.tenant();
    const rows = Array.from({ length: 12 }, (_, i) => `bad${i},${randomBytes(30_000).toString('hex')}`);
    const acknowledged = await bring(tenant, `email,long\n${rows.join('\n')}`);
    const uuid = parseTransactionId(tenant.tenantId, acknowledged.body.data.transactionId) as string;
    const page = await selectFailuresAfter(test.db, tenant.tenantId, uuid, -1, 1000);
    expect(page.length).toBeGreaterThan(1);
    expect(page.length).toBeLessThan(rows.length);
    const { text } = await tenant.get(pathOf(acknowledged));
    expect(text.match(/row \d+:/g)).toEqual(rows.map((_, i) => `row ${i + 2}:`));
  });
});

describe('of an NDJSON file', () => {
  const lines = [
    '{"email":"a@x.de"}',
    '',
    '{ "email": "bad", "properties": {"n": 12345678901234567890, "a": "x"} }',
    '[1]',
    '{}',
  ];

  it('has the lines as they came and why each failed, to be corrected and sent again', async () => {
    const tenant = await test.tenant();
    const acknowledged = await bring(tenant, lines.join('\n'), { type: ndjson });
    const { transactionId } = acknowledged.body.data;
    const { errorsPath } = (await tenant.get(`/v2/imports/${transactionId}`)).body.data;
    expect(errorsPath).toBe(`${pathOf(acknowledged)}?format=ndjson`);
    const { text, headers } = await tenant.get(errorsPath);
    expect(headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    expect(headers['content-disposition']).toContain(`filename="errors-${transactionId}.ndjson"`);
    expect(text.split('\n')).toEqual([
      `{"_error":"line 3: ${wrong}","email": "bad", "properties": {"n": 12345678901234567890, "a": "x"} }`,
      '{"_error":"line 4: The item must be an object with an email.","_line":[1]}',
      '{"_error":"line 5: email is required and must be a string."}',
      '',
    ]);
    const again = await bring(tenant, text.replace('"email": "bad"', '"email": "b@x.de"'), { type: ndjson });
    expect(await propertiesOf(tenant, 'b@x.de')).toMatchObject({ a: 'x' });
    const second = await tenant.get(`${pathOf(again)}?format=ndjson`);
    expect(second.text).toBe(
      '{"_error":"line 2: email is required and must be a string.","_line":[1]}\n' +
        '{"_error":"line 3: email is required and must be a string."}\n',
    );
  });

  it('is a short CSV file by default', async () => {
    const tenant = await test.tenant();
    const acknowledged = await bring(tenant, lines.join('\n'), { type: ndjson });
    expect((await tenant.get(pathOf(acknowledged))).text).toBe(
      `row,email,error\r\n3,bad,${wrong}\r\n4,,The item must be an object with an email.\r\n` +
        '5,,email is required and must be a string.\r\n',
    );
    expect((await tenant.get(`${pathOf(acknowledged)}?format=xml`)).status).toBe(400);
    const ofCsv = await bring(tenant, 'email\nbad');
    expect((await tenant.get(`${pathOf(ofCsv)}?format=ndjson`)).body.errors[0].message).toContain('format');
  });

  it('is not blocked by a line that is nested too deeply for the database', async () => {
    const tenant = await test.tenant();
    const deep = `{"email":"bad","properties":{"a":${'['.repeat(200_000)}"\\"]"${']'.repeat(200_000)}}}`;
    const acknowledged = await bring(tenant, `${deep}\n{"email":"a@x.de"}`, { type: ndjson });
    expect((await tenant.get(`${pathOf(acknowledged)}?format=ndjson`)).text).toBe(`{"_error":"line 1: ${wrong}"}\n`);
    expect((await tenant.get('/v2/contacts/by-email/a@x.de')).status).toBe(200);
  });

  it('takes no `columns`', async () => {
    const tenant = await test.tenant();
    const { status, body } = await tenant.post(`${url}?columns=email`, lines.join('\n'), ndjson);
    expect([status, body.errors[0].detail]).toEqual([400, 'columns']);
  });
});

describe('with the person', () => {
  it('are all found, in small pages', async () => {
    const tenant = await test.tenant();
    await tenant.done(await tenant.post('/v2/contacts', { email: 'ada@x.de' }));
    const rows = Array.from({ length: 12 }, () => `ada@x.de,${randomBytes(30_000).toString('hex')}`);
    await bring(tenant, `email,long\n${rows.join('\n')}`);
    const page = await selectFailuresOf(test.db, tenant.tenantId, 'ada@x.de', undefined, 500);
    expect(page.length).toBeGreaterThan(1);
    expect(page.length).toBeLessThan(rows.length);
    const { id } = (await tenant.get('/v2/contacts/by-email/ada@x.de')).body.data;
    const { body } = await tenant.get(`/v2/contacts/${id}/export`);
    expect(body.data.failedWrites).toHaveLength(rows.length);
  });

  const long = 'x'.repeat(33_000);
  const rowsOf = async ({ tenantId }: TenantClient) =>
    (
      await test.db.rows(sql<{ cells: string | null }>`
      select cells::text as cells from write_failure where tenant_id = ${tenantId}`)
    ).map(({ cells }) => cells);

  it.each([
    ['CSV', `E-Mail,Secret,Long\nada@x.de,hidden,${long}`, { query: '?columns=email,,long', type: csv }],
    ['NDJSON', JSON.stringify({ email: 'ada@x.de', properties: { hidden: 'hidden', long } }), { type: ndjson }],
  ])('is forgotten, whatever the file was: %s', async (_what, file, options) => {
    const tenant = await test.tenant();
    await tenant.done(await tenant.post('/v2/contacts', { email: 'ada@x.de' }));
    await bring(tenant, file, options);
    expect((await rowsOf(tenant))[0]).toContain('hidden');
    const { id } = (await tenant.get('/v2/contacts/by-email/ada@x.de')).body.data;
    await tenant.done(await tenant.delete(`/v2/contacts/${id}`));
    expect(await rowsOf(tenant)).toEqual([null]);
  });
});
