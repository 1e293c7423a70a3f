// GET /v2/emails/{id}/stats, from messages that really left, links that were really followed, and reports of a provider.
import { countNames } from '@rapport/contract';
import { describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { makeEmail } from '../../../test/emails.js';
import { type CaughtMail, eventually, type Mailer, makeMailer } from '../../../test/messages.js';
import {
  type Links,
  linksOf,
  person,
  program,
  reporter,
  statsOnce,
  useOldQueue,
  usePost,
} from '../../../test/statistics.js';

const post = usePost();
const { clock } = post;
const t = useApp(post.options);
useOldQueue(t);
const html =
  '<a href="https://shop.test/a">A</a><a href="https://shop.test/b">B</a><a href="{{unsubscribe_url}}">Unsubscribe</a>';
let made = 0;

const newMailer = () => makeMailer(t, { html });
const pathOf = (mailer: Mailer, query: Record<string, string> = {}, emailId = mailer.emailId) =>
  `/v2/emails/${emailId}/stats?${new URLSearchParams(query)}`;
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
const statsOf = async (mailer: Mailer, query: Record<string, string> = {}): Promise<any> =>
  (await mailer.get(pathOf(mailer, query))).body.data;
const expectStats = (mailer: Mailer, expected: Record<string, unknown>, query: Record<string, string> = {}) =>
  statsOnce(mailer, pathOf(mailer, query), expected);

interface Sent {
  messageId: string;
  address: string;
  links: Links;
}

/** A message that left at a moment. */
async function sendAt(mailer: Mailer, at: string, { emailId = mailer.emailId } = {}): Promise<Sent> {
  clock.set(at);
  const address = `reader${++made}@x.io`;
  await mailer.contact(address);
  const messageId = await mailer.queue({ email: address, emailId });
  await mailer.until(messageId, 'sent');
  return { messageId, address, links: linksOf(post.server.to(address)[0] as CaughtMail) };
}

async function follow(at: string, path: string, by: Record<string, string> = person): Promise<void> {
  clock.set(at);
  const { status } = await t.anonymous.get(path, by);
  expect([200, 302]).toContain(status);
}

describe('a message that a mail server took', () => {
  it('is sent and delivered in the moment it was sent, to the millisecond', async () => {
    const mailer = await newMailer();
    const at = '2026-03-10T10:20:30.123Z';
    await sendAt(mailer, at);
    expect(await statsOf(mailer)).toMatchObject({ sent: 1, delivered: 1, bounced: 0, failed: 0 });
    const [before, after] = ['2026-03-10T10:20:30.122Z', '2026-03-10T10:20:30.124Z'];
    const one = { sent: 1, delivered: 1 };
    const none = { sent: 0, delivered: 0 };
    expect(await statsOf(mailer, { startTime: at, endTime: at })).toMatchObject(one);
    expect(await statsOf(mailer, { startTime: at })).toMatchObject(one);
    expect(await statsOf(mailer, { endTime: at })).toMatchObject(one);
    expect(await statsOf(mailer, { startTime: before, endTime: after })).toMatchObject(one);
    expect(await statsOf(mailer, { startTime: after })).toMatchObject(none);
    expect(await statsOf(mailer, { endTime: before })).toMatchObject(none);
  });

  it.each([
    ['the last millisecond of an hour', '2026-03-10T10:59:59.999Z', '2026-03-10T11:00:00.000Z'],
    ['the first of an hour', '2026-03-10T11:00:00.000Z', '2026-03-10T11:00:00.001Z'],
    ['the last of a day', '2026-03-10T23:59:59.999Z', '2026-03-11T00:00:00.000Z'],
    ['the first of a day', '2026-03-11T00:00:00.000Z', '2026-03-11T00:00:00.001Z'],
  ])('counts in windows that hold %s, and in no others', async (_, at, next) => {
    const mailer = await newMailer();
    await sendAt(mailer, at);
    for (const startTime of [undefined, '2026-03-01T00:00:00Z', '2026-03-09T07:08:09.010Z', at]) {
      const from = startTime === undefined ? {} : { startTime };
      expect((await statsOf(mailer, { ...from, endTime: at })).sent, startTime).toBe(1);
    }
    for (const endTime of [undefined, '2026-03-31T00:00:00Z', '2026-03-12T07:08:09.010Z']) {
      const to = endTime === undefined ? {} : { endTime };
      expect((await statsOf(mailer, { startTime: at, ...to })).sent, endTime).toBe(1);
      expect((await statsOf(mailer, { startTime: next, ...to })).sent, endTime).toBe(0);
    }
  });

  it('is delivered when the provider says so, and in no other moment', async () => {
    const mailer = await newMailer();
    const report = await reporter(t, mailer);
    const { messageId } = await sendAt(mailer, '2026-03-10T10:00:00.000Z');
    clock.set('2026-03-10T12:30:00.000Z');
    await report({ type: 'delivered', messageId, at: '2026-03-10T12:00:00.005Z' });
    await mailer.until(messageId, 'delivered');
    expect(await statsOf(mailer)).toMatchObject({ sent: 1, delivered: 1 });
    expect(await statsOf(mailer, { endTime: '2026-03-10T12:00:00.004Z' })).toMatchObject({ sent: 1, delivered: 0 });
    expect(await statsOf(mailer, { startTime: '2026-03-10T12:00:00.005Z' })).toMatchObject({ sent: 0, delivered: 1 });
  });

  it('is not delivered any more once it bounced, and bounces in the moment of that', async () => {
    const mailer = await newMailer();
    const report = await reporter(t, mailer);
    const [hard, soft] = [
      await sendAt(mailer, '2026-03-10T10:00:00.000Z'),
      await sendAt(mailer, '2026-03-10T10:00:00.000Z'),
    ];
    clock.set('2026-03-10T15:00:00.000Z');
    await report(
      {
        type: 'bounced',
        messageId: hard.messageId,
        bounce: 'hard',
        reason: '5.1.1 no',
        at: '2026-03-10T13:00:00.000Z',
      },
      {
        type: 'bounced',
        messageId: soft.messageId,
        bounce: 'soft',
        reason: '4.2.2 full',
        at: '2026-03-10T13:00:00.001Z',
      },
    );
    const all = await expectStats(mailer, { bounced: 2 });
    expect(all).toMatchObject({ sent: 2, delivered: 0, hardBounced: 1, softBounced: 1, bounced: 2 });
    expect(all.rates).toMatchObject({ deliveryRate: 0, bounceRate: 1 });
    const until = await statsOf(mailer, { endTime: '2026-03-10T13:00:00.000Z' });
    expect(until).toMatchObject({ sent: 2, delivered: 0, bounced: 1, hardBounced: 1, softBounced: 0 });
    const since = await statsOf(mailer, { startTime: '2026-03-10T13:00:00.001Z' });
    expect(since).toMatchObject({ sent: 0, bounced: 1, hardBounced: 0, softBounced: 1 });
  });

  it('counts as one bounce, the hard one, when it bounced softly before', async () => {
    const mailer = await newMailer();
    const report = await reporter(t, mailer);
    const { messageId } = await sendAt(mailer, '2026-03-10T10:00:00.000Z');
    clock.set('2026-03-10T15:00:00.000Z');
    await report({ type: 'bounced', messageId, bounce: 'soft', reason: '4.2.2 full', at: '2026-03-10T11:00:00.000Z' });
    await expectStats(mailer, { softBounced: 1 });
    await report({ type: 'bounced', messageId, bounce: 'hard', reason: '5.1.1 no', at: '2026-03-10T12:00:00.000Z' });
    const all = await expectStats(mailer, { hardBounced: 1 });
    expect(all).toMatchObject({ bounced: 1, hardBounced: 1, softBounced: 0, delivered: 0 });
  });
});

describe('a message that no mail server took', () => {
  it('is sent and bounced when it was refused for good', async () => {
    const mailer = await newMailer();
    post.server.refuse = (to) => (to === 'nobody@x.io' ? { code: 550, text: '5.1.1 No such user' } : undefined);
    clock.set('2026-03-10T10:00:00.500Z');
    await mailer.contact('nobody@x.io');
    await mailer.until(await mailer.queue({ email: 'nobody@x.io' }), 'bounced');
    const figures = { sent: 1, delivered: 0, bounced: 1, hardBounced: 1, softBounced: 0, failed: 0 };
    expect(await statsOf(mailer)).toMatchObject(figures);
    const at = '2026-03-10T10:00:00.500Z';
    expect(await statsOf(mailer, { startTime: at, endTime: at })).toMatchObject(figures);
  });

  it('failed in the moment that it was given up, and was never sent', async () => {
    const mailer = await newMailer();
    post.server.refuse = (to) => (to === 'later@x.io' ? { code: 451, text: '4.3.0 Later' } : undefined);
    clock.set('2026-03-10T10:00:00.000Z');
    await mailer.contact('later@x.io');
    const messageId = await mailer.queue({ email: 'later@x.io' });
    await eventually(
      () => mailer.message(messageId),
      ({ attempts }) => attempts.length > 0,
    );
    expect(await statsOf(mailer)).toMatchObject({ sent: 0, failed: 0 });
    const givenUpAt = new Date(Date.now() + 48 * 3_600_000).toISOString();
    clock.set(givenUpAt);
    await mailer.until(messageId, 'failed');
    expect(await statsOf(mailer)).toMatchObject({ sent: 0, delivered: 0, bounced: 0, failed: 1 });
    expect(await statsOf(mailer, { startTime: givenUpAt, endTime: givenUpAt })).toMatchObject({ failed: 1 });
    expect(await statsOf(mailer, { endTime: new Date(Date.parse(givenUpAt) - 1).toISOString() })).toMatchObject({
      failed: 0,
    });
  });

  it('is in no figure while it waits, is skipped, or was a test', async () => {
    const mailer = await newMailer();
    await mailer.contact('waits@x.io');
    await mailer.queue({ email: 'waits@x.io', sendAt: '2099-01-01' });
    await mailer.contact('suppressed@x.io');
    await mailer.put('/v2/suppressions/suppressed@x.io');
    await mailer.until(await mailer.queue({ email: 'suppressed@x.io' }), 'skipped');
    expect((await mailer.post(`/v2/emails/${mailer.emailId}/test-send`, { to: 'me@x.io' })).status).toBe(200);
    const shown = await statsOf(mailer);
    for (const name of countNames) expect(shown[name], name).toBe(0);
    expect(shown).toMatchObject({ series: [], links: [], defaultSent: 0, personalizedSent: 0 });
  });
});

describe('what people do with a message', () => {
  it('is counted each time, and once for the message in the moment of the first', async () => {
    const mailer = await newMailer();
    const { links } = await sendAt(mailer, '2026-03-10T10:00:00.000Z');
    await follow('2026-03-10T11:30:00.000Z', links.open);
    await follow('2026-03-11T11:30:00.000Z', links.open);
    await follow('2026-03-11T12:00:00.000Z', links.clicks[0] as string);
    await follow('2026-03-12T12:00:00.000Z', links.clicks[0] as string);
    const all = await expectStats(mailer, { opened: 2, clicked: 2 });
    expect(all).toMatchObject({ uniqueOpened: 1, uniqueClicked: 1, machineOpened: 0, machineClicked: 0 });
    expect(all.rates).toEqual({
      ...{ deliveryRate: 1, openRate: 1, clickRate: 1, clickToOpenRate: 1, bounceRate: 0, unsubscribeRate: 0 },
    });
    const first = await statsOf(mailer, { endTime: '2026-03-11T11:29:59.999Z' });
    expect(first).toMatchObject({ opened: 1, uniqueOpened: 1, clicked: 0, uniqueClicked: 0 });
    const later = await statsOf(mailer, { startTime: '2026-03-10T11:30:00.001Z' });
    expect(later).toMatchObject({ opened: 1, uniqueOpened: 0, clicked: 2, uniqueClicked: 1 });
    const last = await statsOf(mailer, { startTime: '2026-03-12T00:00:00Z' });
    expect(last).toMatchObject({ opened: 0, uniqueOpened: 0, clicked: 1, uniqueClicked: 0 });
  });

  it('is kept apart from what programs do', async () => {
    const mailer = await newMailer();
    const { links } = await sendAt(mailer, '2026-03-10T10:00:00.000Z');
    await follow('2026-03-10T10:00:01.000Z', links.open);
    await follow('2026-03-10T10:00:02.000Z', links.clicks[0] as string);
    await follow('2026-03-10T11:00:00.000Z', links.open, program);
    const programs = await expectStats(mailer, { machineOpened: 2, machineClicked: 1 });
    expect(programs).toMatchObject({ opened: 0, uniqueOpened: 0, clicked: 0, uniqueClicked: 0 });
    await follow('2026-03-10T12:00:00.000Z', links.open);
    const all = await expectStats(mailer, { opened: 1 });
    expect(all).toMatchObject({ uniqueOpened: 1, machineOpened: 2, machineClicked: 1 });
    expect(await statsOf(mailer, { endTime: '2026-03-10T11:59:59.999Z' })).toMatchObject({ uniqueOpened: 0 });
  });

  it('becomes what a program did when a run of clicks shows that after the fact', async () => {
    const mailer = await newMailer();
    const { links } = await sendAt(mailer, '2026-03-10T10:00:00.000Z');
    await follow('2026-03-10T11:00:00.000Z', links.clicks[0] as string);
    await expectStats(mailer, { clicked: 1, uniqueClicked: 1 });
    await follow('2026-03-10T11:00:01.000Z', links.clicks[1] as string);
    const all = await expectStats(mailer, { machineClicked: 2 });
    expect(all).toMatchObject({ clicked: 0, uniqueClicked: 0 });
    expect(all.links).toEqual([
      { url: 'https://shop.test/a', clicked: 0, uniqueClicked: 0, machineClicked: 1 },
      { url: 'https://shop.test/b', clicked: 0, uniqueClicked: 0, machineClicked: 1 },
    ]);
  });

  it('counts as an open for clickToOpenRate alone, when it clicks and no open was recorded', async () => {
    const mailer = await newMailer();
    const both = await sendAt(mailer, '2026-03-10T10:00:00.000Z');
    const clicks = await sendAt(mailer, '2026-03-10T10:00:00.000Z');
    const opens = await sendAt(mailer, '2026-03-10T10:00:00.000Z');
    await sendAt(mailer, '2026-03-10T10:00:00.000Z');
    await follow('2026-03-10T11:00:00.000Z', both.links.open);
    await follow('2026-03-10T11:01:00.000Z', both.links.clicks[0] as string);
    await follow('2026-03-10T11:02:00.000Z', clicks.links.clicks[0] as string);
    await follow('2026-03-10T11:03:00.000Z', opens.links.open);
    const { rates, ...all } = await expectStats(mailer, { opened: 2, clicked: 2 });
    expect(all).toMatchObject({ uniqueOpened: 2, uniqueClicked: 2, delivered: 4 });
    expect(rates).toMatchObject({ openRate: 0.5, clickRate: 0.5, clickToOpenRate: 2 / 3 });
  });

  it('never makes a rate above 1, however much more there is in a window than was sent in it', async () => {
    const mailer = await newMailer();
    for (let i = 0; i < 2; i++) {
      const { links } = await sendAt(mailer, '2026-03-10T10:00:00.000Z');
      await follow('2026-03-11T11:00:00.000Z', links.open);
    }
    await sendAt(mailer, '2026-03-11T10:00:00.000Z');
    await expectStats(mailer, { opened: 2 });
    const { uniqueOpened, delivered, rates } = await statsOf(mailer, { startTime: '2026-03-11' });
    expect({ uniqueOpened, delivered, openRate: rates.openRate }).toEqual({
      uniqueOpened: 2,
      delivered: 1,
      openRate: 1,
    });
  });

  it('may be to unsubscribe, which coming back does not take away, or to complain', async () => {
    const mailer = await newMailer();
    const report = await reporter(t, mailer);
    const gone = await sendAt(mailer, '2026-03-10T10:00:00.000Z');
    clock.set('2026-03-10T12:00:00.000Z');
    expect((await t.anonymous.post(gone.links.unsubscribe)).status).toBe(200);
    await expectStats(mailer, { unsubscribed: 1 });
    await mailer.delete(`/v2/suppressions/${gone.address}`);
    const angry = await sendAt(mailer, '2026-03-10T13:00:00.000Z');
    clock.set('2026-03-10T15:00:00.000Z');
    await report({ type: 'complained', messageId: angry.messageId, at: '2026-03-10T14:00:00.000Z' });
    const all = await expectStats(mailer, { complained: 1 });
    expect(all).toMatchObject({ sent: 2, delivered: 2, unsubscribed: 1, rates: { unsubscribeRate: 0.5 } });
    const until = await statsOf(mailer, { endTime: '2026-03-10T12:00:00.000Z' });
    expect(until).toMatchObject({ unsubscribed: 1, complained: 0 });
    expect(await statsOf(mailer, { endTime: '2026-03-10T11:59:59.999Z' })).toMatchObject({ unsubscribed: 0 });
    expect(await statsOf(mailer, { startTime: '2026-03-10T14:00:00.000Z' })).toMatchObject({ complained: 1 });
  });
});

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

  it('have its own links, most clicked first, even where another email leads to the same address', async () => {
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
    // A part of an hour is shown under the hour that it is of.
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
  it('is taken with any offset, as a date alone, and in snake_case', async () => {
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

  it('holds nothing when it ends before it begins', async () => {
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

describe('an email that is not there', () => {
  it.each(['a'.repeat(24), 'no-id', '%00'])('is not found: %s', async (id) => {
    const mailer = await newMailer();
    const { status, body } = await mailer.get(`/v2/emails/${id}/stats`);
    expect([status, body.errors[0].errorCode]).toEqual([404, 'NOT_FOUND']);
  });

  it('is not found after it was deleted, as it is not when it is read', async () => {
    const mailer = await newMailer();
    await sendAt(mailer, '2026-03-10T10:00:00.000Z');
    await mailer.delete(`/v2/emails/${mailer.emailId}`);
    const [record, shown] = [await mailer.get(`/v2/emails/${mailer.emailId}`), await mailer.get(pathOf(mailer))];
    expect([shown.status, shown.body.errors]).toEqual([record.status, record.body.errors]);
    expect(shown.status).toBe(404);
  });
});
