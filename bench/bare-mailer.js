// The baseline for sending: nodemailer's own pool, which hands the same mail to the same server as fast as it accepts it.
import { createPrivateKey } from 'node:crypto';
import nodemailer from 'nodemailer';

/**
 * @typedef {{ url: string, connections: number, privateKey: string,
 *   mail: { subject: string, html: string, text: string, headers: Record<string, string> } }} Order
 */

process.once('message', (/** @type {Order} */ { url, mail, connections, privateKey }) => {
  const transport = nodemailer.createTransport({ url, pool: true, maxConnections: connections });
  // Parsed once, as the service does: nodemailer would parse the key for every mail, which takes longer than signing.
  const key = /** @type {any} */ (createPrivateKey(privateKey));
  const dkim = { domainName: 'example.com', keySelector: 'bench', privateKey: key };
  let made = 0;
  const send = async () => {
    const n = made++;
    const address = 'hello@example.com';
    const who = { from: { name: 'Bench', address }, to: `p${n}@example.com`, replyTo: address };
    await transport.sendMail({ ...mail, ...who, messageId: `<${n}@example.com>`, dkim });
  };
  process.on('message', async (/** @type {{ count: number }} */ { count }) => {
    const start = performance.now();
    let left = count;
    // As many at once as a sender holds, so that no connection waits for its next mail.
    const hand = async () => {
      while (left-- > 0) await send();
    };
    await Promise.all(Array.from({ length: 100 }, hand));
    process.send?.({ perSecond: count / ((performance.now() - start) / 1000) });
  });
  process.send?.({});
});
process.once('disconnect', () => process.exit(0));
