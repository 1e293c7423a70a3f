// What a column plan can say besides properties and topics: dates, lists to join, and addresses that must get no mail.
import { describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../../test/app.js';
import { csv, errorsOf, url } from '../../../../test/imports.js';

const t = useApp({ work: true });

async function bring(tenant: TenantClient, columns: string, ...lines: string[]): Promise<Reply> {
  const acknowledged = await tenant.post(`${url}?columns=${columns}`, lines.join('\n'), csv);
  await tenant.done(acknowledged);
  return acknowledged;
}

const countsOf = async (tenant: TenantClient, { body }: Reply) =>
  (await tenant.get(`/v2/imports/${body.data.transactionId}`)).body.data.counts;
const propertiesOf = async (tenant: TenantClient, email: string) =>
  (await tenant.get(`/v2/contacts/by-email/${email}`)).body.data.properties;
const newList = async (tenant: TenantClient, name: string): Promise<string> =>
  (await tenant.post('/v1/lists', { name })).body.data.staticListId;
const membersOf = async (tenant: TenantClient, id: string): Promise<string[]> =>
  (await tenant.get(`/v1/lists/${id}/members`)).body.data.map(({ email }: { email: string }) => email);
const suppressed = async (tenant: TenantClient): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await tenant.get('/v2/suppressions')).body.data.map((each: { email: string; reason: string }) => [
      each.email,
      each.reason,
    ]),
  );

describe('a column of dates', () => {
  it('takes dates and times, leaves an empty cell alone, and fails a row with anything else', async () => {
    const tenant = await t.tenant();
    const lines = ['a@x.de, 2026-04-03 ', 'b@x.de,2026-04-03T09:30:00+02:00', 'c@x.de,', 'd@x.de,31/02/2026'];
    const acknowledged = await bring(tenant, 'email,signed_up:date', 'E-Mail,Signup', ...lines);
    expect(await countsOf(tenant, acknowledged)).toMatchObject({ CREATED: 3, FAILED: 1 });
    expect(await propertiesOf(tenant, 'a@x.de')).toEqual({ signed_up: '2026-04-03' });
    expect(await propertiesOf(tenant, 'b@x.de')).toEqual({ signed_up: '2026-04-03T09:30:00+02:00' });
    expect(await propertiesOf(tenant, 'c@x.de')).toEqual({});
    expect((await errorsOf(tenant, acknowledged)).text).toBe(
      'E-Mail,Signup,_error\r\nd@x.de,31/02/2026,"row 5: signed_up must be a date such as 2026-04-03 or 2026-04-03T09:30:00Z, not ""31/02/2026""."\r\n',
    );
  });

  it('is told with the import, and not where nothing was said', async () => {
    const tenant = await t.tenant();
    const { body } = await bring(tenant, 'email,signed_up:date', 'E-Mail,Signup', 'a@x.de,2026-04-03');
    const path = `/v2/imports/${body.data.transactionId}`;
    expect((await tenant.get(path)).body.data.columns).toBe('email,signed_up:date');
    const plain = await tenant.post(url, 'email\na@x.de', csv);
    await tenant.done(plain);
    expect((await tenant.get(`/v2/imports/${plain.body.data.transactionId}`)).body.data).not.toHaveProperty('columns');
  });
});

describe('a column of a list', () => {
  it('adds those who say yes, new ones and old ones, once', async () => {
    const tenant = await t.tenant();
    const [vip, news] = [await newList(tenant, 'VIP'), await newList(tenant, 'News')];
    await tenant.done(await tenant.post('/v2/contacts', { email: 'old@x.de' }));
    const lines = ['new@x.de,yes,YES', 'old@x.de,yes,no', 'none@x.de,,', 'new@x.de,yes,'];
    const columns = `email,list:${vip},list:${news}`;
    const acknowledged = await bring(tenant, columns, 'E-Mail,VIP,News', ...lines);
    expect((await membersOf(tenant, vip)).sort()).toEqual(['new@x.de', 'old@x.de']);
    expect(await membersOf(tenant, news)).toEqual(['new@x.de']);
    expect(await countsOf(tenant, acknowledged)).toEqual({ CREATED: 2, UPDATED: 0, NO_CHANGE: 2, FAILED: 0 });
    expect((await tenant.get(`/v1/lists/${vip}`)).body.data.numRecords).toBe(2);
  });

  it('fails rows that say neither yes nor no, or name a list that is gone or of another tenant, and no others', async () => {
    const [tenant, other] = [await t.tenant(), await t.tenant()];
    const gone = await newList(tenant, 'Gone');
    await tenant.delete(`/v1/lists/${gone}`);
    const theirs = await newList(other, 'Theirs');
    for (const id of [gone, theirs, '0'.repeat(24)]) {
      const lines = ['a@x.de,yes', 'b@x.de,no', 'c@x.de,', 'd@x.de,maybe'];
      const acknowledged = await bring(tenant, `email,list:${id}`, 'email,L', ...lines);
      expect((await errorsOf(tenant, acknowledged)).text).toBe(
        `email,L,_error\r\na@x.de,yes,"row 2: No static list has the id ""${id}""."\r\n` +
          'd@x.de,maybe,"row 5: The column of a list must say yes, no or nothing, not ""maybe""."\r\n',
      );
    }
    expect(await membersOf(other, theirs)).toEqual([]);
    expect((await tenant.get('/v2/contacts/by-email/a@x.de')).status).toBe(400);
  });
});

describe('a column of suppressions', () => {
  it('suppresses addresses for their reasons; a weaker reason changes nothing', async () => {
    const tenant = await t.tenant();
    await tenant.put('/v2/suppressions/bob@x.de', { reason: 'complained' });
    await tenant.done(await tenant.post('/v2/contacts', { email: 'old@x.de' }));
    const lines = ['ada@x.de,Unsubscribed', 'bob@x.de,bounced', 'cid@x.de,', 'old@x.de,unsubscribed', 'dan@x.de,spam'];
    const acknowledged = await bring(tenant, 'email,suppress:reason', 'email,Status', ...lines);
    expect(await countsOf(tenant, acknowledged)).toMatchObject({ CREATED: 3, NO_CHANGE: 1, FAILED: 1 });
    expect(await suppressed(tenant)).toEqual({
      'ada@x.de': 'unsubscribed',
      'bob@x.de': 'complained',
      'old@x.de': 'unsubscribed',
    });
    for (const email of ['ada@x.de', 'old@x.de'])
      await expect.poll(() => propertiesOf(tenant, email)).toEqual({ unsubscribed: true });
    expect((await errorsOf(tenant, acknowledged)).text).toContain('dan@x.de,spam,"row 6: The reason to send no mail');
  });

  it('suppresses an address whose row fails for another reason, but never one that is no address', async () => {
    const tenant = await t.tenant();
    const lines = ['ada@x.de,bounced,tomorrow', 'nobody,bounced,2026-01-01'];
    const acknowledged = await bring(tenant, 'email,suppress:reason,due:date', 'email,Status,Due', ...lines);
    expect(await countsOf(tenant, acknowledged)).toMatchObject({ CREATED: 0, FAILED: 2 });
    expect(await suppressed(tenant)).toEqual({ 'ada@x.de': 'bounced' });
  });
});

it.each([
  ['a list that is no id', 'email,list:vip'],
  ['a status that is not about the reason', 'email,suppress:why'],
  ['a date without a key', 'email,:date'],
])('refuses %s in `columns`', async (_what, columns) => {
  const tenant = await t.tenant();
  const { status, body } = await tenant.post(`${url}?columns=${columns}`, 'email,x\na@x.de,yes', csv);
  expect([status, body.errors[0].detail]).toEqual([400, 'columns']);
});

it('means nothing in JSON lines, whose keys are those of the caller', async () => {
  const tenant = await t.tenant();
  const line = { email: 'a@x.de', lists: ['x'], reason: 'bounced', fault: 'no' };
  await tenant.done(await tenant.post(url, JSON.stringify(line), { 'content-type': 'application/x-ndjson' }));
  expect((await tenant.get('/v2/contacts/by-email/a@x.de')).status).toBe(200);
  expect(await suppressed(tenant)).toEqual({});
});
