// Every sentence of the specification about product activity, for both versions.
import { beforeAll, describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../test/app.js';
import { makeContact, makeUser, sendEvents } from '../../../test/events.js';

const t = useApp({ work: true });
let tenant: TenantClient;
/** With 45 events: one an hour from noon on 2026-10-30, so that they span two months. */
let ada = '';
let quiet = '';
const total = 45;
const hour = 3_600_000;
const first = Date.parse('2026-10-30T12:00:00.000Z');
const at = (n: number) => new Date(first + n * hour).toISOString();
const numbers = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, i) => `event ${from - i}`);
const namesOf = ({ body }: Reply): string[] => body.data.map((row: { eventName: string }) => row.eventName);

beforeAll(async () => {
  tenant = await t.tenant();
  ada = await makeUser(tenant, 'ada@x.io', 'ada-1');
  quiet = await makeContact(tenant, 'quiet@x.io');
  await tenant.post('/v2/organizations', { orgId: 'acme', name: 'Acme' });
  // Not in the order of their dates: 7 and 45 have no common divisor.
  const shuffled = Array.from({ length: total }, (_, i) => (i * 7) % total);
  await sendEvents(
    tenant,
    shuffled.map((n) => ({ userId: 'ada-1', eventName: `event ${n}`, eventDate: at(n) })),
  );
});

describe.each(['v1', 'v2'])('GET /%s/contacts/{id}/product-activity', (version) => {
  const path = (id: string, query = '') => `/${version}/contacts/${id}/product-activity${query && `?${query}`}`;
  const read = (query = '') => tenant.get(path(ada, query));

  it('answers events in the envelope, newest first, 20 on the first page by default', async () => {
    const reply = await read();
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.body).sort()).toEqual(['data', 'errors', 'meta', 'pagination']);
    expect(reply.body.errors).toEqual([]);
    expect(reply.body.meta).toEqual({ status: 'SUCCESS', timestamp: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) });
    expect(reply.body.pagination).toEqual({ pageNumber: 1, pageSize: 20, totalElements: total, totalPages: 3 });
    expect(namesOf(reply)).toEqual(numbers(44, 25));
  });

  it('shows user, organization, name, date and properties of an event, and nothing else', async () => {
    const person = await makeUser(tenant, `shape-${version}@x.io`, `shape-${version}`);
    const eventProperties = { plan: 'pro', seats: 3, ok: true, none: null, list: [1, 'a', {}], deep: { a: { b: [] } } };
    const eventDate = '2026-11-15T10:30:00.007+01:00';
    await sendEvents(tenant, [
      { userId: `shape-${version}`, orgId: 'acme', eventName: 'signup', eventDate, eventProperties },
      { email: `shape-${version}@x.io`, eventName: 'login', eventDate },
    ]);
    const { body } = await tenant.get(path(person));
    expect(body.data).toEqual([
      { userId: null, orgId: null, eventName: 'login', eventDate: '2026-11-15T09:30:00.007Z', eventProperties: {} },
      {
        userId: `shape-${version}`,
        orgId: 'acme',
        eventName: 'signup',
        eventDate: '2026-11-15T09:30:00.007Z',
        eventProperties,
      },
    ]);
  });

  it('is empty for a contact without activity', async () => {
    const { status, body } = await tenant.get(path(quiet));
    expect([status, body.data, body.meta.status]).toEqual([200, [], 'SUCCESS']);
    expect(body.pagination).toEqual({ pageNumber: 1, pageSize: 20, totalElements: 0, totalPages: 0 });
  });

  it('is empty for an unknown contact, a malformed id, and another tenant’s contact', async () => {
    const other = await t.tenant();
    await makeContact(other, 'theirs@x.io');
    const theirs = (await other.get('/v1/contacts/by-email/theirs@x.io')).body.data.id;
    await sendEvents(other, [{ email: 'theirs@x.io', eventName: 'a' }]);
    const dashed = ada.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    for (const id of ['0'.repeat(32), 'f'.repeat(32), 'x', '%00', ada.toUpperCase(), dashed, `${ada}0`, theirs]) {
      const { status, body } = await tenant.get(path(id, 'pageNumber=2&pageSize=7'));
      expect([status, body.data, body.meta.status]).toEqual([200, [], 'SUCCESS']);
      expect(body.pagination).toEqual({ pageNumber: 2, pageSize: 7, totalElements: 0, totalPages: 0 });
    }
    expect((await other.get(path(theirs))).body.pagination.totalElements).toBe(1);
  });

  it('checks the query of an unknown contact too', async () => {
    expect((await tenant.get(path('x', 'pageSize=201'))).status).toBe(400);
  });

  it('goes through all events once, page by page, across months', async () => {
    for (const size of [1, 7, 44, 45, 200]) {
      const pages = Math.ceil(total / size);
      const seen = [];
      for (let page = 1; page <= pages; page++) {
        const reply = await read(`pageSize=${size}&pageNumber=${page}`);
        expect(reply.body.pagination).toEqual({
          pageNumber: page,
          pageSize: size,
          totalElements: total,
          totalPages: pages,
        });
        seen.push(...namesOf(reply));
      }
      expect(seen).toEqual(numbers(44, 0));
    }
  });

  it.each([
    ['pageNumber=4', 4, 20],
    ['pageNumber=2147483647', 2_147_483_647, 20],
    ['pageNumber=2147483647&pageSize=200', 2_147_483_647, 200],
  ])('answers a page past the end (%s) with no rows and true totals', async (query, pageNumber, pageSize) => {
    const { status, body } = await read(query);
    expect([status, body.data]).toEqual([200, []]);
    const totalPages = Math.ceil(total / pageSize);
    expect(body.pagination).toEqual({ pageNumber, pageSize, totalElements: total, totalPages });
  });

  it.each([
    ...['0', '-1', '2147483648', '1.5', 'abc', '', '1e1', '%201'].map((value) => `pageNumber=${value}`),
    ...['0', '-1', '201', '2147483648', '1.5', 'abc', '', '٣'].map((value) => `pageSize=${value}`),
    ...['pageNumber=1&pageNumber=1', 'pageSize=5&pageSize=6', 'pageSize=5&page%53ize=5'],
    ...['startTime=2026-11-01&startTime=2026-11-01', 'endTime=2026-11-01&endTime=2026-11-02'],
    ...[
      '',
      'abc',
      '1',
      '2026',
      '2026-13-01',
      '2026-02-30',
      '2025-02-29',
      '2026-11-15T25:00:00Z',
      '2026-11-15T09:30Z',
    ].flatMap((value) => [`startTime=${value}`, `endTime=${value}`]),
    ...[
      '1763193600',
      '0000-01-01',
      '10000-01-01',
      '2026-11-15T09:30:00+24:00',
      'infinity',
      '-infinity',
      'now',
      '%00',
    ].map((value) => `endTime=${value}`),
  ])('refuses %s', async (query) => {
    const { status, body } = await read(query);
    expect(status).toBe(400);
    expect(body).toMatchObject({ data: null, meta: { status: 'FAILURE' } });
    expect(body).not.toHaveProperty('pagination');
    expect(body.errors).toEqual([
      {
        errorCode: 'VALIDATION_ERROR',
        message: expect.any(String),
        detail: /^(pageNumber|pageSize|startTime|endTime)/.exec(query)?.[0],
      },
    ]);
  });

  it.each([
    'page_number=2&page_size=1',
    'start_time=2026-11-01&end_time=2026-11-01',
    'page_size=0&start_time=nonsense',
    'pageSize[]=0&startTime[]=x&unknown=1&unknown=2',
    'folderId=x&search=event+1&eventName=login&size=1&limit=1&to=2020-01-01',
    'broken=%zz',
  ])('ignores what it does not know, snake_case among it: %s', async (query) => {
    const { status, body } = await read(query);
    expect(status).toBe(200);
    expect(body.pagination).toEqual({ pageNumber: 1, pageSize: 20, totalElements: total, totalPages: 3 });
  });

  describe('in a window', () => {
    const inWindow = async (query: string) => {
      const reply = await read(`pageSize=200&${query}`);
      expect(reply.status).toBe(200);
      expect(reply.body.pagination.totalElements).toBe(reply.body.data.length);
      return namesOf(reply);
    };

    it('counts both ends in, to the millisecond', async () => {
      expect(await inWindow(`startTime=${at(3)}`)).toEqual(numbers(44, 3));
      expect(await inWindow(`endTime=${at(3)}`)).toEqual(numbers(3, 0));
      expect(await inWindow(`startTime=${at(3)}&endTime=${at(5)}`)).toEqual(numbers(5, 3));
      expect(await inWindow(`startTime=${at(3)}&endTime=${at(3)}`)).toEqual(['event 3']);
      const [before, after] = [-1, 1].map((ms) => new Date(first + 3 * hour + ms).toISOString());
      expect(await inWindow(`startTime=${after}`)).toEqual(numbers(44, 4));
      expect(await inWindow(`endTime=${before}`)).toEqual(numbers(2, 0));
      expect(await inWindow(`startTime=${before}&endTime=${after}`)).toEqual(['event 3']);
    });

    it('counts both ends in where a month begins', async () => {
      // Events 36 and later are in November.
      expect(at(36)).toBe('2026-11-01T00:00:00.000Z');
      expect(await inWindow('startTime=2026-11-01')).toEqual(numbers(44, 36));
      expect(await inWindow('endTime=2026-11-01')).toEqual(numbers(36, 0));
      expect(await inWindow('endTime=2026-10-31T23:59:59.999Z')).toEqual(numbers(35, 0));
      expect(await inWindow('startTime=2026-10-31T23:59:59.999Z&endTime=2026-11-01')).toEqual(['event 36']);
      expect(await inWindow('startTime=2026-11-01&endTime=2026-11-30')).toEqual(numbers(44, 36));
    });

    it('reads times with any offset, without one as UTC, and a date as its midnight', async () => {
      // Event 24 is at 2026-10-31T12:00:00Z.
      for (const noon of [
        '2026-10-31T12:00:00Z',
        '2026-10-31t12:00:00.000z',
        '2026-10-31T12:00:00',
        '2026-10-31T12:00:00.0009Z',
        '2026-10-31T17:30:00%2B05:30',
        '2026-10-31T17:30:00+05:30',
        '2026-10-31T04:00:00-08:00',
      ])
        expect(await inWindow(`startTime=${noon}&endTime=${noon}`), noon).toEqual(['event 24']);
      expect(await inWindow('startTime=2026-10-31&endTime=2026-10-31')).toEqual(['event 12']);
    });

    it('takes the first and the last moment there are', async () => {
      const all = numbers(44, 0);
      expect(await inWindow('startTime=0001-01-01')).toEqual(all);
      expect(await inWindow('endTime=9999-12-31T23:59:59.999Z')).toEqual(all);
      expect(await inWindow('startTime=0001-01-01&endTime=9999-12-31T23:59:59.999Z')).toEqual(all);
    });

    it('is empty when it starts after its end, or holds nothing', async () => {
      expect(await inWindow(`startTime=${at(5)}&endTime=${at(4)}`)).toEqual([]);
      expect(await inWindow('startTime=9999-12-31&endTime=0001-01-01')).toEqual([]);
      expect(await inWindow('startTime=2020-01-01&endTime=2020-12-31')).toEqual([]);
      const { pagination } = (await read('startTime=2027-01-01&pageNumber=3')).body;
      expect(pagination).toEqual({ pageNumber: 3, pageSize: 20, totalElements: 0, totalPages: 0 });
    });

    it('pages what is in it', async () => {
      const window = `startTime=${at(30)}&endTime=${at(40)}`;
      const seen = [];
      for (const page of [1, 2, 3, 4]) {
        const reply = await read(`${window}&pageSize=4&pageNumber=${page}`);
        expect(reply.body.pagination).toEqual({ pageNumber: page, pageSize: 4, totalElements: 11, totalPages: 3 });
        seen.push(namesOf(reply));
      }
      expect(seen).toEqual([numbers(40, 37), numbers(36, 33), numbers(32, 30), []]);
    });
  });

  it('lists events of the same time by arrival, the latest first', async () => {
    const email = `ties-${version}@x.io`;
    const person = await makeContact(tenant, email);
    const event = (eventName: string, eventDate = '2026-06-01') => ({ email, eventName, eventDate });
    await sendEvents(tenant, [event('1'), event('2'), event('0', '2026-05-31T23:59:59.999Z')]);
    await sendEvents(tenant, [event('3'), event('4')]);
    expect(namesOf(await tenant.get(path(person)))).toEqual(['4', '3', '2', '1', '0']);
    expect(namesOf(await tenant.get(path(person, 'pageSize=2&pageNumber=2')))).toEqual(['2', '1']);
  });

  it('reaches pages far from the start', async () => {
    const email = `many-${version}@x.io`;
    const person = await makeContact(tenant, email);
    const events = Array.from({ length: 1000 }, (_, i) => ({
      email,
      eventName: `event ${i}`,
      eventDate: new Date(first - (999 - i) * 60_000).toISOString(),
    }));
    await sendEvents(tenant, events);
    const page = (number: number) => tenant.get(path(person, `pageSize=150&pageNumber=${number}`));
    expect(namesOf(await page(4))).toEqual(numbers(549, 400));
    expect(namesOf(await page(7))).toEqual(numbers(99, 0));
    expect((await page(7)).body.pagination).toMatchObject({ totalElements: 1000, totalPages: 7 });
    expect(namesOf(await page(8))).toEqual([]);
  });
});

it('answers HEAD, trailing slashes and wrong methods like every read', async () => {
  const path = `/v2/contacts/${ada}/product-activity`;
  expect(await tenant.send('HEAD', path)).toMatchObject({ status: 200, text: '' });
  expect((await tenant.get(`${path}/`)).body.data).toHaveLength(20);
  const wrong = await tenant.post(path, {});
  expect([wrong.status, wrong.body.errors[0].errorCode]).toEqual([405, 'METHOD_NOT_ALLOWED']);
});

it('answers the same in both versions', async () => {
  const [v1, v2] = await Promise.all(['v1', 'v2'].map((v) => tenant.get(`/${v}/contacts/${ada}/product-activity`)));
  expect(v1?.body.data).toEqual(v2?.body.data);
});
