import { describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { eventWrites, good, poll } from '../../../test/event-writes.js';
import { eventsDone, readEvents, sendEvents, statusesOf } from '../../../test/events.js';
import { sql } from '../../db/sql.js';

const t = useApp({ work: true });
/** Applies nothing by itself: pending writes stay pending until a test says otherwise. */
const idle = useApp();

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

const { serve, tenantWithAda, idleTenantWithAda } = eventWrites(t, idle);

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
