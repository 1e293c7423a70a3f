// What sending is compared with: nodemailer's own pool, which hands the same mail to the same server as fast as it takes it.
import nodemailer from 'nodemailer';

/** @typedef {{ url: string, mail: { subject: string, html: string, text: string, headers: Record<string, string> }, dkim?: object }} Order */

process.once('message', (/** @type {Order & { connections: number }} */ { url, mail, connections, dkim }) => {
  const transport = nodemailer.createTransport({ url, pool: true, maxConnections: connections });
  let made = 0;
  const send = async () => {
    const n = made++;
    await transport.sendMail({
      ...{ ...mail, dkim: /** @type {any} */ (dkim), messageId: `<${n}@bare.example>` },
      ...{
        from: { name: 'Bench', address: 'hello@example.com' },
        to: `p${n}@example.com`,
        replyTo: 'hello@example.com',
      },
    });
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
