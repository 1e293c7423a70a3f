// What each figure means, one by one, and that figures outlive erased people.
import { beforeEach, describe, expect, it } from 'vitest';
import { useDatabase } from '../../../../test/database.js';
import { at, clicked, emailId, ever, figureRows, opened, sentAt, some, within } from '../../../../test/figure-rows.js';
import { type Ledger, openLedger } from '../../../../test/ledger.js';
import type { Fate } from '../fates/fate.js';
import type { FigureSubject } from './queries.js';
import { recountMessages } from './recount.js';

const t = useDatabase();
let ledger: Ledger;
beforeEach(async () => {
  ledger = await openLedger(t);
});
const bounced = (messageId: string, time: string, isHard: boolean): Fate => ({
  ...{ what: 'bounced', messageId, at: at(time), isHard, suppresses: false, reason: null },
});
const moment = (time: string) => within(time, time);

const { sent, rows, figures } = figureRows(t, () => ledger);

describe('delivered', () => {
  it('counts accepted messages that did not bounce, at the time of sending', async () => {
    const [, back] = [await sent(), await sent()];
    await ledger.hear(bounced(back, '10:00:00.000', false));
    expect(await figures(moment('09:30:00.000'))).toEqual({ sent: 2, delivered: 1 });
    expect(await figures(moment('10:00:00.000'))).toEqual({ softBounced: 1 });
  });

  it('counts at the time of the provider’s report, if there is one', async () => {
    await ledger.hear({ what: 'delivered', messageId: await sent(), at: at('09:31:00.000') });
    expect(await figures(moment('09:30:00.000'))).toEqual({ sent: 1 });
    expect(await figures(moment('09:31:00.000'))).toEqual({ delivered: 1 });
  });

  it('stays if a bounce was before the report, and is subtracted if one came at that time or later', async () => {
    const [before, with_, after] = [await sent(), await sent(), await sent()];
    for (const messageId of [before, with_, after])
      await ledger.hear({ what: 'delivered', messageId, at: at('11:00:00.000') });
    await ledger.hear(
      bounced(before, '10:59:59.999', false),
      bounced(with_, '11:00:00.000', false),
      bounced(after, '12:00:00.000', true),
    );
    expect(await figures()).toEqual({ sent: 3, delivered: 1, softBounced: 2, hardBounced: 1 });
  });
});

describe('bounces', () => {
  it('are hard or soft, never both: a hard one replaces a soft one', async () => {
    const messageId = await sent();
    await ledger.hear(bounced(messageId, '10:00:00.000', false));
    await ledger.hear(bounced(messageId, '12:00:00.000', true), bounced(messageId, '13:00:00.000', true));
    expect(await figures()).toEqual({ sent: 1, hardBounced: 1 });
    expect(await figures(within('12:00:00.000', '12:00:00.000'))).toEqual({ hardBounced: 1 });
  });

  it('by refusal count as sent and as hard bounces, and never as delivered', async () => {
    const messageId = await ledger.queue({ emailId });
    await ledger.record(messageId, 'refused', sentAt, { reason: '550 5.1.1 no' });
    expect(await figures(moment('09:30:00.000'))).toEqual({ sent: 1, hardBounced: 1 });
  });
});

describe('failed', () => {
  it('counts at the time it was given up', async () => {
    await ledger.record(await ledger.queue({ emailId }), 'failed', at('09:30:00.000'));
    expect(await figures(moment('09:30:00.000'))).toEqual({ failed: 1 });
  });

  it('is subtracted if the message turns out to have been sent', async () => {
    const messageId = await ledger.queue({ emailId });
    await ledger.record(messageId, 'failed', at('08:10:00.000'));
    await ledger.record(messageId, 'sent', sentAt);
    expect(await figures()).toEqual({ sent: 1, delivered: 1 });
  });
});

describe('opens and clicks', () => {
  it('count each time, separately for people and programs; the first by a person counts once', async () => {
    const messageId = await sent();
    await ledger.hear(
      opened(messageId, '10:20:00.000'),
      opened(messageId, '10:10:00.000', 'GoogleImageProxy'),
      opened(messageId, '10:15:00.000'),
      clicked(messageId, '10:30:00.000'),
      clicked(messageId, '10:40:00.000'),
      clicked(messageId, '10:25:00.000', 'https://shop.test/a', 'Barracuda'),
    );
    const { sent: _, delivered: __, ...engaged } = await figures();
    expect(engaged).toEqual({
      ...{ opened: 2, uniqueOpened: 1, machineOpened: 1, clicked: 2, uniqueClicked: 1, machineClicked: 1 },
    });
    expect(await figures(moment('10:15:00.000'))).toEqual({ opened: 1, uniqueOpened: 1 });
    expect(await figures(moment('10:30:00.000'))).toEqual({ clicked: 1, uniqueClicked: 1 });
  });

  it('count clicks without an open separately, until there is one', async () => {
    const messageId = await sent();
    await ledger.hear(clicked(messageId, '10:30:00.000'));
    expect(await figures(moment('10:30:00.000'))).toEqual({ clicked: 1, uniqueClicked: 1, clickOnly: 1 });
    await ledger.hear(opened(messageId, '11:00:00.000'));
    expect(await figures(moment('10:30:00.000'))).toEqual({ clicked: 1, uniqueClicked: 1 });
  });

  it('move if a click turns out to be a machine’s', async () => {
    const messageId = await ledger.queue({ emailId });
    await ledger.record(messageId, 'sent', sentAt, { links: 2 });
    await ledger.hear(clicked(messageId, '10:59:55.000'));
    await ledger.fold();
    const second: Fate = { ...clicked(messageId, '11:00:01.000', 'https://shop.test/b'), linkNo: 1 } as Fate;
    await ledger.hear(second);
    expect(await figures()).toEqual({ sent: 1, delivered: 1, machineClicked: 2 });
    expect((await rows({ kind: 'links' })).map(some)).toEqual([{ machineClicked: 1 }, { machineClicked: 1 }]);
  });
});

describe('unsubscribed and complained', () => {
  it('count a message once, at the first time; subscribing again does not undo it', async () => {
    const messageId = await sent();
    const out = (time: string): Fate => ({ what: 'unsubscribed', messageId, at: at(time) });
    await ledger.hear(out('10:00:00.000'), out('10:30:00.000'));
    await ledger.hear({ what: 'resubscribed', messageId, at: at('11:00:00.000') }, out('12:00:00.000'));
    for (const time of ['13:00:00.000', '14:00:00.000'])
      await ledger.hear({ what: 'complained', messageId, at: at(time) });
    expect(await figures()).toEqual({ sent: 1, delivered: 1, unsubscribed: 1, complained: 1 });
    expect(await figures(moment('10:00:00.000'))).toEqual({ unsubscribed: 1 });
    expect(await figures(moment('13:00:00.000'))).toEqual({ complained: 1 });
  });
});

it('windows include both ends, to the millisecond, folded or not', async () => {
  await ledger.record(await ledger.queue({ emailId }), 'sent', at('09:59:59.999'));
  await ledger.record(await ledger.queue({ emailId }), 'sent', at('10:00:00.000'));
  await ledger.record(await ledger.queue({ emailId }), 'sent', at('12:00:00.000'));
  for (let folded = 0; folded < 2; folded++) {
    const sentIn = async (from: string, to: string) => (await figures(within(from, to))).sent ?? 0;
    expect(await sentIn('09:59:59.999', '12:00:00.000')).toBe(3);
    expect(await sentIn('10:00:00.000', '12:00:00.000')).toBe(2);
    expect(await sentIn('10:00:00.000', '11:59:59.999')).toBe(1);
    expect(await sentIn('10:00:00.001', '11:59:59.999')).toBe(0);
    expect(await sentIn('12:00:00.000', '09:59:59.999')).toBe(0);
    await ledger.fold();
  }
});

it('tests are not counted, nor are links clicked in one', async () => {
  const messageId = await ledger.queue({ emailId, kind: 'test' });
  await ledger.record(messageId, 'sent', sentAt);
  await ledger.hear(opened(messageId, '10:00:00.000'), clicked(messageId, '10:01:00.000'));
  expect([
    await figures(),
    await figures(within('09:15:00.000', '10:30:00.000')),
    await rows({ kind: 'links' }),
  ]).toEqual([{}, {}, []]);
  expect(await recountMessages(t.db, ledger.tenantId)).toEqual([]);
});

it('an email’s versions, a journey’s steps, the arms of splits and domains have figures of their own', async () => {
  const [journeyId, other] = ['a'.repeat(24), 'b'.repeat(24)] as const;
  const arms = { first: 'A:1', second: 'B' };
  const messageId = await ledger.queue({ emailId, kind: 'journey', journeyId, stepId: 's', arms, address: 'a@x.io' });
  await ledger.record(messageId, 'sent', sentAt, { version: 'default' });
  await ledger.record(await ledger.queue({ emailId, address: 'b@y.io' }), 'sent', sentAt, { version: 'personalized' });
  for (let folded = 0; folded < 2; folded++) {
    const shown = async (of: FigureSubject) =>
      (await rows(of)).map(({ since: _, ...row }) =>
        Object.fromEntries(Object.entries(row).filter(([, value]) => value !== 0)),
      );
    const both = { sent: 1, delivered: 1 };
    expect(await shown({ kind: 'email', emailId })).toEqual([
      { ...both, emailId, version: 'default' },
      { ...both, emailId, version: 'personalized' },
    ]);
    expect(await shown({ kind: 'journeys', journeyIds: [other, journeyId] })).toEqual([
      { ...both, journeyId, stepId: 's', emailId },
    ]);
    expect(await shown({ kind: 'journeys', journeyIds: [other] })).toEqual([]);
    expect(await shown({ kind: 'arms', journeyId })).toEqual([
      { ...both, journeyId, stepId: 'first', arm: 'A:1' },
      { ...both, journeyId, stepId: 'second', arm: 'B' },
    ]);
    expect(await shown({ kind: 'domains' })).toEqual([
      { ...both, domain: 'x.io' },
      { ...both, domain: 'y.io' },
    ]);
    await ledger.fold();
  }
});

it('intervals are those with counts, oldest first', async () => {
  const messageId = await sent();
  await ledger.hear(opened(messageId, '12:00:00.000'));
  await ledger.hear({ what: 'complained', messageId, at: '2026-11-17T08:00:00.000Z' });
  for (const window of [ever, { from: at('09:30:00.000'), to: '2026-11-17T08:00:00.000Z' }]) {
    const series = async (grain: 'hour' | 'day') =>
      (await rows({ kind: 'tenant' }, window, grain)).map((row) => [row.since, some(row)]);
    expect(await series('hour')).toEqual([
      [at('09:00:00.000'), { sent: 1, delivered: 1 }],
      [at('12:00:00.000'), { opened: 1, uniqueOpened: 1 }],
      ['2026-11-17T08:00:00.000Z', { complained: 1 }],
    ]);
    expect(await series('day')).toEqual([
      [at('00:00:00.000'), { sent: 1, delivered: 1, opened: 1, uniqueOpened: 1 }],
      ['2026-11-17T00:00:00.000Z', { complained: 1 }],
    ]);
  }
});
