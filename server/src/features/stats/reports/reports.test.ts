// Reports through the whole app: on counters written as recording messages writes them, and on messages themselves.
import { describe, expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { makeEmail, tenantWithDomain } from '../../../../test/emails.js';
import { seedFigures, seedLink, seedPassage } from '../../../../test/figures.js';
import { makeActive } from '../../../../test/journeys.js';
import { eventually, makeMailer } from '../../../../test/messages.js';
import { usePost } from '../../../../test/statistics.js';

const now = new Date('2026-11-16T09:30:00.000Z');
const t = useApp({ clock: { now: () => now, elapsed: () => performance.now() } });
const live = useApp(usePost().options);

const none = {
  ...{ sent: 0, delivered: 0, opened: 0, uniqueOpened: 0, clicked: 0, uniqueClicked: 0, bounced: 0, hardBounced: 0 },
  ...{ softBounced: 0, unsubscribed: 0, complained: 0, failed: 0, machineOpened: 0, machineClicked: 0 },
};

describe('the overview', () => {
  it('shows the last 30 days, every day of them, and the 30 days before', async () => {
    const tenant = await t.tenant();
    const figures = { sent: 4, delivered: 3, uniqueOpened: 1, clickOnly: 1, uniqueClicked: 1, hardBounced: 1 };
    await seedFigures(t, tenant, 't', {
      '2026-11-14T08:00:00Z': figures,
      '2026-11-15T23:00:00Z': { sent: 2, delivered: 2 },
    });
    await seedFigures(t, tenant, 't', { '2026-10-01T10:00:00Z': { sent: 8, delivered: 4, softBounced: 1 } });
    const { body } = await tenant.get('/v2/stats/overview');
    expect(body.data).toMatchObject({
      ...{ startTime: '2026-10-17T09:30:00.001Z', endTime: '2026-11-16T09:30:00.000Z' },
      ...{ ...none, sent: 6, delivered: 5, uniqueOpened: 1, uniqueClicked: 1, bounced: 1, hardBounced: 1, engaged: 2 },
      rates: {
        deliveryRate: 5 / 6,
        openRate: 0.2,
        clickRate: 0.2,
        clickToOpenRate: 0.5,
        bounceRate: 1 / 6,
        unsubscribeRate: 0,
      },
      previous: {
        ...{ startTime: '2026-09-17T09:30:00.001Z', endTime: '2026-10-17T09:30:00.000Z' },
        ...{ ...none, sent: 8, delivered: 4, bounced: 1, softBounced: 1, engaged: 0 },
        rates: { deliveryRate: 0.5, bounceRate: 0.125 },
      },
    });
    const { series } = body.data;
    expect(series).toHaveLength(31);
    expect([series[0].time, series[30].time]).toEqual(['2026-10-17T00:00:00.000Z', '2026-11-16T00:00:00.000Z']);
    expect(series[28]).toEqual({
      ...{ time: '2026-11-14T00:00:00.000Z', ...none, sent: 4, delivered: 3 },
      ...{ uniqueOpened: 1, uniqueClicked: 1, bounced: 1, hardBounced: 1, engaged: 2 },
    });
    expect(series[29]).toEqual({ time: '2026-11-15T00:00:00.000Z', ...none, sent: 2, delivered: 2, engaged: 0 });
    expect(series[27]).toEqual({ time: '2026-11-13T00:00:00.000Z', ...none, engaged: 0 });
  });

  it('goes by hours if asked to, in snake_case too', async () => {
    const tenant = await t.tenant();
    await seedFigures(t, tenant, 't', { '2026-11-14T08:00:00Z': { sent: 4 }, '2026-11-14T10:00:00Z': { sent: 1 } });
    const window = 'start_time=2026-11-14T08:00:00Z&end_time=2026-11-14T10:59:59.999Z';
    const { body } = await tenant.get(`/v2/stats/overview?interval=hour&${window}`);
    const hours = body.data.series.map(({ time, sent }: { time: string; sent: number }) => [time.slice(11, 16), sent]);
    expect(hours).toEqual([
      ['08:00', 4],
      ['09:00', 0],
      ['10:00', 1],
    ]);
    expect(body.data.previous).toMatchObject({
      startTime: '2026-11-14T05:00:00.000Z',
      endTime: '2026-11-14T07:59:59.999Z',
    });
  });

  it('is empty if the window ends before it begins, and at the ends of time', async () => {
    const tenant = await t.tenant();
    await seedFigures(t, tenant, 't', { '2026-11-14T08:00:00Z': { sent: 4 } });
    const backwards = await tenant.get('/v2/stats/overview?startTime=2026-11-15&endTime=2026-11-14');
    expect(backwards.body.data).toMatchObject({ ...none, series: [], previous: none });
    for (const query of [
      'startTime=9999-12-31',
      'endTime=0001-01-01',
      'startTime=0001-01-01',
      'endTime=9999-12-31T23:59:59.999Z',
    ]) {
      const { status, body } = await tenant.get(`/v2/stats/overview?${query}`);
      expect([query, status, body.data?.sent]).toEqual([query, 200, 0]);
    }
  });

  it('says what to ask for if there are too many parts', async () => {
    const tenant = await t.tenant();
    const { status, body } = await tenant.get(
      '/v2/stats/overview?interval=hour&startTime=2026-01-01&endTime=2026-06-01',
    );
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      {
        errorCode: 'VALIDATION_ERROR',
        message:
          'interval makes a series of 3,625 hours, and there may be 1,000: take interval=day, or a shorter window.',
        detail: 'interval',
      },
    ]);
    expect((await tenant.get('/v2/stats/overview?startTime=2020-01-01&endTime=2026-01-01')).body.errors[0].detail).toBe(
      'endTime',
    );
    expect((await tenant.get('/v2/stats/overview?interval=week')).status).toBe(400);
  });
});

describe('emails', () => {
  it('come most sent first, default and personalized together, with the names that deleted ones had', async () => {
    const tenant = await tenantWithDomain(t);
    const [one, two] = [await makeEmail(tenant), await makeEmail(tenant)];
    const hour = '2026-11-14T08:00:00Z';
    await seedFigures(t, tenant, `e:${one}:default`, { [hour]: { sent: 4, delivered: 4 } });
    await seedFigures(t, tenant, `e:${one}:personalized`, { [hour]: { sent: 3, delivered: 3, uniqueOpened: 7 } });
    await seedFigures(t, tenant, `e:${two}:default`, { [hour]: { sent: 9 } });
    await tenant.delete(`/v2/emails/${two}`);
    const { body } = await tenant.get('/v2/stats/emails');
    expect(body.data).toMatchObject([
      { emailId: two, name: expect.stringMatching(/./), sent: 9 },
      { emailId: one, sent: 7, delivered: 7, rates: { openRate: 1 } },
    ]);
    expect((await tenant.get('/v2/stats/emails?startTime=2026-11-15')).body.data).toEqual([]);
    expect((await (await t.tenant()).get('/v2/stats/emails')).body.data).toEqual([]);
  });
});

describe('domains', () => {
  it('come most sent first, a page at a time, with what became of the mail to each', async () => {
    const [tenant, other] = [await t.tenant(), await t.tenant()];
    const hour = '2026-11-14T08:00:00Z';
    await seedFigures(t, tenant, 'd:b.example', { [hour]: { sent: 5, delivered: 4, complained: 1, hardBounced: 1 } });
    await seedFigures(t, tenant, 'd:a.example', { [hour]: { sent: 5, delivered: 5 } });
    await seedFigures(t, tenant, 'd:c.example', {
      [hour]: { sent: 9, delivered: 9 },
      '2026-11-15T08:00:00Z': { opened: 1 },
    });
    await seedFigures(t, tenant, 'd:nothing.example', { [hour]: { sent: 1 }, '2026-11-14T09:00:00Z': { sent: -1 } });
    await seedFigures(t, other, 'd:other.example', { [hour]: { sent: 1 } });
    const first = await tenant.get('/v2/stats/domains?pageSize=2');
    expect(first.body.data.map((row: { domain: string }) => row.domain)).toEqual(['c.example', 'a.example']);
    expect(first.body.pagination).toEqual({ pageNumber: 1, pageSize: 2, totalElements: 3, totalPages: 2 });
    const second = await tenant.get('/v2/stats/domains?page_size=2&page_number=2');
    expect(second.body.data).toEqual([
      {
        ...{ domain: 'b.example', ...none, sent: 5, delivered: 4, complained: 1, bounced: 1, hardBounced: 1 },
        rates: {
          deliveryRate: 0.8,
          openRate: 0,
          clickRate: 0,
          clickToOpenRate: 0,
          bounceRate: 0.2,
          unsubscribeRate: 0,
        },
        complaintRate: 0.25,
      },
    ]);
    const past = await tenant.get('/v2/stats/domains?pageNumber=9');
    expect([past.body.data, past.body.pagination.totalElements]).toEqual([[], 3]);
    const later = await tenant.get('/v2/stats/domains?startTime=2026-11-15');
    expect(later.body.data).toMatchObject([{ domain: 'c.example', sent: 0, opened: 1 }]);
    expect((await tenant.get('/v2/stats/domains?startTime=2026-11-15&endTime=2026-11-14')).body.data).toEqual([]);
  });
});

describe('links', () => {
  it('come most clicked first, of all emails or of one', async () => {
    const [tenant, other] = [await t.tenant(), await t.tenant()];
    const [emailId, another] = ['a'.repeat(24), 'b'.repeat(24)];
    const hour = '2026-11-14T08:00:00Z';
    await seedLink(t, tenant, emailId, 'https://example.com/one', { [hour]: { clicked: 2, uniqueClicked: 1 } });
    await seedLink(t, tenant, emailId, 'https://example.com/two', { [hour]: { machineClicked: 7 } });
    await seedLink(t, tenant, another, 'https://example.com/one', { [hour]: { clicked: 3, uniqueClicked: 3 } });
    const rows = [
      { url: 'https://example.com/one', emailId: another, clicked: 3, uniqueClicked: 3, machineClicked: 0 },
      { url: 'https://example.com/one', emailId, clicked: 2, uniqueClicked: 1, machineClicked: 0 },
      { url: 'https://example.com/two', emailId, clicked: 0, uniqueClicked: 0, machineClicked: 7 },
    ];
    expect((await tenant.get('/v2/stats/links')).body).toMatchObject({ data: rows, pagination: { totalElements: 3 } });
    expect((await tenant.get('/v2/stats/links?pageSize=1&pageNumber=2')).body.data).toEqual([rows[1]]);
    expect((await tenant.get(`/v2/stats/links?email_id=${emailId}`)).body.data).toEqual(rows.slice(1));
    for (const id of ['', 'nonsense', 'c'.repeat(24)])
      expect((await tenant.get(`/v2/stats/links?emailId=${id}`)).body.data).toEqual([]);
    expect((await other.get(`/v2/stats/links?emailId=${emailId}`)).body.data).toEqual([]);
    expect((await tenant.get('/v2/stats/links?endTime=2026-11-14')).body.data).toEqual([]);
  });
});

it('counts messages as they leave', async () => {
  const tenant = await makeMailer(live);
  const messages = [];
  for (const email of ['ada@one.example', 'alan@one.example', 'grace@two.example']) {
    await tenant.contact(email);
    messages.push(await tenant.queue({ email }));
  }
  for (const message of messages) await tenant.until(message, 'sent');
  const read = async (path: string) => (await tenant.get(path)).body.data;
  const overview = await eventually(
    () => read('/v2/stats/overview'),
    ({ sent }) => sent === 3,
  );
  expect(overview).toMatchObject({ sent: 3, delivered: 3, bounced: 0, previous: { sent: 0 } });
  expect(overview.series.at(-1)).toMatchObject({ sent: 3 });
  expect(await read('/v2/stats/domains')).toMatchObject([
    { domain: 'one.example', sent: 2, delivered: 2 },
    { domain: 'two.example', sent: 1, delivered: 1 },
  ]);
});

it('tells operators how many changes of figures wait to be folded', async () => {
  const tenant = await t.tenant();
  const waiting = async (of: string) => {
    const { text } = await t.admin.get('/metrics');
    return Number(new RegExp(`^rapport_stats_unfolded\\{of="${of}"\\} (\\d+)$`, 'm').exec(text)?.[1]);
  };
  const [messages, journeys] = [await waiting('messages'), await waiting('journeys')];
  await seedFigures(t, tenant, 't', { '2026-11-14T08:00:00Z': { sent: 1 }, '2026-11-14T09:00:00Z': { sent: 1 } });
  await seedPassage(t, tenant, await makeActive(tenant), '2026-11-14T08:00:00Z', { '': { entered: 1 } });
  expect([await waiting('messages'), await waiting('journeys')]).toEqual([messages + 2, journeys + 1]);
});
