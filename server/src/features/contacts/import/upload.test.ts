import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../../test/app.js';
import { watchTurns } from '../../../../test/processor-time.js';
import { csv, upload, uploadsTo, url } from '../../../../test/uploads.js';

const test = useApp({ work: true });
const ndjson = { 'content-type': 'application/x-ndjson' };

async function propertiesOf(tenant: TenantClient, email: string) {
  const { status, body } = await tenant.get(`/v2/contacts/by-email/${encodeURIComponent(email)}`);
  return status === 200 ? body.data.properties : undefined;
}

const { chunksOf, expectNothing } = uploadsTo(test);

describe('a CSV file', () => {
  it('is acknowledged like any other write, and applied', async () => {
    const tenant = await test.tenant();
    const reply = await upload(tenant, 'email,first_name,plan\nada@example.com,Ada,pro\nalan@example.com,Alan,\n');
    expect(reply.status).toBe(200);
    expect(reply.body.data).toEqual({
      transactionId: expect.stringMatching(new RegExp(`^${tenant.tenantId}-`)),
      status: 'PENDING',
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(await tenant.done(reply)).toEqual({
      ...reply.body.data,
      status: 'DONE',
      counts: { CREATED: 2, UPDATED: 0, NO_CHANGE: 0, FAILED: 0 },
      progress: { done: 2, total: 2 },
    });
    expect(await propertiesOf(tenant, 'ada@example.com')).toEqual({ first_name: 'Ada', plan: 'pro' });
    expect(await propertiesOf(tenant, 'alan@example.com')).toEqual({ first_name: 'Alan' });
    expect(await chunksOf(tenant)).toBe(0);
  });

  it('leaves a property alone if its cell is empty, and reads every value as text', async () => {
    const tenant = await test.tenant();
    await tenant.done(await upload(tenant, 'email,plan,seats,on,nothing\na@x.de,pro,12,true,null'));
    const second = await tenant.done(await upload(tenant, 'email,plan,seats\na@x.de,,13'));
    expect(second.counts).toEqual({ CREATED: 0, UPDATED: 1, NO_CHANGE: 0, FAILED: 0 });
    expect(await propertiesOf(tenant, 'a@x.de')).toEqual({ plan: 'pro', seats: '13', on: 'true', nothing: 'null' });
    const third = await tenant.done(await upload(tenant, 'email,plan\na@x.de,""'));
    expect(third.counts).toEqual({ CREATED: 0, UPDATED: 0, NO_CHANGE: 1, FAILED: 0 });
  });

  it.each([
    ['commas and quotes in quoted cells', 'email,note\na@x.de,"a, ""b"""\n', 'a, "b"'],
    ['line ends in quoted cells', 'email,note\na@x.de,"one\ntwo\r\nthree"\n', 'one\ntwo\r\nthree'],
    ['CRLF', 'email,note\r\na@x.de,one\r\n', 'one'],
    ['CRLF first and LF later', 'email,note\r\na@x.de,one\nb@x.de,two', 'one'],
    ['a byte order mark', '\ufeffemail,note\na@x.de,one', 'one'],
    ['a byte order mark before a quote', '\ufeff"email","note"\n"a@x.de","one"', 'one'],
    ['blank lines', '\n\nemail,note\n\na@x.de,one\r\n\r\n\n', 'one'],
    ['spaces, which are kept in values', 'email,note\na@x.de, one ', ' one '],
    ['email in any place and case', 'note, EMail \none,a@x.de', 'one'],
    ['emails in any case and with spaces', 'email,note\n A@X.de ,one', 'one'],
    ['text beyond ASCII', 'email,note\na@x.de,Žluťoučký 🐎', 'Žluťoučký 🐎'],
  ])('may have %s', async (_what, file, note) => {
    const tenant = await test.tenant();
    expect((await tenant.done(await upload(tenant, file))).counts.FAILED).toBe(0);
    expect(await propertiesOf(tenant, 'a@x.de')).toEqual({ note });
  });

  it('may arrive in pieces of any size', async () => {
    const tenant = await test.tenant();
    const file = Buffer.from('\ufeffemail,note\r\na@x.de,"ž🐎\r\n"\r\nb@x.de,é');
    const bytes = Readable.from([...file].map((byte) => Buffer.from([byte])));
    const headers = { ...csv, authorization: `Bearer ${tenant.token}` };
    const { statusCode, payload } = await test.app.http.inject({ method: 'POST', url, headers, payload: bytes });
    expect(statusCode).toBe(200);
    await tenant.done({ status: 200, body: JSON.parse(payload) } as Reply);
    expect(await propertiesOf(tenant, 'a@x.de')).toEqual({ note: 'ž🐎\r\n' });
    expect(await propertiesOf(tenant, 'b@x.de')).toEqual({ note: 'é' });
  });

  it('holds nobody up with as many columns as fit into a row', async () => {
    const tenant = await test.tenant();
    const columns = Array.from({ length: 60_000 }, (_, i) => `Column ${i}`);
    const longest = watchTurns();
    const reply = await upload(
      tenant,
      `email,${columns}\na@x.de,${columns.map((_, i) => i % 10)}\nb@x.de${','.repeat(60_000)}`,
    );
    expect(reply.status).toBe(200);
    expect(longest()).toBeLessThan(2000);
    const { counts } = await tenant.done(reply);
    expect(counts).toMatchObject({ CREATED: 1, FAILED: 1 });
  });

  it.each([
    ['no email column', 'name,plan\na,b', 1, 'Line 1 has no column named email. Columns: name, plan.'],
    ['columns separated by semicolons', 'email;plan\na;b', 1, 'Separate columns by commas.'],
    ['two columns of one name', 'email,plan,plan\na@x.de,b,c', 1, 'Line 1 has two columns named "plan".'],
    ['two email columns', 'email,Email\na@x.de,b@x.de', 1, 'Line 1 has two columns named "email".'],
    ['a column without a name', 'email,,b\na@x.de,b,c', 1, 'Line 1 has no name for column 2.'],
    ['a row with too many cells', 'email,a\na@x.de,b\nb@x.de,c,d\n', 3, 'Line 3 has 3 cells; the header has 2.'],
    [
      'a row with too few cells',
      'email,a\r\n\r\nb@x.de,"c\r\nd"\r\na@x.de',
      5,
      'Line 5 has 1 cells; the header has 2.',
    ],
    ['a quote that is never closed', 'email,a\na@x.de,b\n\nb@x.de,"c\nd,e\n', 4, 'Line 4 opens a quoted cell'],
    ['a quote inside a cell', 'email,a\na@x.de,b"c\n', 2, 'Line 2 has a quote inside a cell.'],
    ['text after a closing quote', 'email,a\na@x.de,"b"c\n', 2, 'Line 2 has a quote inside a cell.'],
    ['old Macintosh line ends', 'email\rada@x.de', 1, 'Line 1 must end in LF or CRLF.'],
    ['a row of more than 1 MiB', `email,a\na@x.de,${'b'.repeat(1_100_000)}`, 2, 'Line 2'],
    ['a quoted row of more than 1 MiB', `email,a\na@x.de,"${'b\n'.repeat(600_000)}"`, 2, 'Line 2 starts a row'],
  ])('with %s is refused', async (_what, file, line, message) => {
    const tenant = await test.tenant();
    const { status, body } = await upload(tenant, file);
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      { errorCode: 'VALIDATION_ERROR', message: expect.stringContaining(message), detail: `line ${line}` },
    ]);
    await expectNothing(tenant);
  });

  it('that is not UTF-8 is refused, with the line', async () => {
    const tenant = await test.tenant();
    const latin = Buffer.concat([
      Buffer.from('email,a\na@x.de,b\nb@x.de,'),
      Buffer.from([0xe9]),
      Buffer.from('\nc@x.de,d'),
    ]);
    expect((await upload(tenant, latin)).body.errors[0].detail).toBe('line 3');
    const wide = Buffer.from('\ufeffemail,a\na@x.de,b', 'utf16le');
    expect((await upload(tenant, wide)).body.errors[0].detail).toBe('line 1');
    await expectNothing(tenant);
  });

  it.each(['', '\n\n', 'email,a\n', 'email'])('without rows is refused: %j', async (file) => {
    const tenant = await test.tenant();
    const { status, body } = await upload(tenant, file);
    expect(status).toBe(400);
    expect(body.errors[0]).toMatchObject({ errorCode: 'VALIDATION_ERROR', message: 'The file has no rows.' });
  });

  it('may have very many columns', async () => {
    const tenant = await test.tenant();
    const header = Array.from({ length: 100_000 }, (_, i) => `c${i}`).join(',');
    const done = await tenant.done(await upload(tenant, `email,${header}\na@x.de,1${','.repeat(99_999)}\n`));
    expect(done.counts.CREATED).toBe(1);
    expect(await propertiesOf(tenant, 'a@x.de')).toEqual({ c0: '1' });
  });

  it('that breaks after many rows leaves nothing of them', async () => {
    const tenant = await test.tenant();
    const rows = Array.from({ length: 9000 }, (_, i) => `c${i}@x.de,${i}`).join('\n');
    const { status, body } = await upload(tenant, `email,n\n${rows}\nlast@x.de,"cut o`);
    expect(status).toBe(400);
    expect(body.errors[0].detail).toBe('line 9002');
    await expectNothing(tenant);
  });
});

describe('an NDJSON file', () => {
  it('keeps the types of its values', async () => {
    const tenant = await test.tenant();
    const lines = [
      { email: 'a@x.de', properties: { seats: 12, on: true, tags: ['x', 1], plan: 'pro' } },
      { email: 'a@x.de', properties: { plan: null } },
      { email: 'b@x.de' },
    ];
    const file = `\ufeff${lines.map((line) => JSON.stringify(line)).join('\r\n\r\n  \n')}`;
    const done = await tenant.done(await upload(tenant, file, ndjson));
    expect(done.counts).toEqual({ CREATED: 2, UPDATED: 1, NO_CHANGE: 0, FAILED: 0 });
    expect(await propertiesOf(tenant, 'a@x.de')).toEqual({ seats: 12, on: true, tags: ['x', 1] });
  });

  it('with a line that is not JSON is refused, with the line', async () => {
    const tenant = await test.tenant();
    const { status, body } = await upload(tenant, '{"email":"a@x.de"}\n\n{"email":"b@x.de"\n', ndjson);
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      { errorCode: 'VALIDATION_ERROR', message: 'Line 3 is not valid JSON.', detail: 'line 3' },
    ]);
    await expectNothing(tenant);
  });

  it('survives deep nesting and prototype keys', async () => {
    const tenant = await test.tenant();
    const deep = `{"email":"a@x.de","properties":{"a":${'['.repeat(400_000)}${']'.repeat(400_000)},"b":1}}`;
    const proto = '{"__proto__":{"email":"c@x.de"},"email":"b@x.de","properties":{"__proto__":{"x":1},"b":2}}';
    const done = await tenant.done(await upload(tenant, `${deep}\n${proto}`, ndjson));
    expect(done.counts).toMatchObject({ CREATED: 2 });
    expect(await propertiesOf(tenant, 'a@x.de')).toEqual({ b: 1 });
    expect(await propertiesOf(tenant, 'b@x.de')).toEqual({ b: 2 });
  });
});
