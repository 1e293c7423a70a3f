// Compares reads of a contact's activity with a plain list in memory, without months, counts or partitions.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { makeContact, sendEvents, statusesOf, storeMarketing } from '../../../test/events.js';
import { runs } from '../../../test/runs.js';
import { MonthKeeper } from './months/index.js';

const t = useApp({ work: true });

const words = ['sent', 'delivered', 'opened', 'clicked', 'bounced', 'unsubscribed', 'complained'];
// Few months and moments, so that events often share a time or fall on the end of a month.
const month = fc.constantFrom(
  '0001-01',
  '1999-12',
  '2023-12',
  '2024-01',
  '2024-02',
  '2026-10',
  '2026-11',
  '2031-05',
  '9999-12',
);
const lastDay = (each: string) =>
  new Date(Date.UTC(2000 + (Number(each.slice(2, 4)) % 100), Number(each.slice(5)), 0)).getUTCDate();
const moment = fc.tuple(month, fc.constantFrom('first', 'second', 'middle', 'last')).map(([each, when]) => {
  if (when === 'first') return `${each}-01T00:00:00.000Z`;
  if (when === 'second') return `${each}-01T00:00:00.001Z`;
  if (when === 'middle') return `${each}-14T12:30:00.500Z`;
  return `${each}-${lastDay(each)}T23:59:59.999Z`;
});
const action = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('product' as const),
      dates: fc.array(moment, { minLength: 1, maxLength: 12 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('marketing' as const),
      dates: fc.array(moment, { minLength: 1, maxLength: 6 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('keep' as const), dates: fc.constant([] as string[]) }) },
);
const query = fc.record({
  pageSize: fc.constantFrom(1, 2, 3, 5, 20, 200),
  pageNumber: fc.integer({ min: 1, max: 6 }),
  startTime: fc.option(moment, { nil: undefined }),
  endTime: fc.option(moment, { nil: undefined }),
});

interface Row {
  kind: 'product' | 'marketing';
  eventName: string;
  eventDate: string;
}
interface Query {
  pageSize: number;
  pageNumber: number;
  startTime: string | undefined;
  endTime: string | undefined;
}

/** `rows` in the order of arrival. */
function pageOf(rows: readonly Row[], { pageSize, pageNumber, startTime, endTime }: Query) {
  const inWindow = rows
    .filter(
      (row) =>
        (startTime === undefined || row.eventDate >= startTime) && (endTime === undefined || row.eventDate <= endTime),
    )
    .toReversed()
    .sort((a, b) => (a.eventDate === b.eventDate ? 0 : a.eventDate < b.eventDate ? 1 : -1));
  const totalElements = inWindow.length;
  const pagination = { pageNumber, pageSize, totalElements, totalPages: Math.ceil(totalElements / pageSize) };
  return { rows: inWindow.slice((pageNumber - 1) * pageSize, pageNumber * pageSize), pagination };
}

const textOf = (given: Query) =>
  new URLSearchParams(
    Object.entries(given).flatMap(([key, value]): [string, string][] =>
      value === undefined ? [] : [[key, String(value)]],
    ),
  );

it('equals the model: every page, window and total, with and without partitions', async () => {
  const tenant = await t.tenant();
  const keeper = new MonthKeeper(t.db, () => undefined);
  let people = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(action, { minLength: 1, maxLength: 6 }),
      fc.array(query, { minLength: 4, maxLength: 12 }),
      async (actions, queries) => {
        const email = `p${++people}@x.io`;
        const id = await makeContact(tenant, email);
        const stored: Row[] = [];
        for (const { kind, dates } of actions) {
          const rows = dates.map((eventDate, i) => ({
            eventDate,
            eventName: words[(stored.length + i) % words.length] as string,
          }));
          if (kind === 'keep') await keeper.keep();
          else if (kind === 'marketing') await storeMarketing(t, tenant.tenantId, id, rows);
          else
            expect(
              new Set(
                statusesOf(
                  await sendEvents(
                    tenant,
                    rows.map((row) => ({ ...row, email })),
                  ),
                ),
              ),
            ).toEqual(new Set(['STORED']));
          if (kind !== 'keep') stored.push(...rows.map((row) => ({ ...row, kind })));
        }
        const only = (kind: Row['kind']) => stored.filter((row) => row.kind === kind);
        for (const each of queries) {
          const read = async (name: string) => (await tenant.get(`/v2/contacts/${id}/${name}?${textOf(each)}`)).body;
          for (const kind of ['product', 'marketing'] as const) {
            const { data, pagination } = await read(`${kind}-activity`);
            const wanted = pageOf(only(kind), each);
            expect(pagination).toEqual(wanted.pagination);
            expect(data.map(({ eventName, eventDate }: Row) => ({ kind, eventName, eventDate }))).toEqual(wanted.rows);
          }
          const { data, pagination } = await read('activity');
          const wanted = pageOf(stored, each);
          expect(pagination).toEqual(wanted.pagination);
          expect(data.map((row: Row) => row.eventDate)).toEqual(wanted.rows.map((row) => row.eventDate));
        }
        // At the same time, each kind keeps its own order. Which kind comes first is not promised, but stays the same.
        const whole = { pageSize: 200, pageNumber: 1, startTime: undefined, endTime: undefined };
        const all: Row[] = (await tenant.get(`/v2/contacts/${id}/activity?${textOf(whole)}`)).body.data;
        for (const kind of ['product', 'marketing'] as const)
          expect(
            all.filter((row) => row.kind === kind).map(({ eventName, eventDate }) => ({ kind, eventName, eventDate })),
          ).toEqual(pageOf(only(kind), whole).rows);
        const bits: Row[] = [];
        for (let page = 1; page <= Math.ceil(stored.length / 3); page++)
          bits.push(...(await tenant.get(`/v2/contacts/${id}/activity?pageSize=3&pageNumber=${page}`)).body.data);
        expect(bits).toEqual(all);
      },
    ),
    { numRuns: runs(20) },
  );
}, 240_000);
