// Mails as they are sent, caught by a server of the bench itself: as input for the bare limit, and for the tracking pixels.

import { setTimeout as sleep } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import { callJson } from '../server/test/process/tenant.js';

// Milliseconds for which a process keeps using a tenant's previous mail server.
const remembered = 6000;
// Headers that a mailer sets by itself.
const own = [
  'from',
  'to',
  'reply-to',
  'subject',
  'message-id',
  'date',
  'mime-version',
  'content-type',
  'dkim-signature',
];

/**
 * Sends a number of messages to the server here.
 * @param {{ service: { url: string }, admin: string, token: string, tenantId: number, emailId: string }} place
 * @param {number} count
 */
export async function catchMails({ service, admin, token, tenantId, emailId }, count) {
  /** @type {string[]} */
  const raws = [];
  const server = new SMTPServer({
    ...{ authOptional: true, disabledCommands: ['STARTTLS'], logger: false },
    onData: async (stream, _session, done) => {
      raws.push(Buffer.concat(await stream.toArray()).toString('latin1'));
      done();
    },
  });
  server.on('error', () => undefined);
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.server.address());
  const transport = `${service.url}/admin/tenants/${tenantId}/transport`;
  const smtpUrl = `smtp://127.0.0.1:${port}`;
  await callJson(transport, { token: admin, method: 'PUT', body: { smtpUrl } });
  await sleep(remembered);
  const messages = Array.from({ length: count }, (_, i) => ({ emailId, email: `p${i}@example.com` }));
  await callJson(`${service.url}/v2/messages/batch`, { token, method: 'POST', body: { messages } });
  while (raws.length < count) await sleep(20);
  await callJson(transport, { token: admin, method: 'DELETE' });
  await sleep(remembered);
  await new Promise((resolve) => server.close(() => resolve(undefined)));
  return Promise.all(raws.map(readMail));
}

/** @param {string} raw */
async function readMail(raw) {
  const { subject = '', html = '', text = '', headers } = await PostalMime.parse(raw);
  const pixel = /\/t\/o\/[\w-]+/.exec(html)?.[0];
  if (!pixel) throw new Error('A mail has no picture.');
  const others = headers.filter(({ key }) => !own.includes(key)).map(({ key, value }) => [key, value]);
  return { raw, subject, html, text, pixel, headers: Object.fromEntries(others) };
}
