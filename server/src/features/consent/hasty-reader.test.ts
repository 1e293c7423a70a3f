// Somebody unsubscribes before the sender has stored that the mail left, or after it was killed right there.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { logOf, makeTopic, statesOf } from '../../../test/consent.js';
import { urlencoded } from '../../../test/forms.js';
import { eventually, type Mailer, type MailServer, makeMailer, startMailServer } from '../../../test/messages.js';
import { smtpTransport } from '../../mail/smtp.js';
import type { Transport } from '../../mail/transport.js';

let server: MailServer;
let smtp: Transport;
let mailer: Mailer;
let status = 0;
const t = useApp({
  work: true,
  transport: { name: 'smtp', send: (message, stored) => smtp.send(message, stored), close: () => undefined },
});
beforeAll(async () => {
  server = await startMailServer({
    // The link is followed before the mail server says that it took the mail.
    onData: async (stream, _session, done) => {
      const raw = Buffer.concat(await stream.toArray()).toString('latin1');
      const link = /\/t\/u\/[\w-]+/.exec(raw.replace(/=\r\n/g, ''))?.[0] ?? '';
      status = (await t.anonymous.post(link, 'List-Unsubscribe=One-Click', urlencoded)).status;
      done();
    },
  });
  smtp = smtpTransport(server.url);
  mailer = await makeMailer(t);
});
afterAll(async () => {
  smtp.close();
  await server.close();
});

it('ends the topic of the mail, and not everything', async () => {
  const topicId = await makeTopic(mailer, 'News', { byDefault: 'subscribed' });
  await mailer.patch(`/v2/emails/${mailer.emailId}`, { topicId });
  const contactId = await mailer.contact('hasty@example.com');
  await mailer.until(await mailer.queue({ contactId }), 'sent');
  expect(status).toBe(200);
  expect(await statesOf(mailer, contactId)).toEqual({ news: 'unsubscribed' });
  expect(await logOf(mailer, contactId)).toEqual([['unsubscribed', 'oneClick']]);
  expect((await mailer.get('/v2/suppressions?search=hasty')).body.data).toEqual([]);
});

it('ends everything where the email has no topic', async () => {
  await mailer.patch(`/v2/emails/${mailer.emailId}`, { topicId: null });
  const contactId = await mailer.contact('all@example.com');
  await mailer.until(await mailer.queue({ contactId }), 'sent');
  const suppressed = async () => (await mailer.get('/v2/suppressions?search=all')).body.data;
  expect(await eventually(suppressed, ({ length }) => length === 1)).toMatchObject([{ reason: 'unsubscribed' }]);
});
