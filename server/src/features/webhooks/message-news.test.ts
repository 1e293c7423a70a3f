// What becomes of messages reaches subscriptions, from a real mail server's answer to a click on a link.
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

it('tells of messages in the order in which things happened to them', async () => {
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
