// Names of events: how many there were of each, day by day, and their properties.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type TenantClient, useApp } from '../../../../test/app.js';
import { makeContact, sendEvents } from '../../../../test/events.js';
import { sql } from '../../../db/sql.js';
import { describe as describeAll } from './describe-properties.js';
import { foldEventDeltas } from './queries.js';

const t = useApp({ work: true });

interface Name {
  eventName: string;
  firstSeenAt: string | null;
  lastSeenAt: string | null;
  total: number;
  days: { day: string; count: number }[];
}

async function names(tenant: TenantClient, query = ''): Promise<Name[]> {
  return (await tenant.get(`/v2/event-names?pageSize=200${query}`)).body.data;
}

const dayMs = 86_400_000;
async function daysAgo(days: number, time = '12:00:00.000'): Promise<string> {
  const row = await t.db.row(sql<{ now: string }>`select now() as now`);
  const day = new Date(Date.parse(row?.now ?? '') - days * dayMs).toISOString().slice(0, 10);
  return `${day}T${time}Z`;
}

/** The same, counted from the events themselves. */
function recount(tenantId: number): Promise<Name[]> {
  return t.db.rows(sql<Name>`
    select event_name as "eventName", min(event_date) as "firstSeenAt", max(event_date) as "lastSeenAt", count(*) as total,
      coalesce((select json_agg(json_build_object('day', d.day, 'count', d.n) order by d.day) from (
        select (event_date at time zone 'UTC')::date::text as day, count(*) as n from event i
        where i.tenant_id = e.tenant_id and i.event_name = e.event_name
          and event_date >= date_trunc('day', now(), 'UTC') - interval '29 days'
          and event_date < date_trunc('day', now(), 'UTC') + interval '1 day' group by 1
      ) d), '[]') as days
    from event e where tenant_id = ${tenantId} group by tenant_id, event_name order by event_name`);
}

describe('names of events', () => {
  it('are listed with their first, their last and the days of the last month', async () => {
    const tenant = await t.tenant();
    await makeContact(tenant, 'ada@x.io');
    const event = (eventName: string, eventDate: string) => ({ email: 'ada@x.io', eventName, eventDate });
    const [today, month, older] = [await daysAgo(0, '00:00:00.000'), await daysAgo(29), await daysAgo(30)];
    const later = await daysAgo(-1);
    await sendEvents(tenant, [event('b', today), event('b', today), event('b', month), event('b', older)]);
    await sendEvents(tenant, [event('a', later)]);
    const day = (at: string) => at.slice(0, 10);
    const expected = [
      { eventName: 'a', firstSeenAt: later, lastSeenAt: later, total: 1, days: [] },
      {
        ...{ eventName: 'b', firstSeenAt: older, lastSeenAt: today, total: 4 },
        days: [
          { day: day(month), count: 1 },
          { day: day(today), count: 2 },
        ],
      },
    ];
    expect(await names(tenant)).toEqual(expected);
    while ((await foldEventDeltas(t.db, 1000)) > 0);
    expect(await names(tenant)).toEqual(expected);
  });

  it('are found by a part of them in any case, and come in pages', async () => {
    const tenant = await t.tenant();
    await makeContact(tenant, 'ada@x.io');
    const all = ['Über uns gelesen', 'über 100 %', 'report_exported', 'reportXexported'];
    await sendEvents(
      tenant,
      all.map((eventName) => ({ email: 'ada@x.io', eventName })),
    );
    const found = async (search: string) =>
      (await names(tenant, `&search=${encodeURIComponent(search)}`)).map((name) => name.eventName).sort();
    expect(await found('ÜBER')).toEqual(['Über uns gelesen', 'über 100 %'].sort());
    expect(await found('report_')).toEqual(['report_exported']);
    expect(await found('100 %')).toEqual(['über 100 %']);
    const { body } = await tenant.get('/v2/event-names?pageSize=3&pageNumber=2');
    expect([body.data.length, body.pagination.totalElements]).toEqual([1, 4]);
  });

  it('count what a recount counts, whatever was stored, repeated or refused, and however much of it was folded', async () => {
    const step = fc.record({
      name: fc.constantFrom('a', 'b', 'c'),
      ago: fc.constantFrom(-400, -1, 0, 1, 28, 29, 30, 31, 4000),
      eventId: fc.option(fc.constantFrom('1', '2', '3'), { nil: undefined }),
      email: fc.constantFrom('ada@x.io', 'nobody@x.io'),
    });
    const batches = fc.array(fc.record({ events: fc.array(step, { minLength: 1, maxLength: 8 }), fold: fc.nat(3) }), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(batches, async (given) => {
        const tenant = await t.tenant();
        await makeContact(tenant, 'ada@x.io');
        for (const { events, fold } of given) {
          const sent = events.map(async ({ name, ago, ...rest }) => ({
            ...rest,
            ...{ eventName: name, eventDate: await daysAgo(ago) },
          }));
          await sendEvents(tenant, await Promise.all(sent));
          if (fold > 0) await foldEventDeltas(t.db, fold);
        }
        expect(await names(tenant)).toEqual(await recount(tenant.tenantId));
      }),
      { numRuns: 15 },
    );
  });

  it('stay counted when the events are erased: a count names no person', async () => {
    const tenant = await t.tenant();
    const ada = await makeContact(tenant, 'ada@x.io');
    await sendEvents(tenant, [{ email: 'ada@x.io', eventName: 'login' }]);
    await tenant.done(await tenant.delete(`/v2/contacts/${ada}`));
    expect(await names(tenant)).toMatchObject([{ eventName: 'login', total: 1 }]);
  });
});

describe('the properties of a name', () => {
  it('are described from its newest events', async () => {
    const tenant = await t.tenant();
    await makeContact(tenant, 'ada@x.io');
    const event = (eventProperties: object) => ({ email: 'ada@x.io', eventName: 'paid / now', eventProperties });
    await sendEvents(tenant, [event({ plan: 'pro', order: { rows: 3 } }), event({ plan: 'free', at: '2026-11-15' })]);
    const { data } = (await tenant.get(`/v2/event-names/${encodeURIComponent('paid / now')}/properties`)).body;
    expect(data).toEqual({
      sampled: 2,
      properties: [
        { path: ['plan'], types: ['text'], share: 1, examples: ['free', 'pro'] },
        { path: ['at'], types: ['time'], share: 0.5, examples: ['2026-11-15'] },
        { path: ['order', 'rows'], types: ['number'], share: 0.5, examples: [3] },
      ],
    });
  });

  it('of a name that no event has had do not exist', async () => {
    const tenant = await t.tenant();
    const { status, body } = await tenant.get('/v2/event-names/never/properties');
    expect([status, body.errors[0].errorCode]).toEqual([404, 'NOT_FOUND']);
  });

  it('may be of several types, show few and short examples, and leave null out', () => {
    const long = 'x'.repeat(300);
    const objects = [{ v: 1 }, { v: 'a' }, { v: 'b' }, { v: null }, { v: [1, { a: 1 }, null] }, { v: true, w: long }];
    expect(describeAll(objects)).toEqual([
      {
        ...{ path: ['v'], types: ['text', 'number', 'list', 'boolean'], share: 0.833 },
        examples: [1, 'a', 'b', [1, '…', null], true],
      },
      { path: ['w'], types: ['text'], share: 0.167, examples: [`${'x'.repeat(200)}…`] },
    ]);
    expect(describeAll([])).toEqual([]);
    const many = describeAll(Array.from({ length: 20 }, (_, n) => ({ v: n % 7 })));
    expect(many[0]?.examples).toEqual([0, 1, 2, 3, 4]);
  });
});
