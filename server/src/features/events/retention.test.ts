import { describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../test/app.js';
import {
  datesOf,
  eventually,
  keeperOf,
  nameOf,
  noon,
  patiently,
  personIn,
  store,
  thisMonth,
  whereEvents,
} from '../../../test/event-months.js';
import { readEvents, sendEvents, statusesOf, storeMarketing } from '../../../test/events.js';
import type { Database } from '../../db/database.js';
import { sql } from '../../db/sql.js';
import { monthOf, monthStart } from '../../lib/month.js';
import { holdFloor } from './index.js';
import { Retention } from './months/index.js';
import { selectMade } from './months/queries.js';
import { moveFloor, readFloor } from './queries.js';

/** The same, for retention: there is one floor for the whole database. */
const old = useApp();

describe('retention', () => {
  const days = 100;
  const countsOf = async (tenant: TenantClient) =>
    (
      await old.db.rows(sql<{ month: number }>`
        select month from event_count where tenant_id = ${tenant.tenantId} order by month`)
    ).map((row) => row.month);
  const floorOf = async (keptDays: number) =>
    (await old.db.row(sql<{ month: number }>`select month_of(now() - make_interval(days => ${keptDays})) as month`))
      ?.month as number;
  const lastOf = (month: number) => new Date(Date.parse(monthStart(month + 1)) - 1).toISOString();

  it('drops whole months that are older, with their counts, and touches no other', async () => {
    const floor = await floorOf(days);
    const { tenant, id } = await personIn(old);
    const kept = [
      monthStart(floor),
      lastOf(floor),
      noon(monthStart(floor + 1).slice(0, 7)),
      '9999-12-31T23:59:59.999Z',
    ];
    const inPartitions = [monthStart(floor - 1), lastOf(floor - 1), noon('2020-02')];
    await store(old, tenant, [...kept, ...inPartitions]);
    await storeMarketing(old, tenant.tenantId, id, [{ eventName: 'sent', eventDate: noon('2020-02') }]);
    await keeperOf(old).keep();
    const elsewhere = ['0001-01-01T00:00:00.000Z', noon('2019-07'), noon('2019-08')];
    await store(old, tenant, elsewhere);
    expect(await readEvents(tenant, id)).toHaveLength(10);
    const made = await selectMade(old.db, 'event');

    await new Retention(old.db, days).apply();
    expect(datesOf(await readEvents(tenant, id))).toEqual(kept.toReversed());
    expect(await selectMade(old.db, 'event')).toEqual(made.filter((month) => month >= floor));
    expect(made).toContain(floor - 1);
    const left = await whereEvents(old.db, tenant);
    expect(left).toEqual({ event_elsewhen: 1, [nameOf(floor)]: 2, [nameOf(floor + 1)]: 1 });
    expect(await countsOf(tenant)).toEqual([floor, floor + 1, monthOf('9999-12')]);
    expect((await tenant.get(`/v1/contacts/${id}/marketing-activity`)).body.pagination.totalElements).toBe(1);
    expect((await tenant.get(`/v2/contacts/${id}/activity`)).body.pagination.totalElements).toBe(5);
  });

  it('makes events of dropped months FAILED, to the millisecond, and leaves their ids free', async () => {
    const floor = await floorOf(days);
    await new Retention(old.db, days).apply();
    const { tenant, id } = await personIn(old);
    const outcomes = await store(old, tenant, [monthStart(floor), lastOf(floor - 1), '0001-01-01']);
    const refused = {
      eventId: null,
      status: 'FAILED',
      error: 'eventDate is before the time that events are kept for.',
    };
    expect(outcomes).toEqual([{ eventId: null, status: 'STORED' }, refused, refused]);
    expect(datesOf(await readEvents(tenant, id))).toEqual([monthStart(floor)]);
  });

  it('takes effect at once when the floor rises, before anything is dropped', async () => {
    await new Retention(old.db, undefined).apply();
    const { tenant, id } = await personIn(old);
    const month = await thisMonth(old.db);
    const dates = [month - 9, month - 6, month - 6, month - 5, month].map((each) => monthStart(each));
    await store(old, tenant, dates);
    await old.db.transaction((tx) => moveFloor(tx, month - 6));
    const page = async (query: string) => (await tenant.get(`/v1/contacts/${id}/product-activity?${query}`)).body;
    expect(datesOf((await page('')).data)).toEqual(dates.slice(1).toReversed());
    expect((await page('')).pagination.totalElements).toBe(4);
    expect((await page(`startTime=${dates[0]}&endTime=${dates[1]}`)).pagination.totalElements).toBe(2);
    expect(await page('startTime=2000-01-01&endTime=9999-01-01&pageSize=3&pageNumber=2')).toMatchObject({
      data: [{ eventDate: dates[1] }],
      pagination: { totalElements: 4, totalPages: 2 },
    });
    expect(await countsOf(tenant)).toContain(month - 9);
    // Retention is switched off before they are dropped: the floor may be lowered only once they are gone.
    await new Retention(old.db, undefined).apply();
    expect(await readFloor(old.db)).toBe(0);
    expect(await countsOf(tenant)).toEqual([month - 6, month - 5, month]);
    expect(datesOf(await readEvents(tenant, id))).toEqual(dates.slice(1).toReversed());
  });

  it('lets the floor sink when events are kept longer again, and old events can be stored and counted anew', async () => {
    const { tenant, id } = await personIn(old);
    await new Retention(old.db, undefined).apply();
    await store(old, tenant, [noon('2021-04'), noon('2021-04', 1)]);
    await keeperOf(old).keep();
    await new Retention(old.db, days).apply();
    expect(await readFloor(old.db)).toBe(await floorOf(days));
    expect(await readEvents(tenant, id)).toEqual([]);
    await new Retention(old.db, 500).apply();
    expect(await readFloor(old.db)).toBe(await floorOf(500));
    expect(await store(old, tenant, [noon('2021-04')])).toMatchObject([{ status: 'FAILED' }]);
    await new Retention(old.db, undefined).apply();
    expect(await readFloor(old.db)).toBe(0);
    expect(await store(old, tenant, [noon('2021-04', 2)])).toMatchObject([{ status: 'STORED' }]);
    expect(datesOf(await readEvents(tenant, id))).toEqual([noon('2021-04', 2)]);
    await keeperOf(old).keep();
    expect(await whereEvents(old.db, tenant)).toEqual({ event_2021_04: 1 });
    expect(datesOf(await readEvents(tenant, id))).toEqual([noon('2021-04', 2)]);
  });

  it('waits for writers that use the old floor', async () => {
    await new Retention(old.db, undefined).apply();
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    let held: (floor: number) => void = () => undefined;
    const holding = new Promise<number>((resolve) => {
      held = resolve;
    });
    const writer = old.db.transaction(async (tx) => {
      held(await holdFloor(tx));
      await gate;
    });
    expect(await holding).toBe(0);
    const applying = new Retention(old.db, days).apply();
    await eventually('a wait for the floor', async () => {
      const row = await old.db.row(sql`
        select 1 from pg_locks l join pg_database d on d.oid = l.database
        where l.locktype = 'advisory' and not l.granted and d.datname = current_database()`);
      return row !== undefined;
    });
    expect(await readFloor(old.db)).toBe(0);
    release();
    await Promise.all([writer, applying]);
    expect(await readFloor(old.db)).toBe(await floorOf(days));
  });

  it('sweeps any number of counts, and of events that never had a partition', async () => {
    const { tenant } = await personIn(old);
    await new Retention(old.db, undefined).apply();
    const month = await thisMonth(old.db);
    const people = sql`select md5(p::text)::uuid as id, p from generate_series(1, 6000) p`;
    await old.db.run(sql`
      insert into event_count (tenant_id, contact_id, month, events)
      select ${tenant.tenantId}, id, m, 1 from (${people}) x, unnest(${[month - 20, month]}::integer[]) m`);
    await old.db.run(sql`
      insert into event (tenant_id, contact_id, event_date, event_no, event_name)
      select ${tenant.tenantId}, id, month_start(${month - 20}) + p * interval '1 second', p, 'x' from (${people}) x where p <= 2500`);
    expect(await whereEvents(old.db, tenant)).toEqual({ event_elsewhen: 2500 });
    await new Retention(old.db, days).apply();
    expect(await whereEvents(old.db, tenant)).toEqual({});
    expect(await countsOf(tenant)).toEqual(Array(6000).fill(month));
  });

  it('never shows a reader a part of what it drops', async () => {
    await new Retention(old.db, undefined).apply();
    const { tenant, id } = await personIn(old);
    const floor = await floorOf(days);
    const gone = ['2022-05', '2022-06', '2022-07'].flatMap((month) => [0, 1, 2, 3].map((n) => noon(month, n)));
    await store(old, tenant, [...gone, monthStart(floor), monthStart(floor + 1)]);
    await keeperOf(old).keep();
    const seen: string[] = [];
    let isDropping = true;
    const reads = ['', `startTime=${noon('2022-05')}`, 'pageSize=3&pageNumber=2'].map(async (query, reader) => {
      while (isDropping) {
        const { data, pagination } = (await tenant.get(`/v1/contacts/${id}/product-activity?${query}`)).body;
        seen.push(`${reader}: ${data.length} of ${pagination.totalElements}`);
      }
    });
    await new Retention(old.db, days).apply();
    isDropping = false;
    await Promise.all(reads);
    const whole = ['0: 14 of 14', '0: 2 of 2', '1: 14 of 14', '1: 2 of 2', '2: 3 of 14', '2: 0 of 2'];
    expect([...new Set(seen)].filter((each) => !whole.includes(each))).toEqual([]);
    expect(await readEvents(tenant, id)).toHaveLength(2);
  });

  it('gives way to a long read, and drops the month the next time', async () => {
    await new Retention(old.db, undefined).apply();
    const { tenant, id } = await personIn(old);
    await store(old, tenant, [noon('2022-09')]);
    await keeperOf(old).keep();
    const retention = new Retention(old.db, days);
    await old.db.transaction(async (tx) => {
      await tx.run(sql`select from event_2022_09`);
      await expect(retention.apply()).rejects.toMatchObject({ code: '55P03' });
      expect(await readEvents(tenant, id)).toEqual([]);
    });
    expect(await whereEvents(old.db, tenant)).toEqual({ event_2022_09: 1 });
    await retention.apply();
    expect(await whereEvents(old.db, tenant)).toEqual({});
    expect(await countsOf(tenant)).toEqual([]);
  });

  it('leaves no month behind that the keeper makes once the floor has risen', async () => {
    await new Retention(old.db, undefined).apply();
    const { tenant } = await personIn(old);
    await store(old, tenant, [noon('2022-03')]);
    await old.db.transaction(async (tx) => moveFloor(tx, await floorOf(days)));
    await keeperOf(old).keep();
    expect(await whereEvents(old.db, tenant)).toEqual({ event_elsewhen: 1 });
    await new Retention(old.db, days).apply();
    expect(await whereEvents(old.db, tenant)).toEqual({});
  });

  it('keeps events and counts consistent if two workers are told different times', async () => {
    await new Retention(old.db, undefined).apply();
    const { tenant, id } = await personIn(old);
    await store(old, tenant, [noon('2022-04')]);
    let sweeping: () => void = () => undefined;
    const swept = new Promise<void>((resolve) => {
      sweeping = resolve;
    });
    let goOn: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const row: Database['row'] = async (statement) => {
      if (statement.text.includes('delete from event_count')) {
        sweeping();
        await gate;
      }
      return old.db.row(statement);
    };
    const shorter = new Retention({ ...old.db, row }, days).apply();
    await swept;
    const longer = new Retention(old.db, undefined);
    await expect(longer.apply()).rejects.toMatchObject({ code: '55P03' });
    await store(old, tenant, [noon('2022-04', 1)]);
    goOn();
    await shorter;
    await longer.apply();
    await store(old, tenant, [noon('2022-04', 2)]);
    expect(datesOf(await readEvents(tenant, id))).toEqual([noon('2022-04', 2)]);
    expect(await whereEvents(old.db, tenant)).toEqual({ event_elsewhen: 1 });
  });

  it('runs beside itself and beside the keeper', async () => {
    await new Retention(old.db, undefined).apply();
    const { tenant, id } = await personIn(old);
    const floor = await floorOf(days);
    await store(old, tenant, [noon('2022-01'), noon('2022-02'), monthStart(floor)]);
    await Promise.all([
      patiently(() => keeperOf(old).keep()),
      patiently(() => new Retention(old.db, days).apply()),
      patiently(() => new Retention(old.db, days).apply()),
      patiently(() => keeperOf(old).keep()),
    ]);
    expect(datesOf(await readEvents(tenant, id))).toEqual([monthStart(floor)]);
    await new Retention(old.db, days).apply();
    expect((await selectMade(old.db, 'event')).filter((month) => month < floor)).toEqual([]);
  });
});

describe('a service that is told to keep events for some days', () => {
  const short = useApp({ work: true, eventRetentionDays: 40 });
  const busy = useApp({ eventRetentionDays: 40 });

  it('does so even while no month can be made', async () => {
    await busy.db.transaction(async (tx) => {
      await tx.run(sql`lock table event in access share mode`);
      busy.app.startWork();
      await eventually('a floor', async () => (await readFloor(busy.db)) > 0);
    });
    await eventually('partitions', async () => (await selectMade(busy.db, 'event')).length === 3);
  });

  it('refuses older events by itself', async () => {
    await eventually('a floor', async () => (await readFloor(short.db)) > 0);
    const tenant = await short.tenant();
    await tenant.done(await tenant.post('/v1/contacts', { email: 'ada@x.io' }));
    const event = { email: 'ada@x.io', eventName: 'a' };
    expect(statusesOf(await sendEvents(tenant, [event, { ...event, eventDate: '2020-01-01' }]))).toEqual([
      'STORED',
      'FAILED',
    ]);
  });
});
