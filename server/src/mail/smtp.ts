import { createTransport } from 'nodemailer';
import { MailNotSent, type Message, mostConnections, type Transport } from './transport.js';

// Milliseconds. A caller waits for a message to oneself: less than most clients' own patience.
const patience = 10_000;

/** Sends through a mail server, over a few connections that stay open. */
export function smtpTransport(url: string): Transport {
  const pool = createTransport({
    url,
    pool: true,
    maxConnections: mostConnections,
    // Once more where a server closed a connection before it took anything; five times, a caller would wait for a minute.
    maxRequeues: 1,
    connectionTimeout: patience,
    greetingTimeout: patience,
    socketTimeout: 3 * patience,
    // No template can name a file or an address to be fetched into a message.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    name: 'smtp',
    send: async ({ messageId, from, to, replyTo, subject, html, text }: Message) => {
      try {
        await pool.sendMail({
          messageId,
          from: { name: from.name ?? '', address: from.email },
          to: { name: '', address: to },
          replyTo: { name: '', address: replyTo },
          subject,
          html,
          text,
        });
      } catch (error) {
        throw new MailNotSent(reasonOf(error), { cause: error });
      }
    },
    close: () => pool.close(),
  };
}

const reasons: Record<string, string> = {
  EAUTH: 'it refused the sign-in',
  EENVELOPE: 'it refused the sender or the recipient',
  EMESSAGE: 'it refused the content',
  ETIMEDOUT: 'it did not answer in time',
  ETLS: 'the encrypted connection failed',
  EDNS: 'its name cannot be resolved',
  ECONNECTION: 'it cannot be reached',
  ESOCKET: 'it cannot be reached',
};

// Only the numbers of an answer: its text may repeat names and addresses.
function reasonOf(error: unknown): string {
  const { code = '', responseCode } = error as { code?: string; responseCode?: number };
  const reason = reasons[code] ?? 'it answered with an error';
  return responseCode ? `${reason} (${responseCode})` : reason;
}
