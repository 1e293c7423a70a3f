// Nothing of a person's events is left once the person is erased.
import { describe, expect, it } from 'vitest';
import { type Reply, type TenantClient, useApp } from '../../../test/app.js';
import { makeContact, makeUser, readEvents, sendEvents } from '../../../test/events.js';
import { sql } from '../../db/sql.js';
import { contactApplier } from '../contacts/index.js';
import { Appliers, serveTenant } from '../transactions/index.js';
import { userApplier } from '../users/apply-writes.js';
import { eraseUsers } from '../users/delete-user.js';
import { eventApplier } from './apply-events.js';
import { eraseEvents } from './erase-events.js';
import { MonthKeeper } from './months/index.js';

const t = useApp({ work: true });
/** Applies nothing by itself. */
const idle = useApp();
const appliers = new Appliers();
appliers.onApply(contactApplier([eraseEvents, eraseUsers]));
appliers.onApply(userApplier);
appliers.onApply(eventApplier(() => undefined));
const serve = (tenant: TenantClient) => serveTenant(idle.db, appliers, tenant.tenantId);

async function erase(tenant: TenantClient, contactId: string): Promise<void> {
  await tenant.done(await tenant.delete(`/v2/contacts/${contactId}`));
}

const poll = async (tenant: TenantClient, transactionId: string) =>
  (await tenant.get(`/v2/events/transactions/${transactionId}`)).body.data;

/** How many rows of events, counts and results contain a text. */
async function anywhere(tenant: TenantClient, text: string): Promise<number> {
  const row = await t.db.row(sql<{ n: number }>`
    select (select count(*) from event e where tenant_id = ${tenant.tenantId} and position(${text} in e::text) > 0)
      + (select count(*) from event_count e where tenant_id = ${tenant.tenantId} and position(${text} in replace(e::text, '-', '')) > 0)
      + (select count(*) from event_arrival e where tenant_id = ${tenant.tenantId} and position(${text} in replace(e::text, '-', '')) > 0)
      + (select count(*) from write_transaction w where tenant_id = ${tenant.tenantId} and position(${text} in w::text) > 0)
      + (select count(*) from write_failure w where tenant_id = ${tenant.tenantId} and position(${text} in w::text) > 0)
      + (select count(*) from idempotency_key w where tenant_id = ${tenant.tenantId} and position(${text} in w::text) > 0)
      as n`);
  return row?.n ?? -1;
}

describe('erasing a contact', () => {
  it('removes events of every month with their counts, and the ids of that person’s events from old results', async () => {
    const tenant = await t.tenant();
    const ada = await makeUser(tenant, 'ada@x.io', 'ada-1');
    const bob = await makeContact(tenant, 'bob@x.io');
    const dates = ['0001-01-01', '2019-06-01', '2026-11-01', '9999-12-31', undefined];
    const secret = (n: number) => ({ email: 'ada@x.io', eventId: `ada-secret-${n}`, eventName: `did-ada-${n}` });
    const done = await sendEvents(tenant, [
      { email: 'bob@x.io', eventId: 'bob-1', eventName: 'a' },
      ...dates.map((eventDate, n) => ({ ...secret(n), eventDate, eventProperties: { hidden: 'ada-secret' } })),
      { email: 'bob@x.io', eventName: 'b' },
      { email: 'bob@x.io', eventId: 'bob-2', eventName: '' },
    ]);
    const alone = await sendEvents(tenant, [secret(9)]);
    const others = await sendEvents(tenant, [{ email: 'bob@x.io', eventId: 'bob-3', eventName: 'c' }]);
    expect(await readEvents(tenant, ada)).toHaveLength(6);

    await erase(tenant, ada);
    const after = await tenant.get(`/v1/contacts/${ada}/product-activity`);
    expect([after.body.data, after.body.pagination.totalElements]).toEqual([[], 0]);
    for (const path of ['marketing-activity', 'activity'])
      expect((await tenant.get(`/v2/contacts/${ada}/${path}`)).body.errors[0].errorCode).toBe('BAS-E-002');
    expect(await anywhere(tenant, 'ada-secret')).toBe(0);
    expect(await anywhere(tenant, 'did-ada')).toBe(0);
    expect(await anywhere(tenant, ada)).toBe(2); // The results of POST /users and of the erasure name the id, and only that.

    const results = done.results.map((row) => (row.eventId?.startsWith('ada') ? { ...row, eventId: null } : row));
    expect(await poll(tenant, done.transactionId)).toEqual({ ...done, results });
    expect(await poll(tenant, alone.transactionId)).toMatchObject({ results: [{ eventId: null, status: 'STORED' }] });
    expect(await poll(tenant, others.transactionId)).toEqual(others);
    expect((await readEvents(tenant, bob)).map((row) => row.eventName)).toEqual(['c', 'b', 'a']);
  });

  it('removes the ids from more results than one step takes, and leaves those of others beside them', async () => {
    const tenant = await t.tenant();
    const ada = await makeContact(tenant, 'ada@x.io');
    await makeContact(tenant, 'bob@x.io');
    const sent = await Promise.all(
      Array.from({ length: 230 }, (_, n) =>
        sendEvents(tenant, [
          { email: 'bob@x.io', eventId: `bob-${n}`, eventName: 'a' },
          { email: 'ada@x.io', eventId: `ada-secret-${n}`, eventName: 'a' },
        ]),
      ),
    );
    await erase(tenant, ada);
    expect(await anywhere(tenant, 'ada-secret')).toBe(0);
    const polled = await Promise.all(sent.map(({ transactionId }) => poll(tenant, transactionId)));
    expect(polled.map(({ results }) => results[0].eventId)).toEqual(sent.map((_, n) => `bob-${n}`));
  });

  it('forgets the ids in reported repeats too, and those of no other person', async () => {
    const tenant = await t.tenant();
    const ada = await makeContact(tenant, 'ada@x.io');
    await makeContact(tenant, 'bob@x.io');
    const event = (name: string, eventId: string) => ({ email: `${name}@x.io`, eventId, eventName: 'a' });
    const first = await sendEvents(tenant, [event('ada', 'hers'), event('bob', 'his'), event('ada', 'hers')]);
    const again = await sendEvents(tenant, [event('bob', 'his'), event('ada', 'hers'), event('bob', 'his too')]);
    const bobs = await sendEvents(tenant, [event('bob', 'his'), event('bob', 'hers and more')]);
    await erase(tenant, ada);
    const idsOf = async ({ transactionId }: { transactionId: string }) =>
      (await poll(tenant, transactionId)).results.map((row: { eventId: string | null }) => row.eventId);
    expect(await idsOf(first)).toEqual([null, 'his', null]);
    expect(await idsOf(again)).toEqual(['his', null, 'his too']);
    expect(await poll(tenant, bobs.transactionId)).toEqual(bobs);
    expect(await poll(tenant, again.transactionId)).toMatchObject({
      results: [{ status: 'DUPLICATE' }, { status: 'DUPLICATE' }, { status: 'STORED' }],
    });
  });

  it('makes events that come later FAILED, by user and by email', async () => {
    const tenant = await t.tenant();
    const ada = await makeUser(tenant, 'ada@x.io', 'ada-1');
    await erase(tenant, ada);
    const done = await sendEvents(tenant, [
      { userId: 'ada-1', eventName: 'a' },
      { email: 'ada@x.io', eventName: 'a' },
      { userId: 'ada-1', email: 'ada@x.io', eventName: 'a' },
    ]);
    expect(done.results.map((row) => row.status)).toEqual(['FAILED', 'FAILED', 'FAILED']);
    expect((await tenant.get('/v2/users/ada-1')).status).toBe(404);
  });

  it('lets the person come back as a new one, without the old events', async () => {
    const tenant = await t.tenant();
    const ada = await makeContact(tenant, 'ada@x.io');
    await sendEvents(tenant, [{ email: 'ada@x.io', eventName: 'old' }]);
    await erase(tenant, ada);
    const again = await makeContact(tenant, 'ada@x.io');
    await sendEvents(tenant, [{ email: 'ada@x.io', eventName: 'new' }]);
    expect(await readEvents(tenant, again)).toMatchObject([{ eventName: 'new' }]);
    expect(await readEvents(tenant, ada)).toEqual([]);
  });

  it('removes events that were acknowledged before it and not applied yet, with their ids', async () => {
    const tenant = await idle.tenant();
    await tenant.post('/v1/contacts', { email: 'ada@x.io' });
    await serve(tenant);
    const ada = (await tenant.get('/v1/contacts/by-email/ada@x.io')).body.data.id;
    const send = (eventId: string): Promise<Reply> =>
      tenant.post('/v2/events', { events: [{ email: 'ada@x.io', eventId, eventName: 'a' }] });
    const before = await send('before');
    await tenant.delete(`/v2/contacts/${ada}`);
    const after = await send('after');
    expect(await serve(tenant)).toBe(3);
    expect((await poll(tenant, before.body.data.transactionId)).results).toEqual([{ eventId: null, status: 'STORED' }]);
    expect((await poll(tenant, after.body.data.transactionId)).results).toMatchObject([{ status: 'FAILED' }]);
    expect(await readEvents(tenant, ada)).toEqual([]);
    const left = await idle.db.row(sql<{ n: number }>`
      select (select count(*) from event where tenant_id = ${tenant.tenantId})
        + (select count(*) from event_count where tenant_id = ${tenant.tenantId}) as n`);
    expect(left?.n).toBe(0);
  });

  it('finds events of a month that moves to its partition at the same time', async () => {
    const tenant = await idle.tenant();
    for (const month of ['2011-01', '2011-02', '2011-03', '2011-04', '2011-05', '2011-06']) {
      await tenant.post('/v1/contacts', { email: 'ada@x.io' });
      const events = Array(1000).fill({ email: 'ada@x.io', eventName: 'a', eventDate: `${month}-01` });
      await tenant.post('/v2/events', { events });
      await serve(tenant);
      const ada = (await tenant.get('/v1/contacts/by-email/ada@x.io')).body.data.id;
      const keeping = new MonthKeeper(idle.db, () => undefined).keep();
      // After the move has taken its lock, so that the erasure runs into it.
      for (let isMoving = false; !isMoving; ) {
        const lock = await idle.db.row(sql`
          select 1 from pg_locks where relation = 'event_elsewhen'::regclass and mode = 'AccessExclusiveLock' and granted`);
        const made = await idle.db.row(sql`select to_regclass(${`event_${month.replace('-', '_')}`}) as name`);
        isMoving = lock !== undefined || (made as { name: unknown }).name !== null;
      }
      await tenant.delete(`/v2/contacts/${ada}`);
      await Promise.all([keeping, serve(tenant)]);
    }
    expect(await idle.db.rows(sql`select distinct event_date from event where tenant_id = ${tenant.tenantId}`)).toEqual(
      [],
    );
  });
});
