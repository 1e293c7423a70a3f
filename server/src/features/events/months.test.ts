import { describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import {
  datesOf,
  eventually,
  keeperOf,
  nameOf,
  noon,
  personIn,
  store,
  thisMonth,
  whereEvents,
} from '../../../test/event-months.js';
import { readEvents, sendEvents, statusesOf, storeMarketing } from '../../../test/events.js';
import { sql } from '../../db/sql.js';
import { monthOf, monthStart } from '../../lib/month.js';
import { selectMade } from './months/queries.js';

const started = useApp({ work: true });
/** Keeps no months and applies no writes by itself. */
const idle = useApp();

describe('a service that has started', () => {
  it('has partitions of this month and the next two, for events and for marketing activity', async () => {
    const month = await thisMonth(started.db);
    for (const table of ['event', 'marketing_activity'] as const)
      await eventually(
        'partitions',
        async () => (await selectMade(started.db, table)).join() === [0, 1, 2].map((n) => month + n).join(),
      );
  });

  it('makes the partition of an older month once it has events, and they are read as before', async () => {
    const tenant = await started.tenant();
    const made = await tenant.done(await tenant.post('/v1/contacts', { email: 'ada@x.io' }));
    const id = made.data.results[0].contactId;
    await eventually('partitions', async () => (await selectMade(started.db, 'event')).length > 0);
    const events = [noon('2015-03'), noon('2026-11')].map((eventDate) => ({
      email: 'ada@x.io',
      eventName: 'a',
      eventDate,
    }));
    expect(statusesOf(await sendEvents(tenant, events))).toEqual(['STORED', 'STORED']);
    expect(await readEvents(tenant, id)).toHaveLength(2);
    await eventually('the move', async () => 'event_2015_03' in (await whereEvents(started.db, tenant)));
    expect(datesOf(await readEvents(tenant, id))).toEqual([noon('2026-11'), noon('2015-03')]);
  });
});

describe('the keeper of months', () => {
  it('moves what waits elsewhere to the partition of its month, at the exact bounds of the month', async () => {
    const { tenant, id } = await personIn(idle);
    const dates = [
      '2016-11-30T23:59:59.999Z',
      '2016-12-01T00:00:00.000Z',
      '2016-12-31T23:59:59.999Z',
      '2017-01-01T00:00:00.000Z',
      '2017-01-31T23:59:59.999Z',
      '2017-02-01T00:00:00.000Z',
    ];
    await store(idle, tenant, dates);
    expect(await whereEvents(idle.db, tenant)).toEqual({ event_elsewhen: 6 });
    const before = await readEvents(tenant, id);
    expect(datesOf(before)).toEqual(dates.toReversed());
    await keeperOf(idle).keep();
    expect(await whereEvents(idle.db, tenant)).toEqual({
      event_2016_11: 1,
      event_2016_12: 2,
      event_2017_01: 2,
      event_2017_02: 1,
    });
    expect(await readEvents(tenant, id)).toEqual(before);
    for (const date of dates)
      expect(datesOf(await readEvents(tenant, id, `&startTime=${date}&endTime=${date}`))).toEqual([date]);
    await store(idle, tenant, [noon('2016-12')]);
    expect(await whereEvents(idle.db, tenant)).toMatchObject({ event_2016_12: 3 });
  });

  it('leaves what is older than 2000 or further ahead than two months elsewhere, and it is read from there', async () => {
    const { tenant, id } = await personIn(idle);
    const month = await thisMonth(idle.db);
    const far = [
      '0001-01-01T00:00:00.000Z',
      '1999-12-31T23:59:59.999Z',
      monthStart(month + 3),
      '9999-12-31T23:59:59.999Z',
    ];
    const near = ['2000-01-01T00:00:00.000Z', monthStart(month), monthStart(month + 2)];
    await store(idle, tenant, [...far, ...near]);
    await keeperOf(idle).keep();
    const expected = Object.fromEntries(near.map((date) => [nameOf(monthOf(date)), 1]));
    expect(await whereEvents(idle.db, tenant)).toEqual({ event_elsewhen: 4, ...expected });
    expect(datesOf(await readEvents(tenant, id))).toEqual([...far, ...near].sort().toReversed());
  });

  it('gives a new partition the key of its table and no other index', async () => {
    await keeperOf(idle).keep();
    const month = await thisMonth(idle.db);
    const rows = await idle.db.rows(sql<{ definition: string }>`
      select indexdef as definition from pg_indexes where tablename = ${nameOf(month)}`);
    expect(rows).toEqual([
      { definition: expect.stringMatching(/unique.*\(tenant_id, contact_id, event_date, event_no\)/i) },
    ]);
  });

  it('does the same for marketing activity', async () => {
    const { tenant, id } = await personIn(idle);
    await storeMarketing(idle, tenant.tenantId, id, [{ eventName: 'sent', eventDate: noon('2014-05') }]);
    await keeperOf(idle).keep();
    expect(await selectMade(idle.db, 'marketing_activity')).toContain(monthOf('2014-05'));
    expect(await selectMade(idle.db, 'event')).not.toContain(monthOf('2014-05'));
    expect((await tenant.get(`/v1/contacts/${id}/marketing-activity`)).body.data).toMatchObject([
      { eventDate: noon('2014-05') },
    ]);
  });

  it('may run several times at once, and again', async () => {
    const { tenant, id } = await personIn(idle);
    const dates = Array.from({ length: 12 }, (_, i) => noon(monthStart(monthOf('2012-01') + i).slice(0, 7)));
    await store(idle, tenant, dates);
    const keepers = [keeperOf(idle), keeperOf(idle), keeperOf(idle)];
    await Promise.all(keepers.map((keeper) => keeper.keep()));
    expect(Object.keys(await whereEvents(idle.db, tenant))).toHaveLength(12);
    const made = await selectMade(idle.db, 'event');
    expect(new Set(made).size).toBe(made.length);
    await Promise.all(keepers.map((keeper) => keeper.keep()));
    expect(await selectMade(idle.db, 'event')).toEqual(made);
    expect(datesOf(await readEvents(tenant, id))).toEqual(dates.toReversed());
  });

  it('asks to be woken for a month that lacks its partition, and for no other', async () => {
    let gaps = 0;
    const keeper = keeperOf(idle, () => {
      gaps++;
    });
    const month = await thisMonth(idle.db);
    await keeper.keep();
    keeper.note([month, month + 2, month + 3, monthOf('1999-12'), 12, monthOf('9999-12')]);
    expect(gaps).toBe(0);
    keeper.note([month, monthOf('2003-03')]);
    expect(gaps).toBe(1);
  });

  it('asks to be woken even before it has looked which months there are', () => {
    let gaps = 0;
    const keeper = keeperOf(idle, () => {
      gaps++;
    });
    keeper.note([monthOf('1999-12')]);
    expect(gaps).toBe(0);
    keeper.note([monthOf('2003-03')]);
    expect(gaps).toBe(1);
  });

  it('never shows a reader less than there is while it moves events', async () => {
    const { tenant, id } = await personIn(idle);
    const wrong: unknown[] = [];
    let stored = 0;
    for (const month of ['2008-01', '2008-02', '2008-03', '2008-04', '2008-05', '2008-06', '2008-07', '2008-08']) {
      await store(
        idle,
        tenant,
        Array.from({ length: 1000 }, (_, n) => noon(month, n)),
      );
      stored += 1000;
      const reads: [string, number, number][] = [
        [`product-activity?pageSize=200&startTime=${noon(month, 900)}`, 100, 100],
        [`product-activity?pageSize=200&startTime=${noon(month, 1)}&endTime=${noon(month, 998)}`, 200, 998],
        [`activity?pageSize=20&startTime=${noon(month, 500)}`, 20, 500],
        ['product-activity?pageSize=200&pageNumber=4', 200, stored],
        ['product-activity', 20, stored],
      ];
      let isMoving = true;
      const readers = reads.map(async ([query, rows, total]) => {
        while (isMoving) {
          const { status, body } = await tenant.get(`/v2/contacts/${id}/${query}`);
          if (status !== 200 || body.data.length !== rows || body.pagination.totalElements !== total)
            wrong.push([query, status, body.data?.length, body.pagination?.totalElements]);
        }
      });
      await keeperOf(idle).keep();
      isMoving = false;
      await Promise.all(readers);
      expect(await whereEvents(idle.db, tenant)).toMatchObject({ [nameOf(monthOf(month))]: 1000 });
    }
    expect(wrong).toEqual([]);
  });

  it('does not block writers for long while it moves events', async () => {
    const { tenant, id } = await personIn(idle);
    const months = Array.from({ length: 10 }, (_, i) => monthStart(monthOf('2005-01') + i).slice(0, 7));
    let moving = true;
    const sent: string[] = [];
    const writer = async () => {
      for (let turn = 0; moving || turn < 30; turn++) {
        const dates = months.map((month) => noon(month, turn % 1000));
        const outcomes = await store(idle, tenant, dates);
        expect(outcomes.map((row) => row.status)).toEqual(Array(10).fill('STORED'));
        sent.push(...dates);
      }
    };
    const writing = writer();
    for (let turn = 0; turn < 3; turn++) await keeperOf(idle).keep();
    moving = false;
    await writing;
    await keeperOf(idle).keep();
    expect(datesOf(await readEvents(tenant, id))).toEqual(sent.sort().toReversed());
    expect(Object.keys(await whereEvents(idle.db, tenant)).sort()).toEqual(
      months.map((month) => nameOf(monthOf(month))),
    );
  });
});
