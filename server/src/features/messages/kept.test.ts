// Without a mail server: messages kept in the outbox count as neither sent nor delivered, anywhere.
import { beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { eventually, type Mailer, makeMailer } from '../../../test/messages.js';
import { recountMessages } from './figures/recount.js';

const t = useApp({ work: true });
let mailer: Mailer;
beforeAll(async () => {
  mailer = await makeMailer(t);
});

const read = async (path: string) => (await mailer.get(path)).body.data;
const statsOf = (emailId: string) => read(`/v2/emails/${emailId}/stats`);
const activityOf = async (contactId: string): Promise<string[]> =>
  (await read(`/v2/contacts/${contactId}/marketing-activity`)).map(({ eventName }: { eventName: string }) => eventName);

/** A provider's report; resolves once it is applied. */
async function report(messageId: string, event: object): Promise<void> {
  const { body } = await t.admin.post(`/admin/tenants/${mailer.tenantId}/mail-hooks`, { provider: 'generic' });
  const reply = await t.anonymous.post(new URL(body.data.url).pathname, { events: [{ messageId, ...event }] });
  expect(reply.status, reply.text).toBe(200);
  await eventually(
    () => mailer.message(messageId),
    ({ reason }) => reason !== 'outbox',
  );
}

describe('a message that is kept in the outbox', () => {
  it('says so, and counts neither as sent nor as delivered', async () => {
    const contactId = await mailer.contact('kept@x.io');
    const messageId = await mailer.queue({ contactId });
    expect(await mailer.until(messageId, 'sent')).toMatchObject({
      ...{ state: 'sent', reason: 'outbox', deliveredAt: null },
      attempts: [{ outcome: 'sent', reply: 'kept in the outbox' }],
    });
    // Rapport is done with it: its timeline, conditions and journeys continue as they would with a mail server.
    await eventually(
      () => activityOf(contactId),
      (all) => all.length > 0,
    );
    expect(await activityOf(contactId)).toEqual(['sent']);
    // By this time the console knows that the activity is about a kept message.
    const [activity] = await read(`/v2/contacts/${contactId}/marketing-activity`);
    expect(activity.eventDate).toBe((await mailer.message(messageId)).sentAt);
    expect(await statsOf(mailer.emailId)).toMatchObject({ sent: 0, delivered: 0, rates: { deliveryRate: 0 } });
    expect(await read('/v2/stats/overview')).toMatchObject({ sent: 0, delivered: 0 });
    expect(await read('/v2/stats/domains')).toEqual([]);
    expect(await read('/v2/sending')).toMatchObject({ delivered: 0 });
    expect(await recountMessages(t.db, mailer.tenantId)).toEqual([]);
  });

  it.each([
    [{ type: 'delivered' }, { state: 'delivered', reason: null }, { sent: 1, delivered: 1, bounced: 0 }],
    [
      { type: 'bounced', bounce: 'hard', reason: '550 5.1.1 no' },
      { state: 'bounced', reason: '550 5.1.1 no' },
      { sent: 1, delivered: 0, hardBounced: 1 },
    ],
    [
      { type: 'bounced', bounce: 'soft', reason: '452 4.2.2 full' },
      { state: 'sent', reason: null },
      { sent: 1, delivered: 0, softBounced: 1 },
    ],
    [{ type: 'complained' }, { state: 'sent', reason: null }, { sent: 1, delivered: 1, complained: 1 }],
  ])('has left once somebody reports what came of it: %j', async (event, row, figures) => {
    mailer = await makeMailer(t);
    const contactId = await mailer.contact('left@x.io');
    const messageId = await mailer.queue({ contactId });
    await mailer.until(messageId, 'sent');
    await eventually(
      () => activityOf(contactId),
      (all) => all.length > 0,
    );
    await report(messageId, event);
    expect(await mailer.message(messageId)).toMatchObject(row);
    expect(await statsOf(mailer.emailId)).toMatchObject(figures);
    expect(await recountMessages(t.db, mailer.tenantId)).toEqual([]);
    const { delivered } = await read('/v2/sending');
    expect(delivered).toBe(figures.delivered);
  });

  it('may be a test send, too', async () => {
    const sent = await mailer.post(`/v2/emails/${mailer.emailId}/test-send`, { to: 'me@x.io' });
    expect(sent.status, sent.text).toBe(200);
    const [test] = await read('/v2/messages?email=me@x.io');
    expect(test).toMatchObject({ kind: 'test', state: 'sent', reason: 'outbox' });
    const [copy] = await read('/v2/outbox');
    expect(copy).toMatchObject({ to: 'me@x.io', kind: 'test' });
    expect(await read(`/v2/outbox/${encodeURIComponent(copy.messageId)}`)).toMatchObject({ kind: 'test' });
  });

  it('is distinguished from sent mail when messages are listed', async () => {
    mailer = await makeMailer(t);
    const [keptId, sentId, bouncedId] = [
      await mailer.queue({ contactId: await mailer.contact('stays@x.io') }),
      await mailer.queue({ contactId: await mailer.contact('leaves@x.io') }),
      await mailer.queue({ contactId: await mailer.contact('bounces@x.io') }),
    ];
    for (const id of [keptId, sentId, bouncedId]) await mailer.until(id, 'sent');
    await report(sentId, { type: 'complained' });
    await report(bouncedId, { type: 'bounced', bounce: 'hard', reason: '550 outbox' });
    const listed = async (query: string) => {
      const { body } = await mailer.get(`/v2/messages?${query}`);
      const ids = body.data.map(({ messageId }: { messageId: string }) => messageId);
      expect(body.pagination.totalElements).toBe(ids.length);
      return ids.toSorted();
    };
    expect(await listed('kept=true')).toEqual([keptId]);
    expect(await listed('state=sent&kept=false')).toEqual([sentId]);
    expect(await listed('kept=false')).toEqual([sentId, bouncedId].toSorted());
    expect(await listed('state=sent')).toEqual([keptId, sentId].toSorted());
    expect(await listed('state=bounced&kept=true')).toEqual([]);
    expect((await mailer.get('/v2/messages?kept=yes')).status).toBe(400);
    const kinds = (await read('/v2/outbox')).map(({ kind }: { kind: string }) => kind);
    expect(kinds).toEqual(['direct', 'direct', 'direct']);
  });
});
