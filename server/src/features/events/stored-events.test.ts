import { beforeAll, describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import { eventWrites, good } from '../../../test/event-writes.js';
import { eventsDone, makeContact, makeUser, readEvents, sendEvents, statusesOf } from '../../../test/events.js';

const t = useApp({ work: true });
/** Applies nothing by itself: pending writes stay pending until a test says otherwise. */
const idle = useApp();

const { tenantWithAda } = eventWrites(t, idle);

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
    ['has an email that is none', { eventName: 'a', userId: 'ada-1', email: 'ada' }, 'must be an email address'],
    ['has an empty email', { eventName: 'a', userId: 'ada-1', email: '' }, 'must be an email address'],
    ['has a space in its email', { eventName: 'a', email: 'a da@x.io' }, 'must be an email address'],
    ['has a line break in its email', { eventName: 'a', email: 'a\nda@x.io' }, 'must be an email address'],
    ['has NUL in its email', { eventName: 'a', email: 'a\0da@x.io' }, 'must be an email address'],
    ['has an email of 255', { eventName: 'a', email: `${'a'.repeat(250)}@x.io` }, 'must be an email address'],
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

  it('may have null for anything optional, and unknown keys', async () => {
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
    expect(statusesOf(await sendEvents(tenant, deep(77)))).toEqual(['STORED']);
    expect(JSON.stringify((await readEvents(tenant, ada))[0].eventProperties)).toBe(
      `${'{"a":'.repeat(77)}1${'}'.repeat(77)}`,
    );
    expect((await tenant.post('/v2/events', deep(78))).status).toBe(400);
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

  it('without a date gets the time of arrival, the same for a whole batch', async () => {
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
