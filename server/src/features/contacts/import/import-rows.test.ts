import { describe, expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { csv, errorsOf, importsTo, numbered, url } from '../../../../test/imports.js';
import { sql } from '../../../db/sql.js';

const test = useApp({ work: true });
const ndjson = { 'content-type': 'application/x-ndjson' };

const { whileLocked } = importsTo(test);

describe('rows', () => {
  it('for one email apply in the order of the file, each with its outcome', async () => {
    const tenant = await test.tenant();
    const done = await tenant.done(
      await tenant.post(url, 'email,plan,seats\na@x.de,free,1\nb@x.de,,\nA@x.de,pro,\na@X.de,,1\na@x.de,team,2\n', csv),
    );
    expect(done.counts).toEqual({ CREATED: 2, UPDATED: 2, NO_CHANGE: 1, FAILED: 0 });
    const { body } = await tenant.get('/v2/contacts/by-email/a@x.de');
    expect(body.data.properties).toEqual({ plan: 'team', seats: '2' });
    const log = await tenant.get(`/v2/contacts/${body.data.id}/activity-log`);
    expect(log.body.data.map((row: { source: string; newValue: string }) => [row.source, row.newValue])).toEqual([
      ['import', '2'],
      ['import', 'team'],
      ['import', 'pro'],
    ]);
  });

  it('that are bad end FAILED with their number in the file; the others apply', async () => {
    const tenant = await test.tenant();
    const lines = [
      '{"email":"a@x.de"}',
      '[]',
      '"text"',
      'null',
      '{"email":5}',
      '{"properties":{}}',
      '{"email":"no address"}',
      '{"email":"b@x.de","properties":[]}',
      '{"email":"c@x.de","properties":{"a":"\\ud800"}}',
      '{"email":"d@x.de","properties":{"a":"\\u0000"}}',
      JSON.stringify({ email: 'a@x.de', properties: { long: 'x'.repeat(33_000) } }),
      '{"email":"e@x.de"}',
    ];
    const acknowledged = await tenant.post(url, lines.join('\n'), ndjson);
    const done = await tenant.done(acknowledged);
    expect(done.counts).toEqual({ CREATED: 2, UPDATED: 0, NO_CHANGE: 0, FAILED: 10 });
    expect(done.progress).toEqual({ done: 12, total: 12 });
    expect(done).not.toHaveProperty('data');
    const rows = (await errorsOf(tenant, acknowledged)).text.trimEnd().split('\r\n');
    expect(rows[0]).toBe('row,email,error');
    expect(rows.slice(1).map((row) => row.split(',').slice(0, 2).join(' '))).toEqual([
      '2 ',
      '3 ',
      '4 ',
      '5 ',
      '6 ',
      '7 no address',
      '8 b@x.de',
      '9 c@x.de',
      '10 d@x.de',
      '11 a@x.de',
    ]);
  });

  it('keep their numbers over many chunks', async () => {
    const tenant = await test.tenant();
    const lines = numbered(5000).split('\n');
    for (const row of [1, 2000, 2001, 4999]) lines[row] = `bad${row},`;
    lines[3000] = ',3';
    const acknowledged = await tenant.post(url, lines.join('\n'), csv);
    expect((await tenant.done(acknowledged)).counts).toEqual({ CREATED: 4995, UPDATED: 0, NO_CHANGE: 0, FAILED: 5 });
    const { text } = await errorsOf(tenant, acknowledged);
    const wrong = 'email must be an email address.';
    expect(text).toBe(
      `${lines[0]},_error\r\nbad1,,row 2: ${wrong}\r\nbad2000,,row 2001: ${wrong}\r\nbad2001,,row 2002: ${wrong}\r\n` +
        `,3,row 3001: email is required and must be a string.\r\nbad4999,,row 5000: ${wrong}\r\n`,
    );
  });

  it('under columns that cannot be properties are reported in the poll', async () => {
    const tenant = await test.tenant();
    const file = 'email,Größe,plan,Plan,__proto__,a b,A-B\na@x.de,A,pro,x,y,1,2\nb@x.de,,pro,,,,';
    const done = await tenant.done(await tenant.post(url, file, csv));
    expect(done.ignoredProperties).toEqual(['Größe', 'Plan', '__proto__', 'a b', 'A-B']);
    expect((await tenant.get('/v2/contacts/by-email/a@x.de')).body.data.properties).toEqual({ plan: 'pro' });
  });

  it('treat a column such as First Name as first_name', async () => {
    const tenant = await test.tenant();
    const file = 'E-Mail,Email,First Name,companyName,last-login\nx,a@x.de,Ada,Engines,today';
    const done = await tenant.done(await tenant.post(url, file, csv));
    expect(done).not.toHaveProperty('ignoredProperties');
    const { properties } = (await tenant.get('/v2/contacts/by-email/a@x.de')).body.data;
    expect(properties).toEqual({ e_mail: 'x', first_name: 'Ada', company_name: 'Engines', last_login: 'today' });
  });

  it('that failed come back with all their cells, and can be corrected and imported', async () => {
    const tenant = await test.tenant();
    const file =
      'First Name,email,phone,Größe,note\nAda,ada(at)x.de,+49 30,1,"a ""b"", c"\nBob,bob@x.de,,,\nEve,,=1,,x\nNul,n@x.de,,,a\0b';
    const acknowledged = await tenant.post(url, file, csv);
    expect((await tenant.done(acknowledged)).counts).toMatchObject({ CREATED: 1, FAILED: 3 });
    const [text = '', nul] = (await errorsOf(tenant, acknowledged)).text.split('Nul,');
    expect(nul).toContain('a\0b,row 5: ');
    expect(text).toBe(
      'First Name,email,phone,Größe,note,_error\r\n' +
        `Ada,ada(at)x.de,'+49 30,1,"a ""b"", c",row 2: email must be an email address.\r\n` +
        "Eve,,'=1,,x,row 4: email is required and must be a string.\r\n",
    );
    const corrected = text.replace('ada(at)x.de', 'ada@x.de').replace('Eve,', 'Eve,eve@x.de');
    const again = await tenant.post(url, corrected, csv);
    expect((await tenant.done(again)).counts).toMatchObject({ CREATED: 2, FAILED: 0 });
    const { properties } = (await tenant.get('/v2/contacts/by-email/ada@x.de')).body.data;
    expect(properties).toEqual({ first_name: 'Ada', phone: '+49 30', note: 'a "b", c' });
    expect((await errorsOf(tenant, again)).text).toBe('First Name,email,phone,Größe,note,_error\r\n');
  });

  it('that failed are forgotten with the person', async () => {
    const tenant = await test.tenant();
    await tenant.done(await tenant.post(url, 'email,note\nada@x.de,secret', csv));
    const long = 'x'.repeat(33_000);
    const acknowledged = await tenant.post(url, `email,note\nada@x.de,secret${long}`, csv);
    await tenant.done(acknowledged);
    expect((await errorsOf(tenant, acknowledged)).text).toContain('secret');
    const { id } = (await tenant.get('/v2/contacts/by-email/ada@x.de')).body.data;
    await tenant.done(await tenant.delete(`/v2/contacts/${id}`));
    expect((await errorsOf(tenant, acknowledged)).text).toMatch(/^email,note,_error\r\n,,row 2: The contact/);
  });

  it('that cannot even be read do not delay the rest', async () => {
    const tenant = await test.tenant();
    const acknowledged = await whileLocked(tenant.tenantId, async () => {
      const waiting = await tenant.post(url, 'email\na@x.de\nb@x.de\nc@x.de', csv);
      const damaged = sql`replace(payload, '"b@x.de"', '"b@x.de')`;
      await test.db.run(sql`update import_chunk set payload = ${damaged} where tenant_id = ${tenant.tenantId}`);
      return waiting;
    });
    expect((await tenant.done(acknowledged)).counts).toMatchObject({ CREATED: 2, FAILED: 1 });
    expect((await errorsOf(tenant, acknowledged)).text).toContain('row 3: This row cannot be applied (SyntaxError).');
  });

  it('that the database refuses do not delay the rest', async () => {
    const tenant = await test.tenant();
    await test.db.run(sql`alter table contact add constraint poison check (email not like 'poison%')`);
    const lines = numbered(2500).split('\n');
    lines[700] = 'poison1@x.de,';
    lines[2400] = 'poison2@x.de,';
    const acknowledged = await tenant.post(url, lines.join('\n'), csv);
    const done = await tenant.done(acknowledged);
    await test.db.run(sql`alter table contact drop constraint poison`);
    expect(done.counts).toEqual({ CREATED: 2498, UPDATED: 0, NO_CHANGE: 0, FAILED: 2 });
    const reason = 'This row cannot be applied (code 23514). Check its values and send it again.';
    expect((await errorsOf(tenant, acknowledged)).text).toBe(
      `${lines[0]},_error\r\npoison1@x.de,,row 701: ${reason}\r\npoison2@x.de,,row 2401: ${reason}\r\n`,
    );
  });
});
