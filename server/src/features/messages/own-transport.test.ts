// A tenant with its own mail server: its mail is sent through that server only.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { type MailServer, makeMailer, startMailServer } from '../../../test/messages.js';
import { smtpTransport } from '../../mail/smtp.js';

// Started before the app so that it is closed after it: closing waits for connections that the app keeps open for a while.
let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.close());
const t = useApp({
  work: true,
  connectTransport: (smtpUrl, maxConnections) => Promise.resolve(smtpTransport(smtpUrl, { maxConnections })),
});

it('sends a tenant’s mail over its own server', async () => {
  const mailer = await makeMailer(t);
  await mailer.contact('own@x.io');
  await t.admin.put(`/admin/tenants/${mailer.tenantId}/transport`, { smtpUrl: server.url });
  const message = await mailer.until(await mailer.queue({ email: 'own@x.io' }), 'sent');
  expect(message.attempts).toMatchObject([{ outcome: 'sent', reply: expect.stringMatching(/^250 /) }]);
  expect(server.to('own@x.io')).toHaveLength(1);
});
