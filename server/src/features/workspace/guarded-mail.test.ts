// A workspace's mail server is looked up when a message leaves: its name may lead elsewhere by then.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useApp } from '../../../test/app.js';
import { useDns } from '../../../test/dns.js';
import { eventually, type MailServer, makeMailer, startMailServer } from '../../../test/messages.js';
import { smtpTransport } from '../../mail/smtp.js';

let server: MailServer;
beforeAll(async () => {
  server = await startMailServer();
});
afterAll(() => server.close());
const dns = useDns();
const useMailApp = (allowPrivate: boolean) =>
  useApp(() => ({
    work: true,
    dnsServers: [dns.address],
    webhooks: { allowPrivate },
    connectTransport: (smtpUrl, maxConnections, locate) =>
      Promise.resolve(smtpTransport(smtpUrl, { maxConnections, locate })),
  }));
const t = useMailApp(false);
const open = useMailApp(true);
const portOf = () => new URL(server.url).port;

it('does not follow a name into the network, and says so', async () => {
  dns.set('A', 'mail.acme.example', '127.0.0.1');
  const mailer = await makeMailer(t);
  await mailer.contact('ada@x.io');
  const smtpUrl = `smtp://mail.acme.example:${portOf()}`;
  expect((await mailer.put('/v2/workspace/transport', { smtpUrl })).status).toBe(200);
  const messageId = await mailer.queue({ email: 'ada@x.io' });
  const tried = await eventually(
    () => mailer.message(messageId),
    ({ attempts }) => attempts.length > 0,
  );
  expect(tried.attempts[0]).toMatchObject({ reply: expect.stringContaining('not on the public internet') });
  expect(server.to('ada@x.io')).toHaveLength(0);
});

it('goes where the name leads when private addresses are allowed', async () => {
  dns.set('A', 'mail.acme.example', '127.0.0.1');
  const mailer = await makeMailer(open);
  await mailer.contact('grace@x.io');
  const smtpUrl = `smtp://mail.acme.example:${portOf()}`;
  expect((await mailer.put('/v2/workspace/transport', { smtpUrl })).status).toBe(200);
  await mailer.until(await mailer.queue({ email: 'grace@x.io' }), 'sent');
  expect(server.to('grace@x.io')).toHaveLength(1);
});
