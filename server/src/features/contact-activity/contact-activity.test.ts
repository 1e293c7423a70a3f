// What came of the mail to a contact, and the same merged with what the contact did.
import { beforeAll, describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../test/app.js';
import { type MarketingRow, makeContact, makeUser, sendEvents, storeMarketing } from '../../../test/events.js';

const t = useApp({ work: true });
let tenant: TenantClient;
let ada = '';
let quiet = '';
let theirs = '';

const journeyId = 'a1'.repeat(12);
const emailId = 'b2'.repeat(12);
const day = (n: number, time = '00:00:00.000') =>
  `2026-${n > 30 ? '11' : '10'}-${String(n > 30 ? n - 30 : n).padStart(2, '0')}T${time}Z`;
const bare = {
  journeyId: null,
  journeyRunId: null,
  emailId: null,
  emailSubject: null,
  linkUrl: null,
  isMachine: false,
};
/** In the order of arrival, which is not that of their dates. */
const marketing: MarketingRow[] = [
  { ...bare, eventName: 'delivered', eventDate: day(11) },
  {
    ...bare,
    eventName: 'sent',
    eventDate: day(10),
    emailId,
    emailSubject: 'Welcome, Ada',
    journeyId,
    journeyRunId: 'run 1',
  },
  { ...bare, eventName: 'clicked', eventDate: day(31), emailId, linkUrl: 'https://example.com/?a=1&b="2"' },
  { ...bare, eventName: 'opened', eventDate: day(31), isMachine: true },
  { ...bare, eventName: 'bounced', eventDate: day(12) },
  { ...bare, eventName: 'unsubscribed', eventDate: day(13) },
  { ...bare, eventName: 'complained', eventDate: day(14) },
];
const newestFirst = ['opened', 'clicked', 'complained', 'unsubscribed', 'bounced', 'delivered', 'sent'];
const product = [
  { userId: 'ada-1', orgId: null, eventName: 'login', eventDate: day(12, '12:00:00.000'), eventProperties: { a: 1 } },
  { userId: 'ada-1', orgId: 'acme', eventName: 'export', eventDate: day(35), eventProperties: {} },
];
const merged = ['export', 'opened', 'clicked', 'complained', 'unsubscribed', 'login', 'bounced', 'delivered', 'sent'];
const namesOf = ({ body }: Reply): string[] => body.data.map((row: { eventName: string }) => row.eventName);

beforeAll(async () => {
  tenant = await t.tenant();
  ada = await makeUser(tenant, 'ada@x.io', 'ada-1');
  quiet = await makeContact(tenant, 'quiet@x.io');
  await tenant.post('/v2/organizations', { orgId: 'acme', name: 'Acme' });
  await storeMarketing(t, tenant.tenantId, ada, marketing);
  await sendEvents(tenant, product);
  const other = await t.tenant();
  theirs = await makeContact(other, 'theirs@x.io');
  await storeMarketing(t, other.tenantId, theirs, marketing);
});

const reads: [string, string, string[]][] = [
  ['v1', 'marketing-activity', newestFirst],
  ['v2', 'marketing-activity', newestFirst],
  ['v2', 'activity', merged],
];

describe.each(reads)('GET /%s/contacts/{id}/%s', (version, name, all) => {
  const path = (id: string, query = '') => `/${version}/contacts/${id}/${name}${query && `?${query}`}`;
  const read = (query = '') => tenant.get(path(ada, query));

  it('answers a page in the envelope, newest first, the later arrival first at equal times', async () => {
    const reply = await read();
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ errors: [], meta: { status: 'SUCCESS' } });
    expect(reply.body.pagination).toEqual({ pageNumber: 1, pageSize: 20, totalElements: all.length, totalPages: 1 });
    expect(namesOf(reply)).toEqual(all);
  });

  it('pages with exact totals', async () => {
    const totalPages = Math.ceil(all.length / 2);
    for (let page = 1; page <= totalPages + 1; page++) {
      const reply = await read(`pageSize=2&pageNumber=${page}`);
      expect(reply.body.pagination).toEqual({ pageNumber: page, pageSize: 2, totalElements: all.length, totalPages });
      expect(namesOf(reply)).toEqual(all.slice((page - 1) * 2, page * 2));
    }
    const past = (await read('pageNumber=2147483647&pageSize=200')).body;
    expect([past.data, past.pagination.totalElements]).toEqual([[], all.length]);
  });

  it('reads a window with both ends, to the millisecond', async () => {
    const from = (start: string, end: string) => read(`startTime=${start}&endTime=${end}`);
    const bounds = all.slice(all.indexOf('complained'), all.indexOf('bounced') + 1);
    expect(namesOf(await from(day(12), day(14)))).toEqual(bounds);
    expect(namesOf(await from(day(12, '00:00:00.001'), day(13, '23:59:59.999')))).toEqual(bounds.slice(1, -1));
    expect(namesOf(await from('2026-10-31T17:00:00+17:00', day(31)))).toEqual(['opened', 'clicked']);
    expect((await from(day(14), day(13))).body).toMatchObject({
      data: [],
      pagination: { totalElements: 0, totalPages: 0 },
    });
  });

  it('is empty for a contact without activity', async () => {
    const { status, body } = await tenant.get(path(quiet));
    expect([status, body.data, body.pagination.totalPages]).toEqual([200, [], 0]);
  });

  it('answers an unknown contact with 400 BAS-E-002: never there, malformed, or another tenant’s', async () => {
    for (const id of ['0'.repeat(32), 'x', '%00', ada.toUpperCase(), theirs]) {
      const { status, body } = await tenant.get(path(id));
      expect([status, body.errors[0].errorCode, body.data, body.meta.status]).toEqual([
        400,
        'BAS-E-002',
        null,
        'FAILURE',
      ]);
    }
  });

  it.each([
    ...['0', '201', '1.5', 'abc', ''].map((value) => `pageSize=${value}`),
    ...['0', '2147483648', '-1', ''].map((value) => `pageNumber=${value}`),
    ...['never', '', '2026-02-30'].flatMap((value) => [`startTime=${value}`, `endTime=${value}`]),
    ...['pageSize=1&pageSize=1', 'startTime=2026-01-01&startTime=2026-01-01'],
  ])('refuses %s', async (query) => {
    const { status, body } = await read(query);
    expect([status, body.errors[0].errorCode]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('refuses a bad query before it looks for the contact', async () => {
    const { body } = await tenant.get(path('x', 'pageSize=0'));
    expect(body.errors[0].errorCode).toBe('VALIDATION_ERROR');
  });

  it('ignores snake_case and whatever it does not know', async () => {
    const reply = await read('page_size=1&page_number=7&start_time=x&eventName=sent&kind=product');
    expect(namesOf(reply)).toEqual(all);
  });
});

describe('marketing activity', () => {
  it.each(['v1', 'v2'])('in %s shows eight fields, null where there is nothing', async (version) => {
    const { body } = await tenant.get(`/${version}/contacts/${ada}/marketing-activity`);
    const expected = newestFirst.map((name) => marketing.find((row) => row.eventName === name));
    expect(body.data).toEqual(expected);
  });
});

describe('combined activity', () => {
  it('exists only in /v2', async () => {
    const { status, body } = await tenant.get(`/v1/contacts/${ada}/activity`);
    expect([status, body.errors[0].errorCode]).toEqual([404, 'NOT_FOUND']);
  });

  it('shows each row as its own read does, with its kind and no field of the other kind', async () => {
    const { data } = (await tenant.get(`/v2/contacts/${ada}/activity`)).body;
    const expected = merged.map((name) => {
      const done = product.find((row) => row.eventName === name);
      if (done) return { kind: 'product', ...done };
      return { kind: 'marketing', ...marketing.find((row) => row.eventName === name) };
    });
    expect(data).toEqual(expected);
  });

  it('has only one kind if there is only one', async () => {
    const id = await makeContact(tenant, 'one@x.io');
    await sendEvents(tenant, [{ email: 'one@x.io', eventName: 'a', eventDate: '2026-01-01' }]);
    const path = `/v2/contacts/${id}/activity`;
    expect((await tenant.get(path)).body).toMatchObject({
      data: [{ kind: 'product' }],
      pagination: { totalElements: 1 },
    });
    const two = await makeContact(tenant, 'two@x.io');
    await storeMarketing(t, tenant.tenantId, two, [{ eventName: 'sent', eventDate: '2026-01-01T00:00:00.000Z' }]);
    const { body } = await tenant.get(`/v2/contacts/${two}/activity`);
    expect(body).toMatchObject({ data: [{ kind: 'marketing' }], pagination: { totalElements: 1 } });
  });

  it('merges rows of one moment, and of one number, without losing one', async () => {
    const id = await makeContact(tenant, 'same@x.io');
    const eventDate = '2026-03-01T00:00:00.000Z';
    const rows = Array.from({ length: 30 }, () => ({ eventName: 'opened', eventDate }));
    await storeMarketing(t, tenant.tenantId, id, rows);
    await sendEvents(tenant, Array(30).fill({ email: 'same@x.io', eventName: 'a', eventDate }));
    const kinds = [];
    for (let page = 1; page <= 9; page++) {
      const { data, pagination } = (await tenant.get(`/v2/contacts/${id}/activity?pageSize=7&pageNumber=${page}`)).body;
      expect(pagination).toMatchObject({ totalElements: 60, totalPages: 9 });
      kinds.push(...data.map((row: { kind: string }) => row.kind));
    }
    expect(kinds).toHaveLength(60);
    expect(kinds.filter((kind) => kind === 'product')).toHaveLength(30);
  });
});
