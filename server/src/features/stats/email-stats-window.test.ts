import { countNames } from '@rapport/contract';
import { describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { emailStatsOf, expectStats, html, pathOf, statsOf } from '../../../test/email-stats.js';
import { makeEmail } from '../../../test/emails.js';
import type { CaughtMail } from '../../../test/messages.js';
import { linksOf, statsOnce, useOldQueue, usePost } from '../../../test/statistics.js';

const post = usePost();
const t = useApp(post.options);
useOldQueue(t);

const { clock, newMailer, sendAt, follow } = emailStatsOf(post, t);

describe('the statistics of an email', () => {
  it('compare its own content with versions for contacts', async () => {
    const mailer = await newMailer();
    clock.set('2026-03-10T10:00:00.000Z');
    await mailer.contact('special@x.io');
    const version = { assetId: mailer.emailId, email: 'special@x.io', html };
    expect((await mailer.post('/v2/email-versions', version)).status).toBe(200);
    await mailer.until(await mailer.queue({ email: 'special@x.io' }), 'sent');
    const links = linksOf(post.server.to('special@x.io')[0] as CaughtMail);
    await sendAt(mailer, '2026-03-10T10:00:00.000Z');
    await sendAt(mailer, '2026-03-10T10:00:00.000Z');
    await follow('2026-03-10T11:00:00.000Z', links.open);
    const all = await expectStats(mailer, { opened: 1 });
    expect(all).toMatchObject({ sent: 3, defaultSent: 2, personalizedSent: 1 });
    expect(all.versions.default).toMatchObject({ sent: 2, delivered: 2, uniqueOpened: 0, rates: { openRate: 0 } });
    expect(all.versions.personalized).toMatchObject({ sent: 1, delivered: 1, uniqueOpened: 1, rates: { openRate: 1 } });
    for (const name of countNames)
      expect(all[name], name).toBe(all.versions.default[name] + all.versions.personalized[name]);
  });

  it('have its own links, most clicked first, even if another email links to the same address', async () => {
    const mailer = await newMailer();
    const other = await makeEmail(mailer, { html });
    const mine = await sendAt(mailer, '2026-03-10T10:00:00.000Z');
    const theirs = await sendAt(mailer, '2026-03-10T10:00:00.000Z', { emailId: other });
    await follow('2026-03-10T11:00:00.000Z', mine.links.clicks[0] as string);
    await follow('2026-03-10T12:00:00.000Z', mine.links.clicks[1] as string);
    await follow('2026-03-10T13:00:00.000Z', mine.links.clicks[1] as string);
    await follow('2026-03-10T14:00:00.000Z', theirs.links.clicks[0] as string);
    expect((await expectStats(mailer, { clicked: 3 })).links).toEqual([
      { url: 'https://shop.test/b', clicked: 2, uniqueClicked: 1, machineClicked: 0 },
      { url: 'https://shop.test/a', clicked: 1, uniqueClicked: 1, machineClicked: 0 },
    ]);
    const shown = await statsOnce(mailer, pathOf(mailer, {}, other), { clicked: 1 });
    expect(shown.links).toEqual([{ url: 'https://shop.test/a', clicked: 1, uniqueClicked: 1, machineClicked: 0 }]);
    expect((await statsOf(mailer, { startTime: '2026-03-10T13:00:00.000Z' })).links).toEqual([
      { url: 'https://shop.test/b', clicked: 1, uniqueClicked: 0, machineClicked: 0 },
    ]);
  });

  it('come by hour or by day, in UTC, and the parts are the whole', async () => {
    const mailer = await newMailer();
    const { links } = await sendAt(mailer, '2026-03-10T22:59:59.999Z');
    await sendAt(mailer, '2026-03-10T23:00:00.000Z');
    await sendAt(mailer, '2026-03-11T00:00:00.000Z');
    await follow('2026-03-11T00:30:00.000Z', links.open);
    await expectStats(mailer, { opened: 1 });
    const timesOf = async (query: Record<string, string>) => {
      const { series, ...all } = await statsOf(mailer, query);
      for (const name of countNames)
        expect(series.reduce((sum: number, part: Record<string, number>) => sum + (part[name] ?? 0), 0)).toBe(
          all[name],
        );
      return series.map(({ time, sent, opened }: Record<string, unknown>) => [time, sent, opened]);
    };
    const days = [
      ['2026-03-10T00:00:00.000Z', 2, 0],
      ['2026-03-11T00:00:00.000Z', 1, 1],
    ];
    expect(await timesOf({})).toEqual(days);
    expect(await timesOf({ interval: 'day' })).toEqual(days);
    expect(await timesOf({ interval: 'hour' })).toEqual([
      ['2026-03-10T22:00:00.000Z', 1, 0],
      ['2026-03-10T23:00:00.000Z', 1, 0],
      ['2026-03-11T00:00:00.000Z', 1, 1],
    ]);
    // Part of an hour is shown under that hour.
    const some = { interval: 'hour', startTime: '2026-03-10T22:30:00Z', endTime: '2026-03-11T00:15:00Z' };
    expect(await timesOf(some)).toEqual([
      ['2026-03-10T22:00:00.000Z', 1, 0],
      ['2026-03-10T23:00:00.000Z', 1, 0],
      ['2026-03-11T00:00:00.000Z', 1, 0],
    ]);
  });

  it('stay as they are when contacts are erased', async () => {
    const mailer = await newMailer();
    const { links, address } = await sendAt(mailer, '2026-03-10T10:00:00.000Z');
    await follow('2026-03-10T11:00:00.000Z', links.open);
    await follow('2026-03-10T12:00:00.000Z', links.clicks[0] as string);
    const { links: shown, ...before } = await expectStats(mailer, { opened: 1, clicked: 1 });
    const { id } = (await mailer.get(`/v2/contacts/by-email/${address}`)).body.data;
    await mailer.done(await mailer.delete(`/v2/contacts/${id}`));
    const { links: left, ...after } = await statsOf(mailer);
    expect(after).toEqual(before);
    expect(left.map(({ clicked }: { clicked: number }) => clicked)).toEqual(shown.map(() => 1));
    const part = { startTime: '2026-03-10T10:00:00.000Z', endTime: '2026-03-10T11:00:00.000Z' };
    expect(await statsOf(mailer, part)).toMatchObject({ sent: 1, opened: 1, uniqueOpened: 1, clicked: 0 });
  });
});

describe('the window', () => {
  it('is accepted with any offset, as a bare date, and in snake_case', async () => {
    const mailer = await newMailer();
    await sendAt(mailer, '2026-03-10T10:00:00.000Z');
    const sentIn = async (query: string) =>
      (await mailer.get(`/v2/emails/${mailer.emailId}/stats?${query}`)).body.data.sent;
    expect(await sentIn('startTime=2026-03-10T12:00:00%2B02:00&endTime=2026-03-10T12:00:00+02:00')).toBe(1);
    expect(await sentIn('startTime=2026-03-10&endTime=2026-03-11')).toBe(1);
    expect(await sentIn('start_time=2026-03-10T10:00:00Z&end_time=2026-03-10T10:00:00Z')).toBe(1);
    expect(await sentIn('start_time=2026-03-10T10:00:00.001Z')).toBe(0);
    expect(await sentIn('end_time=2026-03-10T09:59:59.999Z')).toBe(0);
  });

  it('is empty if it ends before it begins', async () => {
    const mailer = await newMailer();
    await sendAt(mailer, '2026-03-10T10:00:00.000Z');
    const shown = await statsOf(mailer, { startTime: '2026-03-11', endTime: '2026-03-09' });
    expect(shown).toMatchObject({ sent: 0, delivered: 0, series: [], links: [], rates: { deliveryRate: 0 } });
  });

  it('may reach as far as time can be written', async () => {
    const mailer = await newMailer();
    await sendAt(mailer, '2026-03-10T10:00:00.000Z');
    const [first, last] = ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'];
    for (const interval of ['hour', 'day'])
      expect((await statsOf(mailer, { startTime: first, endTime: last, interval })).sent).toBe(1);
    expect((await statsOf(mailer, { startTime: last })).sent).toBe(0);
    expect((await statsOf(mailer, { endTime: first })).sent).toBe(0);
    expect((await statsOf(mailer, { startTime: last, endTime: last })).sent).toBe(0);
  });

  it.each(['startTime=yesterday', 'endTime=', 'interval=week', 'interval=', 'interval=Hour', 'start_time=1e3'])(
    'is refused when it is wrong: %s',
    async (query) => {
      const mailer = await newMailer();
      const { status, body } = await mailer.get(`/v2/emails/${mailer.emailId}/stats?${query}`);
      expect([status, body.errors[0].errorCode]).toEqual([400, 'VALIDATION_ERROR']);
    },
  );
});

describe('an email that does not exist', () => {
  it.each(['a'.repeat(24), 'no-id', '%00'])('is not found: %s', async (id) => {
    const mailer = await newMailer();
    const { status, body } = await mailer.get(`/v2/emails/${id}/stats`);
    expect([status, body.errors[0].errorCode]).toEqual([404, 'NOT_FOUND']);
  });

  it('is not found after it was deleted, as when it is read', async () => {
    const mailer = await newMailer();
    await sendAt(mailer, '2026-03-10T10:00:00.000Z');
    await mailer.delete(`/v2/emails/${mailer.emailId}`);
    const [record, shown] = [await mailer.get(`/v2/emails/${mailer.emailId}`), await mailer.get(pathOf(mailer))];
    expect([shown.status, shown.body.errors]).toEqual([record.status, record.body.errors]);
    expect(shown.status).toBe(404);
  });
});
