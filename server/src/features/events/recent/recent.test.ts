// GET /v2/events: the newest events of all contacts, and what arrived since the last poll.
import { describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { makeContact, makeUser, sendEvents } from '../../../../test/events.js';
import { sql } from '../../../db/sql.js';
import { monthOf } from '../../../lib/month.js';
import { foldEventDeltas } from '../names/queries.js';
import { moveFloor } from '../queries.js';
import { forgetMonths, mostKept } from './queries.js';

const t = useApp({ work: true });

interface Told {
  no: number;
  eventName: string;
  contactId: string;
  eventProperties: { n?: number };
}

async function read(tenant: TenantClient, query = ''): Promise<{ events: Told[]; cursor: string }> {
  return (await tenant.get(`/v2/events${query}`)).body.data;
}

const numbered = (from: number, to: number, eventName = 'login') =>
  Array.from({ length: to - from }, (_, i) => ({ email: 'ada@x.io', eventName, eventProperties: { n: from + i } }));
const numbers = ({ events }: { events: Told[] }) => events.map((event) => event.eventProperties.n);

async function tenantWithAda(): Promise<{ tenant: TenantClient; ada: string }> {
  const tenant = await t.tenant();
  return { tenant, ada: await makeContact(tenant, 'ada@x.io') };
}

describe('the newest events', () => {
  it('are shown with whose they are, in the order of arrival whatever their dates', async () => {
    const tenant = await t.tenant();
    const ada = await makeUser(tenant, 'ada@x.io', 'ada-1');
    const bob = await makeContact(tenant, 'bob@x.io');
    await sendEvents(tenant, [{ userId: 'ada-1', eventName: 'new', eventDate: '2026-11-15T10:00:00Z' }]);
    await sendEvents(tenant, [
      { email: 'bob@x.io', eventName: 'old', eventDate: '2020-01-01', eventProperties: { a: { b: 1 } } },
    ]);
    const { events } = await read(tenant);
    expect(events).toEqual([
      {
        no: expect.any(Number),
        eventName: 'old',
        eventDate: '2020-01-01T00:00:00.000Z',
        receivedAt: expect.stringMatching(/^\d{4}-.*Z$/),
        contactId: bob,
        email: 'bob@x.io',
        userId: null,
        orgId: null,
        eventProperties: { a: { b: 1 } },
      },
      expect.objectContaining({ eventName: 'new', contactId: ada, userId: 'ada-1', eventProperties: {} }),
    ]);
  });

  it('come in one order even if a batch has several names', async () => {
    const { tenant } = await tenantWithAda();
    const mixed = Array.from({ length: 30 }, (_, n) => numbered(n, n + 1, `name ${n % 7}`)[0]);
    await sendEvents(tenant, mixed);
    expect(numbers(await read(tenant, '?limit=12'))).toEqual([29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18]);
    expect(numbers(await read(tenant, '?eventName=name%203'))).toEqual([24, 17, 10, 3]);
    expect(numbers(await read(tenant, '?eventName=NAME%203'))).toEqual([]);
  });

  it('are as many as asked for, up to 200, even when they came in one batch', async () => {
    const { tenant } = await tenantWithAda();
    await sendEvents(tenant, numbered(0, 450));
    expect(numbers(await read(tenant))).toEqual(Array.from({ length: 50 }, (_, i) => 449 - i));
    expect(numbers(await read(tenant, '?limit=200'))).toEqual(Array.from({ length: 200 }, (_, i) => 449 - i));
    for (const limit of ['0', '201', 'x']) expect((await tenant.get(`/v2/events?limit=${limit}`)).status).toBe(400);
  });

  it('belong to one tenant', async () => {
    const { tenant } = await tenantWithAda();
    const other = await tenantWithAda();
    await sendEvents(tenant, numbered(0, 1));
    expect(await read(other.tenant)).toEqual({ events: [], cursor: '0' });
  });
});

describe('a cursor', () => {
  it('leaves out what was shown before, and nothing that came since', async () => {
    const { tenant } = await tenantWithAda();
    const { cursor: none } = await read(tenant);
    await sendEvents(tenant, numbered(0, 3));
    const first = await read(tenant, `?after=${none}`);
    expect(numbers(first)).toEqual([2, 1, 0]);
    expect(await read(tenant, `?after=${first.cursor}`)).toEqual({ events: [], cursor: first.cursor });
    await sendEvents(tenant, numbered(3, 5));
    await sendEvents(tenant, numbered(5, 6, 'other'));
    expect(numbers(await read(tenant, `?after=${first.cursor}`))).toEqual([5, 4, 3]);
    expect(numbers(await read(tenant, `?after=${first.cursor}&eventName=login`))).toEqual([4, 3]);
    expect(numbers(await read(tenant, `?after=${first.cursor}&limit=1`))).toEqual([5]);
  });

  it('from before a restore counts as none; an invalid one is refused', async () => {
    const { tenant } = await tenantWithAda();
    await sendEvents(tenant, numbered(0, 2));
    expect(numbers(await read(tenant, '?after=999999999999'))).toEqual([1, 0]);
    const refused = await tenant.get('/v2/events?after=yesterday');
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0]).toMatchObject({
      detail: 'after',
      message: 'after must be a cursor from an earlier answer; leave it out to begin.',
    });
  });
});

describe('what is kept of the newest events', () => {
  const kept = async ({ tenantId }: TenantClient) =>
    t.db.rows(sql<{ name: string; kept: number; n: number }>`
      select event_name as name, sum(kept)::int8 as kept, count(*) as n from event_arrival
      where tenant_id = ${tenantId} group by 1 order by 1`);

  it('is about 200 keys a name, and a rare name keeps its own', async () => {
    const { tenant } = await tenantWithAda();
    await sendEvents(tenant, numbered(0, 1, 'rare'));
    for (let n = 0; n < 5; n++) await sendEvents(tenant, numbered(n * 100, n * 100 + 100));
    while ((await foldEventDeltas(t.db, 1000)) > 0);
    expect(await kept(tenant)).toEqual([
      { name: 'login', kept: mostKept, n: 2 },
      { name: 'rare', kept: 1, n: 1 },
    ]);
    expect(numbers(await read(tenant, '?limit=200'))).toEqual(Array.from({ length: 200 }, (_, i) => 499 - i));
    expect(numbers(await read(tenant, '?eventName=rare'))).toEqual([0]);
  });

  it('has nothing about an erased person, and keeps a cursor where it was', async () => {
    const { tenant, ada } = await tenantWithAda();
    const bob = await makeContact(tenant, 'bob@x.io');
    await sendEvents(tenant, [...numbered(0, 2), { email: 'bob@x.io', eventName: 'login' }]);
    await sendEvents(tenant, numbered(2, 4, 'only hers'));
    const { cursor } = await read(tenant);
    await tenant.done(await tenant.delete(`/v2/contacts/${ada}`));
    const { events, ...after } = await read(tenant);
    expect(events.map((event) => event.contactId)).toEqual([bob]);
    expect(after.cursor).toBe(cursor);
    expect((await read(tenant, `?after=${cursor}`)).events).toEqual([]);
    const found = await t.db.row(sql<{ n: number }>`
      select count(*) as n from event_arrival a where tenant_id = ${tenant.tenantId} and ${ada}::uuid = any(contact_ids)`);
    expect(found?.n).toBe(0);
    expect(await kept(tenant)).toMatchObject([
      { name: 'login', kept: 1 },
      { name: 'only hers', kept: 0 },
    ]);
  });

  it('has nothing from months that are no longer kept', async () => {
    const { tenant } = await tenantWithAda();
    const dated = (n: number, eventDate: string) => ({ ...numbered(n, n + 1)[0], eventDate });
    await sendEvents(tenant, [dated(0, '2020-01-31T23:59:59Z'), dated(1, '2020-02-01T00:00:00Z')]);
    const floor = monthOf('2020-02');
    await t.db.transaction((tx) => moveFloor(tx, floor));
    expect(numbers(await read(tenant))).toEqual([1]);
    await forgetMonths(t.db, floor);
    expect(await kept(tenant)).toEqual([{ name: 'login', kept: 1, n: 1 }]);
    expect(numbers(await read(tenant))).toEqual([1]);
    await t.db.transaction((tx) => moveFloor(tx, 0));
  });
});
