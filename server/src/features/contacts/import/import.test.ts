// What becomes of a file that was taken: rows in order, failures by number, progress, fair turns.
import { describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../../test/app.js';
import { lockTenant } from '../../../db/locks.js';
import { sql } from '../../../db/sql.js';

const test = useApp({ work: true });
const url = '/v2/contacts/import';
const csv = { 'content-type': 'text/csv' };
const ndjson = { 'content-type': 'application/x-ndjson' };

async function poll(tenant: TenantClient, acknowledged: Reply) {
  return (await tenant.get(`/v2/contacts/transactions/${acknowledged.body.data.transactionId}`)).body.data;
}

function errorsOf(tenant: TenantClient, acknowledged: Reply): Promise<Reply> {
  return tenant.get(`/exports/transactions/${acknowledged.body.data.transactionId}/errors`);
}

function numbered(count: number, prefix = 'c'): string {
  return `email,n\n${Array.from({ length: count }, (_, i) => `${prefix}${i}@x.de,${i}`).join('\n')}`;
}

/** While this runs, no worker serves the tenant. */
async function whileLocked<T>(tenantId: number, act: () => Promise<T>): Promise<T> {
  return test.db.transaction(async (tx) => {
    while (!(await lockTenant(tx, tenantId))) await new Promise((resolve) => setTimeout(resolve, 5));
    return act();
  });
}

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
    const wrong = 'email is not an email address.';
    expect(text).toBe(
      `${lines[0]},_error\r\nbad1,,row 2: ${wrong}\r\nbad2000,,row 2001: ${wrong}\r\nbad2001,,row 2002: ${wrong}\r\n` +
        `,3,row 3001: email is required and must be a string.\r\nbad4999,,row 5000: ${wrong}\r\n`,
    );
  });

  it('under columns that no property can have say so in the poll', async () => {
    const tenant = await test.tenant();
    const file = 'email,Größe,plan,Plan,__proto__,a b,A-B\na@x.de,A,pro,x,y,1,2\nb@x.de,,pro,,,,';
    const done = await tenant.done(await tenant.post(url, file, csv));
    expect(done.ignoredProperties).toEqual(['Größe', 'Plan', '__proto__', 'a b', 'A-B']);
    expect((await tenant.get('/v2/contacts/by-email/a@x.de')).body.data.properties).toEqual({ plan: 'pro' });
  });

  it('take a column such as First Name for first_name', async () => {
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
        `Ada,ada(at)x.de,'+49 30,1,"a ""b"", c",row 2: email is not an email address.\r\n` +
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

  it('that cannot even be read do not hold up the rest', async () => {
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

  it('that the database refuses do not hold up the rest', async () => {
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

describe('an import', () => {
  it('tells its progress, which only grows', async () => {
    const tenant = await test.tenant();
    const acknowledged = await whileLocked(tenant.tenantId, async () => {
      const waiting = await tenant.post(url, numbered(9000), csv);
      expect(await poll(tenant, waiting)).toEqual({
        ...waiting.body.data,
        counts: { CREATED: 0, UPDATED: 0, NO_CHANGE: 0, FAILED: 0 },
        progress: { done: 0, total: 9000 },
      });
      return waiting;
    });
    const seen: { done: number; status: string }[] = [];
    do {
      const { status, progress, counts } = await poll(tenant, acknowledged);
      expect(counts.CREATED).toBe(progress.done);
      seen.push({ done: progress.done, status });
    } while (seen.at(-1)?.status !== 'DONE');
    expect(seen.map(({ done }) => done)).toEqual(seen.map(({ done }) => done).sort((a, b) => a - b));
    expect(seen.some(({ done }) => done > 0 && done < 9000)).toBe(true);
  });

  it('lets later writes of its tenant and of others pass, and is passed by no earlier one', async () => {
    const [tenant, other] = [await test.tenant(), await test.tenant()];
    await tenant.done(await tenant.post('/v2/contacts', { email: 'c15999@x.de' }));
    const { body } = await tenant.get('/v2/contacts/by-email/c15999@x.de');
    const [before, acknowledged] = await whileLocked(tenant.tenantId, async () => [
      await tenant.patch(`/v2/contacts/${body.data.id}`, { properties: { n: 'before' } }),
      await tenant.post(url, numbered(16_000), csv),
    ]);
    await Promise.all([
      tenant.done(await tenant.post('/v2/contacts', { email: 'late@x.de' })),
      other.done(await other.post('/v2/contacts', { email: 'late@x.de' })),
    ]);
    expect(await poll(tenant, acknowledged)).toMatchObject({ status: 'PENDING' });
    expect((await poll(tenant, before)).status).toBe('DONE');
    expect((await tenant.done(acknowledged)).counts).toMatchObject({ CREATED: 15_999, UPDATED: 1 });
    const { data } = (await tenant.get('/v2/contacts/by-email/c15999@x.de')).body;
    expect(data.properties.n).toBe('15999');
  });

  it('comes before the later writes when it is small', async () => {
    const tenant = await test.tenant();
    const write = { contacts: [{ email: 'same@x.de', properties: { n: 'later' } }] };
    const [imported, later] = await whileLocked(tenant.tenantId, async () => [
      await tenant.post(url, `${numbered(2500)}\nsame@x.de,first`, csv),
      await tenant.post('/v2/contacts/batch', write),
    ]);
    expect((await tenant.done(later)).data.results[0].status).toBe('UPDATED');
    expect((await poll(tenant, imported)).status).toBe('DONE');
    expect((await tenant.get('/v2/contacts/by-email/same@x.de')).body.data.properties.n).toBe('later');
  });

  it('comes after the imports that were acknowledged before it', async () => {
    const tenant = await test.tenant();
    const [first, second] = await whileLocked(tenant.tenantId, async () => [
      await tenant.post(url, `${numbered(2500)}\nsame@x.de,first`, csv),
      await tenant.post(url, 'email,n\nsame@x.de,second', csv),
    ]);
    await tenant.done(second);
    expect((await poll(tenant, first)).status).toBe('DONE');
    expect((await tenant.get('/v2/contacts/by-email/same@x.de')).body.data.properties.n).toBe('second');
  });

  it('that an older build beside this one acknowledged is applied in its place', async () => {
    const tenant = await test.tenant();
    const [imported, later] = await whileLocked(tenant.tenantId, async () => {
      const acknowledged = await tenant.post(url, `${numbered(2500)}\nsame@x.de,first`, csv);
      // What the older build inserts has no such column.
      await test.db.run(sql`update write_transaction set is_long = default where tenant_id = ${tenant.tenantId}`);
      const write = { contacts: [{ email: 'same@x.de', properties: { n: 'later' } }] };
      return [acknowledged, await tenant.post('/v2/contacts/batch', write)];
    });
    expect((await tenant.done(imported)).counts.CREATED).toBe(2501);
    expect((await tenant.done(later)).data.results[0].status).toBe('UPDATED');
  });

  it('whose rows are lost ends instead of blocking those behind it', async () => {
    const tenant = await test.tenant();
    const acknowledged = await whileLocked(tenant.tenantId, async () => {
      const waiting = await tenant.post(url, 'email\na@x.de', csv);
      await test.db.run(sql`delete from import_chunk where tenant_id = ${tenant.tenantId}`);
      return waiting;
    });
    expect((await tenant.done(acknowledged)).progress).toEqual({ done: 0, total: 1 });
  });

  it('that an older build acknowledged beside this one is applied too, and so is what comes behind it', async () => {
    const tenant = await test.tenant();
    const [imported, later] = await whileLocked(tenant.tenantId, async () => {
      const replies = [
        await tenant.post(url, numbered(3), csv),
        await tenant.post('/v1/contacts', { email: 'z@x.de' }),
      ];
      await test.db.run(sql`update write_transaction set is_long = false where tenant_id = ${tenant.tenantId}`);
      return replies as [Reply, Reply];
    });
    expect((await tenant.done(imported)).counts.CREATED).toBe(3);
    expect((await tenant.done(later)).data.results[0].status).toBe('CREATED');
  });

  it('belongs to its tenant', async () => {
    const [tenant, other] = [await test.tenant(), await test.tenant()];
    const acknowledged = await tenant.post(url, 'email\nbad', csv);
    await tenant.done(acknowledged);
    expect((await poll(other, acknowledged)).status).toBe('NOT_EXIST');
    expect((await errorsOf(other, acknowledged)).status).toBe(404);
    expect((await other.get('/v2/contacts')).body.pagination.totalElements).toBe(0);
    expect((await other.get(`/exports/transactions/${acknowledged.body.data.transactionId}/errors`)).status).toBe(404);
  });

  it('forgets the failed rows of a person who is erased', async () => {
    const tenant = await test.tenant();
    const long = 'x'.repeat(33_000);
    const acknowledged = await tenant.post(url, `email,long\na@x.de,\na@x.de,${long}`, csv);
    await tenant.done(acknowledged);
    expect((await errorsOf(tenant, acknowledged)).text).toContain('a@x.de');
    const { id } = (await tenant.get('/v2/contacts/by-email/a@x.de')).body.data;
    await tenant.done(await tenant.delete(`/v2/contacts/${id}`));
    expect((await errorsOf(tenant, acknowledged)).text).not.toContain('a@x.de');
  });
});

describe('erasure', () => {
  it('reaches into rows that wait, of imports that were acknowledged before it and not of later ones', async () => {
    const tenant = await test.tenant();
    const made = await tenant.done(await tenant.post('/v1/contacts', { email: 'gone@x.de' }));
    const { contactId } = made.data.results[0];
    const [earlier, erased, later] = await whileLocked(tenant.tenantId, async () => [
      await tenant.post(url, `${numbered(4000)}\n GONE@x.de,2\n`, csv),
      await tenant.delete(`/v2/contacts/${contactId}`),
      await tenant.post(url, 'email,n\nback@x.de,1\n', csv),
    ]);
    // The erasure passes the import, as every later write passes a large one.
    expect((await tenant.done(erased)).data.results[0].status).toBe('UPDATED');
    expect((await tenant.done(earlier)).counts).toEqual({ CREATED: 4000, UPDATED: 0, NO_CHANGE: 0, FAILED: 1 });
    expect((await tenant.done(later)).counts.CREATED).toBe(1);
    expect((await tenant.get('/v2/contacts/by-email/gone@x.de')).status).toBe(400);
    expect((await errorsOf(tenant, earlier)).text.toLowerCase()).not.toContain('gone@x.de');
  });
});
