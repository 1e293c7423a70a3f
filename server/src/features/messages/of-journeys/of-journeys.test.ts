import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { useApp } from '../../../../test/app.js';
import { makeEmail } from '../../../../test/emails.js';
import { eventually, type Mailer, type MailServer, makeMailer, startMailServer } from '../../../../test/messages.js';
import { bytes, sql } from '../../../db/sql.js';
import { newAssetId, newContactId, newMessageUuid } from '../../../lib/ids.js';
import { smtpTransport } from '../../../mail/smtp.js';
import { type MessageNews, messagesMoved } from '../news.js';
import { skipJourneyMessages } from './hold-journeys.js';
import { holdJourney, releaseJourney } from './queries.js';
import { type JourneyMessage, queueJourneyMessages } from './queue-messages.js';

let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.close());
const t = useApp(() => ({ work: true, transport: smtpTransport(server.url) }));

let own: Mailer;
let journeyId: string;
let contactId: string;
let told: MessageNews[];
beforeEach(async () => {
  own = await makeMailer(t, {
    subject: 'Order {{event.order.id}}',
    html: '<p>{{event.items[0]}} {{webhook.coupon | default: "none"}}</p><a href="https://shop.test/">Shop</a>',
  });
  journeyId = newAssetId();
  contactId = await own.contact('ada@x.io');
  const mine: MessageNews[] = [];
  told = mine;
  const { tenantId } = own;
  messagesMoved.hear(t.db.identity, async (_tx, of, items) => {
    if (of === tenantId) mine.push(...items);
  });
});

function messageOf(more: Partial<JourneyMessage> = {}): JourneyMessage {
  return {
    ...{ messageId: newMessageUuid(), kind: 'journey', emailId: own.emailId, contactId, journeyId, runId: null },
    ...{ enrolmentId: newMessageUuid(), stepId: 'welcome', visit: 1, words: null, dueAt: new Date().toISOString() },
    ...{ cap: null, skipped: null, ...more },
  };
}
const queue = (...messages: JourneyMessage[]) =>
  t.db.transaction((tx) => queueJourneyMessages(tx, own.tenantId, messages, new Date().toISOString()));
const ofJourney = async (id = journeyId) => (await own.get(`/v2/messages?journeyId=${id}`)).body;
const later = (ms: number) => new Date(Date.now() + ms).toISOString();
const day = 86_400_000;

describe('a message of a journey', () => {
  it('is sent with the data of its event and webhook, and found by its journey', async () => {
    const message = messageOf({
      runId: newAssetId(),
      words: { event: { order: { id: 'o-7' }, items: ['Lamp'] }, webhook: { coupon: 'TEN' } },
    });
    expect(await queue(message)).toEqual([{ state: 'queued', reason: null }]);
    await own.until(message.messageId, 'sent');
    const [mail] = server.to('ada@x.io');
    expect(mail?.mail.subject).toBe('Order o-7');
    expect(mail?.mail.html).toContain('Lamp TEN');
    const { data, pagination } = await ofJourney();
    expect(pagination.totalElements).toBe(1);
    expect(data).toMatchObject([
      { messageId: message.messageId, kind: 'journey', journeyId, enrolmentId: message.enrolmentId, stepId: 'welcome' },
    ]);
    const activity = await eventually(
      async () => (await own.get(`/v2/contacts/${contactId}/marketing-activity`)).body.data,
      (rows) => rows.length > 0,
    );
    expect(activity).toMatchObject([{ eventName: 'sent', journeyId, journeyRunId: message.runId }]);
    expect(told).toMatchObject([
      {
        ...{
          type: 'sent',
          messageId: message.messageId,
          contactId,
          email: 'ada@x.io',
          emailId: own.emailId,
          journeyId,
        },
        ...{ enrolmentId: message.enrolmentId, stepId: 'welcome' },
      },
    ]);
  });

  it.each([[['first']], ['a text'], [7], [null]])('is sent whatever a webhook responded: %j', async (webhook) => {
    const message = messageOf({ words: { event: {}, webhook } });
    await queue(message);
    await own.until(message.messageId, 'sent', 'failed');
    expect(server.to('ada@x.io').at(-1)?.mail.html).toContain('none');
    expect(await own.message(message.messageId)).toMatchObject({ state: 'sent', subject: 'Order' });
  });

  it('is announced as opened and clicked, and by whom as far as known', async () => {
    const message = messageOf();
    await queue(message);
    await own.until(message.messageId, 'sent');
    const { html } = (server.to('ada@x.io').at(-1) as (typeof server.mails)[number]).mail;
    const link = /href="(http:\/\/rapport\.test[^"]+)"/.exec(html ?? '')?.[1] as string;
    await t.anonymous.get(new URL(link).pathname + new URL(link).search, { 'user-agent': 'Mozilla/5.0' });
    await eventually(
      async () => told.map(({ type }) => type),
      (types) => types.includes('clicked'),
    );
    expect(told.find(({ type }) => type === 'clicked')).toMatchObject({
      ...{ linkUrl: 'https://shop.test/', isMachine: expect.any(Boolean), enrolmentId: message.enrolmentId },
    });
    expect(told.find(({ type }) => type === 'sent')).not.toHaveProperty('isMachine');
  });

  it('is in the ledger once for an enrolment, step and visit', async () => {
    const message = messageOf({ dueAt: later(day) });
    await queue(message);
    await queue({ ...message, messageId: newMessageUuid() });
    expect((await ofJourney()).data).toHaveLength(1);
    await queue({ ...message, messageId: newMessageUuid(), visit: 2 });
    expect((await ofJourney()).data).toHaveLength(2);
  });

  it('is skipped if the email is gone or its step says so, and does not exist for an erased contact', async () => {
    const gone = await makeEmail(own, { name: 'Gone' });
    expect((await own.delete(`/v2/emails/${gone}`)).status).toBe(200);
    const messages = [
      messageOf({ emailId: gone }),
      messageOf({ skipped: 'holdout' }),
      messageOf({ contactId: newContactId() }),
      messageOf({ emailId: newAssetId() }),
    ];
    expect(await queue(...messages)).toEqual([
      { state: 'skipped', reason: 'emailDeleted' },
      { state: 'skipped', reason: 'holdout' },
      { state: null, reason: null },
      { state: 'skipped', reason: 'emailDeleted' },
    ]);
    expect((await ofJourney()).data).toHaveLength(3);
    const { timeline } = await own.message(messages[1]?.messageId as string);
    expect(timeline).toMatchObject([{ what: 'queued' }, { what: 'skipped', detail: 'holdout' }]);
  });
});

describe('a cap', () => {
  const cap = { messages: 2, perMs: day };
  const states = (all: { state: string | null; reason: string | null }[]) => all.map((one) => one.reason ?? one.state);

  it('counts over all journeys, within a call and across calls; transactional mail ignores it and does not count', async () => {
    const dueAt = later(7 * day);
    const first = await queue(
      messageOf({ cap, dueAt, kind: 'transactional' }),
      messageOf({ cap, dueAt, skipped: 'holdout' }),
      messageOf({ cap, dueAt, journeyId: newAssetId() }),
      messageOf({ cap, dueAt }),
      messageOf({ cap, dueAt }),
      messageOf({ cap, dueAt, kind: 'transactional' }),
      messageOf({ dueAt }),
    );
    expect(states(first)).toEqual(['queued', 'holdout', 'queued', 'queued', 'capped', 'queued', 'queued']);
    expect(states(await queue(messageOf({ cap, dueAt })))).toEqual(['capped']);
    expect(states(await queue(messageOf({ cap, dueAt: later(9 * day) })))).toEqual(['queued']);
  });

  it('does not count cancelled messages, or those to another contact', async () => {
    const other = await own.contact('bob@x.io');
    const dueAt = later(day);
    const one = messageOf({ cap: { messages: 1, perMs: day }, dueAt });
    expect(states(await queue(one))).toEqual(['queued']);
    expect(states(await queue({ ...one, ...messageOf({ cap: one.cap, dueAt }) }))).toEqual(['capped']);
    expect(states(await queue(messageOf({ cap: one.cap, dueAt, contactId: other })))).toEqual(['queued']);
    await own.post(`/v2/messages/${one.messageId}/cancel`);
    expect(states(await queue(messageOf({ cap: one.cap, dueAt })))).toEqual(['queued']);
  });

  it('counts sent messages by their time of sending', async () => {
    const sent = messageOf();
    await queue(sent);
    await own.until(sent.messageId, 'sent');
    const tight = { messages: 1, perMs: day };
    expect(states(await queue(messageOf({ cap: tight, dueAt: later(1000) })))).toEqual(['capped']);
    expect(states(await queue(messageOf({ cap: tight, dueAt: later(2 * day) })))).toEqual(['queued']);
  });
});

describe('a journey that is held', () => {
  const hold = (id = journeyId) => t.db.transaction((tx) => holdJourney(tx, own.tenantId, id));
  const release = (id = journeyId) => t.db.transaction((tx) => releaseJourney(tx, own.tenantId, id));
  const putOff = async () =>
    (
      await t.db.row(sql<{ n: number }>`
        select count(*) as n from message where tenant_id = ${own.tenantId} and held_due_at is not null`)
    )?.n;

  it('sends nothing, while others do; afterwards its messages are sent, and still show their original due time', async () => {
    await hold();
    const dueAt = later(0);
    const waits = messageOf({ dueAt });
    const urgent = messageOf({ dueAt, kind: 'transactional' });
    const free = messageOf({ dueAt, journeyId: newAssetId() });
    await queue(waits, urgent, free);
    await own.until(free.messageId, 'sent');
    await eventually(putOff, (n) => n === 2);
    expect(await own.message(waits.messageId)).toMatchObject({ state: 'queued', dueAt });
    expect(await own.message(urgent.messageId)).toMatchObject({ state: 'queued', dueAt });
    await release();
    await own.until(waits.messageId, 'sent');
    await own.until(urgent.messageId, 'sent');
    await eventually(
      async () => t.db.rows(sql`select 1 from message_hold where tenant_id = ${own.tenantId}`),
      (rows) => rows.length === 0,
    );
    expect(await putOff()).toBe(0);
  });

  it('puts messages that are not due yet back for their own time', async () => {
    const dueAt = later(day);
    const message = messageOf({ dueAt });
    await queue(message);
    await hold();
    await eventually(putOff, (n) => n === 1);
    await release();
    await eventually(putOff, (n) => n === 0);
    expect(await own.message(message.messageId)).toMatchObject({ state: 'queued', dueAt });
  });

  it('can be cancelled and stopped message by message, and held again', async () => {
    const [one, two] = [messageOf({ dueAt: later(day) }), messageOf({ dueAt: later(day) })];
    await queue(one, two);
    await hold();
    await eventually(putOff, (n) => n === 2);
    await own.post(`/v2/messages/${one.messageId}/cancel`);
    await release();
    await hold();
    expect(await own.message(one.messageId)).toMatchObject({ state: 'cancelled' });
    const skipped = await t.db.transaction((tx) =>
      skipJourneyMessages(tx, own.tenantId, journeyId, 'journeyStopped', 10),
    );
    expect(skipped).toBe(1);
    expect(await own.message(two.messageId)).toMatchObject({
      ...{ state: 'skipped', reason: 'journeyStopped', dueAt: two.dueAt },
    });
  });
});

describe('a journey that is stopped', () => {
  it('skips waiting messages, some at a time, and those to be retried; later messages are sent', async () => {
    const waiting = Array.from({ length: 3 }, () => messageOf({ dueAt: later(day) }));
    await queue(...waiting);
    const stop = (atMost: number) =>
      t.db.transaction((tx) => skipJourneyMessages(tx, own.tenantId, journeyId, 'journeyStopped', atMost));
    expect([await stop(2), await stop(2), await stop(2)]).toEqual([2, 1, 0]);
    for (const { messageId } of waiting)
      expect(await own.message(messageId)).toMatchObject({ state: 'skipped', reason: 'journeyStopped' });
    // As if a sender had held it when the journey stopped, and it was due for a retry.
    await t.db.run(sql`
      update message set state = 'queued', reason = null, due_at = now()
      where tenant_id = ${own.tenantId} and message_id = ${waiting[0]?.messageId as string}`);
    t.app.wake('messages');
    expect(await own.until(waiting[0]?.messageId as string, 'skipped', 'sent')).toMatchObject({
      ...{ state: 'skipped', reason: 'journeyStopped' },
    });
    const again = messageOf();
    await queue(again);
    await own.until(again.messageId, 'sent');
    const stops = await t.db.rows(sql`
      select 1 from message_stop where tenant_id = ${own.tenantId} and journey_id = ${bytes(journeyId)}`);
    expect(stops).toHaveLength(1);
  });
});
