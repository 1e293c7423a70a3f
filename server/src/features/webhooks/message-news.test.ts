// What happens to messages reaches subscriptions, from a real mail server's answer to a click on a link.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { eventually, type MailServer, makeMailer, startMailServer } from '../../../test/messages.js';
import { useReceiver } from '../../../test/receiver.js';
import { smtpTransport } from '../../mail/smtp.js';

let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.close());

const receiver = useReceiver();
let transport: ReturnType<typeof smtpTransport>;
const t = useApp(() => {
  transport = smtpTransport(server.url);
  return { work: true, webhooks: { allowPrivate: true }, transport };
});

it('reports what happens to messages, in order', async () => {
  const mailer = await makeMailer(t);
  const events = ['message.sent', 'message.opened', 'message.bounced', 'contact.unsubscribed'];
  const made = await mailer.post('/v2/webhooks', { url: receiver.url, events });
  expect(made.status).toBe(200);
  const contactId = await mailer.contact('ada@example.com');
  const messageId = await mailer.queue({ contactId });
  await mailer.until(messageId, 'sent');
  await mailer.contact('gone@example.com');
  server.refuse = (to) => (to === 'gone@example.com' ? { code: 550, text: '5.1.1 no such user' } : undefined);
  const bounced = await mailer.queue({ email: 'gone@example.com' });
  await mailer.until(bounced, 'bounced');
  await eventually(
    async () => receiver.told,
    (all) => all.some(({ type }) => type === 'message.bounced'),
  );
  const ofAda = receiver.told.filter(({ data }) => data.contactId === contactId);
  expect(ofAda).toEqual([
    {
      type: 'message.sent',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      data: {
        ...{ messageId, contactId, email: 'ada@example.com', emailId: mailer.emailId },
        ...{ journeyId: null, enrolmentId: null, stepId: null, at: ofAda[0].timestamp },
      },
    },
  ]);
  const others = receiver.told.filter(({ data }) => data.messageId === bounced).map(({ type }) => type);
  expect(others).toEqual(['message.sent', 'message.bounced']);
});

it('announces each unsubscription once: by a message, by a provider that names only an address, or by hand', async () => {
  const mailer = await makeMailer(t, { html: '<a href="{{unsubscribe_url}}">Unsubscribe</a>' });
  await mailer.post('/v2/webhooks', { url: receiver.url, events: ['contact.unsubscribed'] });
  const ids = { ada: '', bob: '', cy: '' };
  for (const name of ['ada', 'bob', 'cy'] as const) ids[name] = await mailer.contact(`${name}@shop.test`);
  const of = (contactId: string) => receiver.told.filter(({ data }) => data.contactId === contactId);
  const heard = (contactId: string, count: number) =>
    eventually(
      async () => of(contactId),
      (all) => all.length >= count,
    );
  const unsubscribed = async (contactId: string, isSo: boolean) =>
    eventually(
      async () => (await mailer.get(`/v2/contacts/${contactId}`)).body.data.properties.unsubscribed === true,
      (found) => found === isSo,
    );

  // Through two messages sent before: one unsubscription.
  const messages = [await mailer.queue({ contactId: ids.ada }), await mailer.queue({ contactId: ids.ada })];
  for (const messageId of messages) {
    await mailer.until(messageId, 'sent');
    const text = server.to('ada@shop.test').find(({ raw }) => raw.includes(messageId))?.mail.html ?? '';
    const link = /http:\/\/rapport\.test(\/t\/u\/[^"]+)"/.exec(text)?.[1] ?? '';
    expect((await t.anonymous.post(link, '', { 'content-type': 'application/x-www-form-urlencoded' })).status).toBe(
      200,
    );
    await unsubscribed(ids.ada, true);
  }

  // By a provider that knows only the address, twice.
  const hook = (await t.admin.post(`/admin/tenants/${mailer.tenantId}/mail-hooks`, { provider: 'generic' })).body.data;
  const path = new URL(hook.url).pathname;
  for (let i = 0; i < 2; i++)
    expect((await t.anonymous.post(path, { events: [{ type: 'unsubscribed', email: 'bob@shop.test' }] })).status).toBe(
      200,
    );
  await unsubscribed(ids.bob, true);

  // By hand: undone, and done again.
  const suppression = '/v2/suppressions/cy@shop.test';
  await mailer.put(suppression, { reason: 'unsubscribed' });
  await unsubscribed(ids.cy, true);
  await mailer.delete(suppression);
  await unsubscribed(ids.cy, false);
  await mailer.put(suppression, { reason: 'unsubscribed' });

  const [byMessage] = await heard(ids.ada, 1);
  expect(byMessage).toMatchObject({
    type: 'contact.unsubscribed',
    data: { messageId: messages[0], emailId: mailer.emailId },
  });
  const [byAddress] = await heard(ids.bob, 1);
  expect(byAddress.data).toEqual({
    ...{ contactId: ids.bob, email: 'bob@shop.test', at: byAddress.timestamp },
    ...{ messageId: null, emailId: null, journeyId: null, enrolmentId: null, stepId: null },
  });
  await heard(ids.cy, 2);
  expect([of(ids.ada).length, of(ids.bob).length, of(ids.cy).length]).toEqual([1, 1, 2]);
});
