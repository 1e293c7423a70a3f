// GET /v2/emails/{id}/stats, from messages that were really sent, links that were really followed, and provider reports.
import { countNames } from '@rapport/contract';
import { describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { emailStatsOf, expectStats, statsOf } from '../../../test/email-stats.js';
import { eventually } from '../../../test/messages.js';
import { program, reporter, useOldQueue, usePost } from '../../../test/statistics.js';

const post = usePost();
const t = useApp(post.options);
useOldQueue(t);

const { clock, newMailer, sendAt, follow } = emailStatsOf(post, t);

describe('a message that a mail server took', () => {
  it('is sent and delivered at the moment it was sent, to the millisecond', async () => {
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

  it('is delivered when the provider says so, and at no other moment', async () => {
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

  it('is no longer delivered once it bounced, and bounces at that moment', async () => {
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

  it('failed at the moment it was given up, and was never sent', async () => {
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
  it('is counted each time, and once per message at the moment of the first', async () => {
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

  it('is counted separately from what programs do', async () => {
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

  it('is attributed to a program if a later run of clicks shows that', async () => {
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

  it('counts as an open only for clickToOpenRate, if it is a click and no open was recorded', async () => {
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

  it('may be to unsubscribe, which subscribing again does not undo, or to complain', async () => {
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
