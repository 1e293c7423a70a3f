// POST /v2/events: what is taken, what is refused, and what a poll says of it.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../test/app.js';
import { eventsDone, makeContact, makeUser, readEvents, sendEvents, statusesOf } from '../../../test/events.js';
import { sql } from '../../db/sql.js';
import { parseJson } from '../../lib/parse-json.js';
import { contactApplier } from '../contacts/index.js';
import { Appliers, serveTenant } from '../transactions/index.js';
import { userApplier } from '../users/apply-writes.js';
import { eventApplier } from './apply-events.js';
import { KeySweeper } from './event-keys.js';

const t = useApp({ work: true });
/** Applies nothing by itself: what is pending stays so until a test says otherwise. */
const idle = useApp();
const appliers = new Appliers();
appliers.onApply(contactApplier([]));
appliers.onApply(userApplier);
appliers.onApply(eventApplier(() => undefined));
const serve = (tenant: TenantClient) => serveTenant(idle.db, appliers, tenant.tenantId);
const poll = async (tenant: TenantClient, { body }: Reply) =>
  (await tenant.get(`/v2/events/transactions/${body.data.transactionId}`)).body.data;

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const good = { email: 'ada@x.io', eventName: 'login' };

/** A tenant with the contact that `good` names; answers the contact's id too. */
async function tenantWithAda(): Promise<{ tenant: TenantClient; ada: string }> {
  const tenant = await t.tenant();
  return { tenant, ada: await makeContact(tenant, 'ada@x.io') };
}

async function idleTenantWithAda(): Promise<TenantClient> {
  const tenant = await idle.tenant();
  await tenant.post('/v1/contacts', { email: 'ada@x.io' });
  await serve(tenant);
  return tenant;
}

describe('POST /events', () => {
  it('is acknowledged like a contact write, and polled until every event has its outcome', async () => {
    const tenant = await idleTenantWithAda();
    const reply = await tenant.post('/v2/events', {
      events: [{ ...good, eventId: 'e-1' }, good, { eventId: 'e-3' }],
    });
    expect(reply.status).toBe(200);
    expect(reply.body).toMatchObject({ errors: [], meta: { status: 'SUCCESS' } });
    expect(reply.body.data).toEqual({
      transactionId: expect.stringMatching(
        new RegExp(`^${tenant.tenantId}-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`),
      ),
      status: 'PENDING',
      createdAt: expect.stringMatching(isoTime),
    });
    expect(await poll(tenant, reply)).toEqual(reply.body.data);
    await serve(tenant);
    expect(await poll(tenant, reply)).toEqual({
      ...reply.body.data,
      status: 'DONE',
      results: [
        { eventId: 'e-1', status: 'STORED' },
        { eventId: null, status: 'STORED' },
        { eventId: 'e-3', status: 'FAILED', error: 'eventName is required.' },
      ],
    });
  });

  it('does not exist in /v1, and answers other methods with 405', async () => {
    const tenant = await t.tenant();
    const v1 = await tenant.post('/v1/events', { events: [good] });
    expect([v1.status, v1.body.errors[0].errorCode]).toEqual([404, 'NOT_FOUND']);
    expect((await tenant.get('/v1/events/transactions/x')).status).toBe(404);
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const reply = await tenant.send(method, '/v2/events');
      expect([reply.status, reply.body.errors[0].errorCode]).toEqual([405, 'METHOD_NOT_ALLOWED']);
      expect(reply.headers.allow).toBe('GET, HEAD, POST');
    }
  });

  it.each([
    ['no body', undefined],
    ['no events', {}],
    ['null', { events: null }],
    ['an empty list', { events: [] }],
    ['an object', { events: { 0: good } }],
    ['a list as the body', [good]],
    ['1,001 events', { events: Array(1001).fill(good) }],
    ['a key named __proto__', `{"events":[{"email":"ada@x.io","eventName":"a","eventProperties":{"__proto__":1}}]}`],
    [
      '10,000 levels',
      `{"events":[{"email":"ada@x.io","eventName":"a","eventProperties":${'{"a":'.repeat(1e4)}1${'}'.repeat(1e4)}}]}`,
    ],
    ['half of a JSON text', '{"events":[{"email":"ada@x.io",'],
  ])('refuses %s whole, and stores nothing', async (_, body) => {
    const { tenant, ada } = await tenantWithAda();
    const reply = await tenant.post('/v2/events', body);
    expect([reply.status, reply.body.errors[0].errorCode]).toEqual([400, 'VALIDATION_ERROR']);
    expect(await readEvents(tenant, ada)).toEqual([]);
  });

  it('takes 1,000 events at once and lists them in the order they came', async () => {
    const { tenant, ada } = await tenantWithAda();
    const events = Array.from({ length: 1000 }, (_, i) => ({
      ...good,
      eventName: `event ${i}`,
      eventId: `id ${i}`,
      eventDate: '2026-03-01T00:00:00Z',
    }));
    const done = await sendEvents(tenant, events);
    expect(done.results).toEqual(events.map(({ eventId }) => ({ eventId, status: 'STORED' })));
    const names = (await readEvents(tenant, ada)).map((row) => row.eventName);
    expect(names).toEqual(events.map((event) => event.eventName).reverse());
    expect(statusesOf(await sendEvents(tenant, events))).toEqual(Array(1000).fill('DUPLICATE'));
    expect(await readEvents(tenant, ada)).toHaveLength(1000);
  });

  it('with an Idempotency-Key answers the same transaction again and stores once', async () => {
    const { tenant, ada } = await tenantWithAda();
    const key = { 'idempotency-key': 'k' };
    const first = await tenant.post('/v2/events', { events: [good] }, key);
    const again = await tenant.post('/v2/events', { events: [good] }, key);
    expect(first.headers).not.toHaveProperty('idempotency-replayed');
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(again.body.data).toEqual(first.body.data);
    const other = await tenant.post('/v2/events', { events: [good, good] }, key);
    expect([other.status, other.body.errors[0].errorCode]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
    await eventsDone(tenant, first);
    expect(await readEvents(tenant, ada)).toHaveLength(1);
  });

  it('ends a batch that the database refuses as FAILED, and applies the others', async () => {
    const tenant = await idleTenantWithAda();
    await idle.db.run(sql`alter table event add constraint poison check (event_name <> 'poison')`);
    const replies = [];
    for (const eventName of ['before', 'poison', 'after'])
      replies.push(await tenant.post('/v2/events', { events: [{ ...good, eventId: eventName, eventName }] }));
    for (let turns = 0; turns < 3; turns++) await serve(tenant);
    const outcomes = [];
    for (const reply of replies) outcomes.push((await poll(tenant, reply)).results[0]);
    expect(outcomes).toEqual([
      { eventId: 'before', status: 'STORED' },
      { eventId: 'poison', status: 'FAILED', error: expect.stringContaining('cannot be applied') },
      { eventId: 'after', status: 'STORED' },
    ]);
  });
});

it('ends a batch that cannot even be read as FAILED, and applies the others', async () => {
  const tenant = await idleTenantWithAda();
  const bad = await tenant.post('/v2/events', { events: [good, good] });
  await idle.db.run(
    sql`update write_transaction set payload = '{}' where tenant_id = ${tenant.tenantId} and kind like 'event%'`,
  );
  const later = await tenant.post('/v2/events', { events: [good] });
  for (let turns = 0; turns < 3; turns++) await serve(tenant);
  const failed = { eventId: null, status: 'FAILED', error: expect.stringContaining('cannot be applied') };
  expect((await poll(tenant, bad)).results).toEqual([failed, failed]);
  expect((await poll(tenant, later)).results).toMatchObject([{ status: 'STORED' }]);
});

describe('polling a batch of events', () => {
  it('does not know unknown ids, other tenants’ or other kinds of writes', async () => {
    const { tenant } = await tenantWithAda();
    const other = (await tenantWithAda()).tenant;
    const theirs = await sendEvents(other, [good]);
    const contact = await tenant.done(await tenant.post('/v1/contacts', { email: 'b@x.io' }));
    const user = await tenant.done(await tenant.post('/v2/users', { email: 'b@x.io' }));
    const uuid = theirs.transactionId.slice(-36);
    const ids = [
      'x',
      `${tenant.tenantId}-x`,
      `${tenant.tenantId}-00000000-0000-0000-0000-000000000000`,
      theirs.transactionId,
      `${tenant.tenantId}-${uuid}`,
      contact.transactionId,
      user.transactionId,
    ];
    for (const id of ids) {
      const { status, body } = await tenant.get(`/v2/events/transactions/${id}`);
      expect(status).toBe(200);
      expect(body.data).toEqual({ transactionId: id, status: 'NOT_EXIST' });
      expect(body.meta.status).toBe('SUCCESS');
    }
  });

  it('is done in its own place: the polls of contacts and users do not know events', async () => {
    const { tenant } = await tenantWithAda();
    const { transactionId } = await sendEvents(tenant, [good]);
    for (const path of ['/v1/contacts', '/v2/contacts', '/v2/users']) {
      const { status, body } = await tenant.get(`${path}/transactions/${transactionId}`);
      expect([status, body.data]).toEqual([200, { transactionId, status: 'NOT_EXIST' }]);
    }
  });
});

describe('an event', () => {
  let tenant: TenantClient;
  let ada = '';
  beforeAll(async () => {
    ({ tenant, ada } = await tenantWithAda());
    await makeUser(tenant, 'ada@x.io', 'ada-1');
    await tenant.post('/v2/organizations', { orgId: 'acme', name: 'Acme' });
  });

  const unicode = 'valid Unicode without NUL';
  const dated = 'eventDate must be an RFC 3339 time';
  const long = (bytes: number) => ({ a: 'x'.repeat(bytes - '{"a":""}'.length) });
  it.each<[string, unknown, string]>([
    ['is null', null, 'must be an object'],
    ['is a number', 7, 'must be an object'],
    ['is text', 'login', 'must be an object'],
    ['is a list', [good], 'must be an object'],
    ['is empty', {}, 'eventName is required'],
    ['has no name', { email: 'ada@x.io' }, 'eventName is required'],
    ['has a name of null', { ...good, eventName: null }, 'eventName is required'],
    ['has a number for a name', { ...good, eventName: 7 }, 'eventName must be a string'],
    ['has a name of 0 characters', { ...good, eventName: '' }, 'eventName must have 1 to 255'],
    ['has a blank name', { ...good, eventName: ' \t\n' }, 'eventName must have 1 to 255'],
    ['has a name of 256 characters', { ...good, eventName: 'x'.repeat(256) }, 'eventName must have 1 to 255'],
    ['has a name of 256 wide characters', { ...good, eventName: '😀'.repeat(256) }, 'eventName must have 1 to 255'],
    ['has NUL in its name', { ...good, eventName: 'a\0' }, unicode],
    ['has half a character in its name', { ...good, eventName: '\ud83d' }, unicode],
    ['names nobody', { eventName: 'a' }, 'must name a userId or an email'],
    ['names null', { eventName: 'a', userId: null, email: null }, 'must name a userId or an email'],
    ['has a number for a userId', { eventName: 'a', userId: 7 }, 'userId must be a string'],
    ['has an empty userId', { ...good, userId: '' }, 'userId must have 1 to 255'],
    ['has a userId of 256 characters', { ...good, userId: 'u'.repeat(256) }, 'userId must have 1 to 255'],
    ['has half a character in its userId', { ...good, userId: 'u\udc00' }, unicode],
    ['has a number for an email', { eventName: 'a', email: 7 }, 'email must be a string'],
    ['has an email that is none', { eventName: 'a', userId: 'ada-1', email: 'ada' }, 'not an email address'],
    ['has an empty email', { eventName: 'a', userId: 'ada-1', email: '' }, 'not an email address'],
    ['has a space in its email', { eventName: 'a', email: 'a da@x.io' }, 'not an email address'],
    ['has a line break in its email', { eventName: 'a', email: 'a\nda@x.io' }, 'not an email address'],
    ['has NUL in its email', { eventName: 'a', email: 'a\0da@x.io' }, 'not an email address'],
    ['has an email of 255', { eventName: 'a', email: `${'a'.repeat(250)}@x.io` }, 'not an email address'],
    ['names a user that is not there', { eventName: 'a', userId: 'nobody' }, 'No such user'],
    ['spells a user in other letters', { eventName: 'a', userId: 'ADA-1' }, 'No such user'],
    ['names an email that is not there', { eventName: 'a', email: 'nobody@x.io' }, 'No contact has this email'],
    ['names neither user nor email that is there', { eventName: 'a', userId: 'n', email: 'n@x.io' }, 'No contact'],
    ['names an organization that is not there', { ...good, orgId: 'nowhere' }, 'No such organization'],
    ['spells an organization in other letters', { ...good, orgId: 'Acme' }, 'No such organization'],
    ['has a number for an orgId', { ...good, orgId: 7 }, 'orgId must be a string'],
    ['has an empty orgId', { ...good, orgId: '' }, 'orgId must have 1 to 255'],
    ['has an orgId of 256 characters', { ...good, orgId: 'o'.repeat(256) }, 'orgId must have 1 to 255'],
    ['has NUL in its orgId', { ...good, orgId: 'acme\0' }, unicode],
    ['has a number for a date', { ...good, eventDate: 1_763_000_000_000 }, dated],
    ['has an empty date', { ...good, eventDate: '' }, dated],
    ['has a date in words', { ...good, eventDate: 'yesterday' }, dated],
    ['has a date with a space', { ...good, eventDate: '2026-11-15 09:30:00Z' }, dated],
    ['has the 30th of February', { ...good, eventDate: '2026-02-30' }, dated],
    ['has a leap day in a common year', { ...good, eventDate: '2025-02-29' }, dated],
    ['has a leap day in 1900', { ...good, eventDate: '1900-02-29' }, dated],
    ['has the hour 24', { ...good, eventDate: '2026-11-15T24:00:00Z' }, dated],
    ['has an offset of 24 hours', { ...good, eventDate: '2026-11-15T09:30:00+24:00' }, dated],
    ['is of the year 0', { ...good, eventDate: '0000-12-31' }, dated],
    ['is of the year 0 by its offset', { ...good, eventDate: '0001-01-01T00:00:00+00:01' }, dated],
    ['is of the year 10000', { ...good, eventDate: '10000-01-01' }, dated],
    ['is of the year 10000 by its offset', { ...good, eventDate: '9999-12-31T23:59:59.999-00:01' }, dated],
    ['has a list for properties', { ...good, eventProperties: [] }, 'eventProperties must be an object'],
    ['has text for properties', { ...good, eventProperties: '{}' }, 'eventProperties must be an object'],
    ['has NUL in a property', { ...good, eventProperties: { a: ['\0'] } }, unicode],
    ['has NUL in the name of a property', { ...good, eventProperties: { a: { '\0': 1 } } }, unicode],
    ['has half a character in a property', { ...good, eventProperties: { a: '\ud800' } }, unicode],
    ['has half a character in a property’s name', { ...good, eventProperties: { '\udfff': 1 } }, unicode],
    [
      'has properties of 32 KiB and a byte',
      { ...good, eventProperties: long(32_769) },
      'take 32769 bytes; at most 32768',
    ],
    ['has properties of 64 KiB', { ...good, eventProperties: long(65_536) }, 'take 65536 bytes; at most 32768'],
  ])('that %s is FAILED with its reason, and its neighbours are stored', async (_, bad, reason) => {
    const before = (await readEvents(tenant, ada)).length;
    const done = await sendEvents(tenant, [good, bad, good]);
    expect(done.results).toEqual([
      { eventId: null, status: 'STORED' },
      { eventId: null, status: 'FAILED', error: expect.stringContaining(reason) },
      { eventId: null, status: 'STORED' },
    ]);
    expect(await readEvents(tenant, ada)).toHaveLength(before + 2);
    expect((await tenant.get('/v2/users/by-email/ada@x.io')).body.data).toMatchObject([{ userId: 'ada-1' }]);
    expect((await tenant.get('/v2/contacts')).body.pagination.totalElements).toBe(1);
  });

  it.each(['1e999', '-1e999', '[1,[2,1e400]]', '{"b":9e999}'])(
    'whose properties have the number %s, which is none, is FAILED',
    async (number) => {
      const text = `{"events":[{"email":"ada@x.io","eventName":"a","eventProperties":{"n":${number}}}]}`;
      const [result] = (await sendEvents(tenant, text)).results;
      expect(result).toEqual({ eventId: null, status: 'FAILED', error: expect.stringContaining('too large') });
    },
  );

  it.each<[string, unknown, string]>([
    ['a number', 7, 'eventId must be a string'],
    ['empty', '', 'eventId must have 1 to 255'],
    ['256 characters long', 'e'.repeat(256), 'eventId must have 1 to 255'],
    ['with a line break', 'a\nb', 'eventId must not have control characters'],
    ['with NUL', 'a\0b', unicode],
    ['with half a character', 'a\ud800', unicode],
  ])('with an eventId that is %s is FAILED and shows no id', async (_, eventId, reason) => {
    const [result] = (await sendEvents(tenant, [{ ...good, eventId }])).results;
    expect(result).toEqual({ eventId: null, status: 'FAILED', error: expect.stringContaining(reason) });
  });

  it('that is FAILED shows the id it came with', async () => {
    const [result] = (await sendEvents(tenant, [{ eventId: 'bad-one', userId: 'nobody', eventName: 'a' }])).results;
    expect(result).toMatchObject({ eventId: 'bad-one', status: 'FAILED' });
  });

  it('may have null for whatever is optional, and keys that nobody knows', async () => {
    const event = {
      ...{ eventId: null, userId: null, orgId: null, eventDate: null, eventProperties: null },
      ...{ email: ' ADA@x.io ', eventName: ' trimmed ', unknown: { a: 1 }, tenantId: 1, contactId: 'x' },
    };
    const done = await sendEvents(tenant, [event]);
    expect(done.results).toEqual([{ eventId: null, status: 'STORED' }]);
    expect((await readEvents(tenant, ada))[0]).toEqual({
      userId: null,
      orgId: null,
      eventName: 'trimmed',
      eventDate: done.createdAt,
      eventProperties: {},
    });
  });

  it('may have texts of 255 characters, counted as characters', async () => {
    const wide = '😀'.repeat(255);
    const event = { ...good, eventId: wide, userId: 'u'.repeat(255), eventName: wide };
    expect((await sendEvents(tenant, [event])).results).toEqual([{ eventId: wide, status: 'STORED' }]);
    expect((await readEvents(tenant, ada))[0]).toMatchObject({ eventName: wide, userId: 'u'.repeat(255) });
    await tenant.delete(`/v2/users/${'u'.repeat(255)}`);
  });

  it('may have properties of exactly 32 KiB, counted in UTF-8 bytes', async () => {
    const wide = (bytes: number) => ({ a: 'é'.repeat((bytes - '{"a":""}'.length) / 2) });
    const sizes = [long(32_768), wide(32_768), wide(32_770), { ...long(32_768 - 1), b: 1 }];
    const done = await sendEvents(
      tenant,
      sizes.map((eventProperties) => ({ ...good, eventProperties })),
    );
    expect(statusesOf(done)).toEqual(['STORED', 'STORED', 'FAILED', 'FAILED']);
    const [second, first] = await readEvents(tenant, ada);
    expect([first.eventProperties, second.eventProperties]).toEqual([long(32_768), wide(32_768)]);
  });

  it('may nest as deep as a body may', async () => {
    const deep = (levels: number) =>
      `{"events":[{"email":"ada@x.io","eventName":"deep","eventProperties":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}]}`;
    expect(statusesOf(await sendEvents(tenant, deep(61)))).toEqual(['STORED']);
    expect(JSON.stringify((await readEvents(tenant, ada))[0].eventProperties)).toBe(
      `${'{"a":'.repeat(61)}1${'}'.repeat(61)}`,
    );
    expect((await tenant.post('/v2/events', deep(62))).status).toBe(400);
  });

  it.each([
    ['0001-01-01T00:00:00.000Z', '0001-01-01T00:00:00.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['2026-11-15T09:30:00+05:30', '2026-11-15T04:00:00.000Z'],
    ['2026-11-15T09:30:00.123456-08:00', '2026-11-15T17:30:00.123Z'],
    ['2026-12-31T23:30:00-01:00', '2027-01-01T00:30:00.000Z'],
    ['2026-11-15T09:30:00', '2026-11-15T09:30:00.000Z'],
    ['2026-11-15t09:30:00.5z', '2026-11-15T09:30:00.500Z'],
    ['2026-11-15', '2026-11-15T00:00:00.000Z'],
    ['2024-02-29T12:00:00Z', '2024-02-29T12:00:00.000Z'],
    ['2000-02-29', '2000-02-29T00:00:00.000Z'],
    ['2026-11-15T23:59:60Z', '2026-11-16T00:00:00.000Z'],
  ])('of the date %s is kept as of %s', async (eventDate, kept) => {
    const person = `p${eventDate}@x.io`.toLowerCase();
    const id = await makeContact(tenant, person);
    expect(statusesOf(await sendEvents(tenant, [{ email: person, eventName: 'a', eventDate }]))).toEqual(['STORED']);
    expect(await readEvents(tenant, id)).toMatchObject([{ eventDate: kept }]);
    expect(await readEvents(tenant, id, `&startTime=${kept}&endTime=${kept}`)).toHaveLength(1);
  });

  it('without a date is of the time it arrived, each in a batch the same', async () => {
    const id = await makeContact(tenant, 'now@x.io');
    const done = await sendEvents(
      tenant,
      [1, 2].map((n) => ({ email: 'now@x.io', eventName: `${n}` })),
    );
    expect(await readEvents(tenant, id)).toMatchObject([
      { eventName: '2', eventDate: done.createdAt },
      { eventName: '1', eventDate: done.createdAt },
    ]);
  });
});

describe('whose event it is', () => {
  const named = (change: object) => ({ eventName: 'a', ...change });

  it('is told by a user, an email, or both when they agree', async () => {
    const tenant = await t.tenant();
    const ada = await makeUser(tenant, 'ada@x.io', 'ada-1');
    const done = await sendEvents(tenant, [
      named({ userId: 'ada-1' }),
      named({ email: 'ada@x.io' }),
      named({ userId: ' ada-1 ', email: ' Ada@X.io' }),
    ]);
    expect(statusesOf(done)).toEqual(['STORED', 'STORED', 'STORED']);
    expect((await readEvents(tenant, ada)).map((row) => row.userId)).toEqual(['ada-1', null, 'ada-1']);
  });

  it('is in doubt when the user belongs to another email: FAILED', async () => {
    const tenant = await t.tenant();
    const ada = await makeUser(tenant, 'ada@x.io', 'ada-1');
    const bob = await makeContact(tenant, 'bob@x.io');
    const done = await sendEvents(tenant, [
      named({ userId: 'ada-1', email: 'bob@x.io' }),
      named({ userId: 'ada-1', email: 'nobody@x.io' }),
    ]);
    for (const result of done.results)
      expect(result).toMatchObject({ status: 'FAILED', error: 'The userId belongs to another email.' });
    expect([...(await readEvents(tenant, ada)), ...(await readEvents(tenant, bob))]).toEqual([]);
  });

  it('makes the product user of an unknown userId under the contact of the email, once', async () => {
    const { tenant, ada } = await tenantWithAda();
    await tenant.post('/v2/organizations', { orgId: 'acme', name: 'Acme' });
    const done = await sendEvents(tenant, [
      named({ userId: 'new' }),
      named({ userId: 'new', email: 'ada@x.io', orgId: 'acme' }),
      named({ userId: 'new', email: 'ada@x.io' }),
      named({ userId: 'new' }),
    ]);
    expect(statusesOf(done)).toEqual(['FAILED', 'STORED', 'STORED', 'STORED']);
    expect(statusesOf(await sendEvents(tenant, [named({ userId: 'new' })]))).toEqual(['STORED']);
    expect((await tenant.get('/v2/users/new')).body.data).toMatchObject({
      userId: 'new',
      email: 'ada@x.io',
      contactId: ada,
      orgIds: [],
      properties: {},
    });
    expect((await tenant.get('/v2/organizations/acme/members')).body.data).toEqual([]);
  });

  it('makes no user and no contact for an event that is FAILED', async () => {
    const { tenant } = await tenantWithAda();
    const done = await sendEvents(tenant, [
      named({ userId: 'new', email: 'ada@x.io', orgId: 'nowhere' }),
      named({ userId: 'new', email: 'new@x.io' }),
      named({ userId: 'new', email: 'ada@x.io', eventDate: 'never' }),
    ]);
    expect(statusesOf(done)).toEqual(['FAILED', 'FAILED', 'FAILED']);
    expect((await tenant.get('/v2/users/new')).status).toBe(404);
    expect((await tenant.get('/v2/contacts')).body.pagination.totalElements).toBe(1);
  });

  it('is somebody of the tenant’s own: another tenant’s users, emails and organizations are unknown', async () => {
    const [{ tenant }, other] = [await tenantWithAda(), await t.tenant()];
    await makeUser(other, 'theirs@x.io', 'theirs');
    await other.post('/v2/organizations', { orgId: 'theirs', name: 'Theirs' });
    const done = await sendEvents(tenant, [
      named({ userId: 'theirs' }),
      named({ email: 'theirs@x.io' }),
      named({ email: 'ada@x.io', orgId: 'theirs' }),
    ]);
    expect(statusesOf(done)).toEqual(['FAILED', 'FAILED', 'FAILED']);
  });

  it('may have been made by writes that were acknowledged just before and are applied together with it', async () => {
    const tenant = await idle.tenant();
    await tenant.post('/v1/contacts', { email: 'ada@x.io' });
    const early = await tenant.post('/v2/events', {
      events: [named({ userId: 'ada-1' }), named({ email: 'ada@x.io' })],
    });
    await tenant.post('/v2/users', { email: 'ada@x.io', userId: 'ada-1' });
    const late = await tenant.post('/v2/events', { events: [named({ userId: 'ada-1' })] });
    expect(await serve(tenant)).toBe(4);
    expect((await poll(tenant, early)).results).toMatchObject([{ status: 'FAILED' }, { status: 'STORED' }]);
    expect((await poll(tenant, late)).results).toMatchObject([{ status: 'STORED' }]);
  });

  it('may be in an organization that only a membership names', async () => {
    const { tenant, ada } = await tenantWithAda();
    await tenant.post('/v2/organizations', { orgId: 'acme', name: 'Acme' });
    await tenant.done(await tenant.post('/v2/users', { email: 'ada@x.io', userId: 'ada-1', orgIds: ['acme'] }));
    await t.db.run(sql`delete from organization where tenant_id = ${tenant.tenantId}`);
    const event = named({ email: 'ada@x.io', orgId: ' acme ' });
    expect(statusesOf(await sendEvents(tenant, [event]))).toEqual(['STORED']);
    expect(await readEvents(tenant, ada)).toMatchObject([{ orgId: 'acme', userId: null }]);
    await tenant.delete('/v2/organizations/acme/members/ada-1');
    expect(statusesOf(await sendEvents(tenant, [event]))).toEqual(['FAILED']);
  });
});

describe('an eventId', () => {
  const event = (eventId: string, change: object = {}) => ({ ...good, eventId, ...change });

  it('that was stored makes a repeat a DUPLICATE, in one batch and in a later one', async () => {
    const { tenant, ada } = await tenantWithAda();
    const first = await sendEvents(tenant, [event('a'), event('b'), event('a', { eventName: 'other' })]);
    expect(first.results).toEqual([
      { eventId: 'a', status: 'STORED' },
      { eventId: 'b', status: 'STORED' },
      { eventId: 'a', status: 'DUPLICATE' },
    ]);
    const again = await sendEvents(tenant, [event('b', { eventDate: '2020-01-01' }), event('c'), event('a')]);
    expect(statusesOf(again)).toEqual(['DUPLICATE', 'STORED', 'DUPLICATE']);
    expect((await readEvents(tenant, ada)).map((row) => row.eventName)).toEqual(['login', 'login', 'login']);
  });

  it('counts across transactions that are applied together', async () => {
    const tenant = await idleTenantWithAda();
    const replies = [];
    for (const ids of [
      ['a', 'b'],
      ['b', 'c'],
      ['a', 'c', 'd'],
    ])
      replies.push(await tenant.post('/v2/events', { events: ids.map((id) => event(id)) }));
    expect(await serve(tenant)).toBe(3);
    const statuses = [];
    for (const reply of replies)
      statuses.push(...(await poll(tenant, reply)).results.map((r: { status: string }) => r.status));
    expect(statuses).toEqual(['STORED', 'STORED', 'DUPLICATE', 'STORED', 'DUPLICATE', 'DUPLICATE', 'STORED']);
  });

  it('of an event that was FAILED stays free, in the same batch and later', async () => {
    const { tenant } = await tenantWithAda();
    const first = await sendEvents(tenant, [event('a', { orgId: 'no' }), event('b', { eventName: '' }), event('a')]);
    expect(statusesOf(first)).toEqual(['FAILED', 'FAILED', 'STORED']);
    expect(statusesOf(await sendEvents(tenant, [event('a'), event('b')]))).toEqual(['DUPLICATE', 'STORED']);
  });

  it('is told apart by its letters, and is the tenant’s own', async () => {
    const [{ tenant }, other] = [await tenantWithAda(), (await tenantWithAda()).tenant];
    expect(
      statusesOf(
        await sendEvents(
          tenant,
          ['id', 'ID', 'íd', 'id '].map((id) => event(id)),
        ),
      ),
    ).toEqual(['STORED', 'STORED', 'STORED', 'DUPLICATE']);
    expect(statusesOf(await sendEvents(other, [event('id')]))).toEqual(['STORED']);
  });

  const keysOf = async (tenantId: number) =>
    (await t.db.rows(sql`select 1 from event_key where tenant_id = ${tenantId}`)).length;

  it('is free again after 30 days, and not a moment before', async () => {
    const { tenant } = await tenantWithAda();
    await sendEvents(tenant, [event('old'), event('young')]);
    const age = async (days: string) =>
      t.db.run(sql`
        update event_key set seen_at = now() - ${days}::interval where tenant_id = ${tenant.tenantId} and seen_at > now() - interval '1 day'`);
    await age('29 days 23 hours 59 minutes');
    await new KeySweeper(t.db).sweep();
    expect(statusesOf(await sendEvents(tenant, [event('old'), event('young')]))).toEqual(['DUPLICATE', 'DUPLICATE']);
    await t.db.run(
      sql`update event_key set seen_at = now() - interval '30 days 1 second' where tenant_id = ${tenant.tenantId}`,
    );
    expect(statusesOf(await sendEvents(tenant, [event('old')]))).toEqual(['STORED']);
    expect(statusesOf(await sendEvents(tenant, [event('old')]))).toEqual(['DUPLICATE']);
    await new KeySweeper(t.db).sweep();
    expect(await keysOf(tenant.tenantId)).toBe(1);
    expect(statusesOf(await sendEvents(tenant, [event('young'), event('old')]))).toEqual(['STORED', 'DUPLICATE']);
  });

  it('of a repeat does nothing else either: a user that was deleted meanwhile stays deleted', async () => {
    const { tenant } = await tenantWithAda();
    const repeat = event('a', { userId: 'u' });
    expect(statusesOf(await sendEvents(tenant, [repeat]))).toEqual(['STORED']);
    await tenant.delete('/v2/users/u');
    expect(statusesOf(await sendEvents(tenant, [repeat, repeat]))).toEqual(['DUPLICATE', 'DUPLICATE']);
    expect((await tenant.get('/v2/users/u')).status).toBe(404);
    const done = await sendEvents(tenant, [
      repeat,
      event('b', { userId: 'u', email: null }),
      event('c', { userId: 'u' }),
    ]);
    expect(statusesOf(done)).toEqual(['DUPLICATE', 'FAILED', 'STORED']);
    expect(statusesOf(await sendEvents(tenant, [event('b')]))).toEqual(['STORED']);
  });
});

describe('what is sent after events were acknowledged', () => {
  it('takes effect after them: deleting a user that they name does not fail them', async () => {
    const { tenant, ada } = await tenantWithAda();
    for (let i = 0; i < 5; i++) {
      await makeUser(tenant, 'ada@x.io', `known-${i}`);
      const reply = await tenant.post('/v2/events', {
        events: [
          { userId: `known-${i}`, eventName: 'a' },
          { ...good, userId: `new-${i}` },
        ],
      });
      expect((await tenant.delete(`/v2/users/known-${i}`)).status).toBe(200);
      expect((await tenant.delete(`/v2/users/new-${i}`)).status).toBe(200);
      expect(statusesOf(await eventsDone(tenant, reply))).toEqual(['STORED', 'STORED']);
    }
    expect((await tenant.get('/v2/users/by-email/ada@x.io')).body.data).toEqual([]);
    expect(await readEvents(tenant, ada)).toHaveLength(10);
  });
});

describe('any text and any JSON', () => {
  const tricky = fc.constantFrom(
    ...'\t\n\r\b\f\v\\N\\.\'"%$,;{}[] aé\u0001\u007f\u0085\u00a0\u2028\ufeff\uffff',
    '😀',
    '\\N',
    '\\.',
    '\\\\',
    'null',
    '\\u0000',
  );
  const sound = fc.string({ unit: 'binary', maxLength: 30 }).map((text) => text.replaceAll('\0', ''));
  const anyText = fc.oneof(sound, fc.string({ unit: tricky, maxLength: 30 }));
  const text = anyText.map((each) => each.trim()).filter((each) => each !== '');
  const unit = fc.oneof(
    tricky,
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }).filter((each) => each !== '\0'),
  );
  const key = anyText.filter((each) => each !== '__proto__');
  const json = fc
    .jsonValue({ stringUnit: unit, maxDepth: 4 })
    .filter((value) => !JSON.stringify(value).includes('__proto__'));
  const id = text.map((each) => each.replace(/\p{Cc}/gu, '').trim()).filter((each) => each !== '');
  const anyEvent = fc.record({
    eventId: id,
    eventName: text,
    userId: text,
    orgId: text,
    eventProperties: fc.dictionary(key, json, { maxKeys: 6 }),
  });

  it('comes back deeply equal', async () => {
    const { tenant, ada } = await tenantWithAda();
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(anyEvent, { minLength: 1, maxLength: 40 }), async (events) => {
        await t.db.run(sql`
          insert into organization (tenant_id, org_id, name)
          select ${tenant.tenantId}, id, id from unnest(${events.map((event) => event.orgId)}::text[]) as o (id) on conflict do nothing`);
        // Ever later, so that the newest are these.
        const at = new Date(Date.UTC(2026, 0, 1) + ++sent * 1000).toISOString();
        const done = await sendEvents(
          tenant,
          events.map((event, i) => ({
            ...event,
            eventId: `${event.eventId} ${sent} ${i}`,
            email: 'ada@x.io',
            eventDate: at,
          })),
        );
        expect(done.results).toEqual(
          events.map(({ eventId }, i) => ({ eventId: `${eventId} ${sent} ${i}`, status: 'STORED' })),
        );
        const found = await readEvents(tenant, ada, `&startTime=${at}&endTime=${at}`);
        const plain = events.map(({ eventId: _, ...event }) => parseJson(JSON.stringify({ ...event, eventDate: at })));
        expect(found.reverse()).toEqual(plain);
      }),
      { numRuns: 40 },
    );
  });
});
