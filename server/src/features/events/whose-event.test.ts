import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { eventWrites, good, poll } from '../../../test/event-writes.js';
import { makeContact, makeUser, readEvents, sendEvents, statusesOf } from '../../../test/events.js';
import { sql } from '../../db/sql.js';
import { parseJson } from '../../lib/parse-json.js';
import { KeySweeper } from './event-keys.js';

const t = useApp({ work: true });
/** Applies nothing by itself: pending writes stay pending until a test says otherwise. */
const idle = useApp();

const { serve, tenantWithAda, idleTenantWithAda } = eventWrites(t, idle);

describe('whose event it is', () => {
  const named = (change: object) => ({ eventName: 'a', ...change });

  it('is determined by a user, an email, or both if they agree', async () => {
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

  it('is a person of the same tenant: another tenant’s users, emails and organizations are unknown', async () => {
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

  it('is case-sensitive, and separate for each tenant', async () => {
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
        // Each later than the one before, so that these are the newest.
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
