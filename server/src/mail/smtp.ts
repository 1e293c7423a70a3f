import { parseConnectionUrl } from 'nodemailer/lib/shared';
import type { SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';
import { buildMail } from './build.js';
import { cleanReply, secretsOf } from './clean-reply.js';
import { explainFailure } from './explain-failure.js';
import type { Header } from './mime.js';
import { SmtpPool } from './smtp-pool.js';
import { Session, SmtpFailure } from './smtp-session.js';
import { type Message, mostConnections, type Transport } from './transport.js';

/** Milliseconds. */
interface Patience {
  /** From the lookup of its name until it speaks, and STARTTLS is done. */
  connect: number;
  greeting: number;
  /** Without a byte. */
  silence: number;
  /** For a whole message, from the call on: a server that sends a byte a second cannot hold a message forever. */
  message: number;
}
const patience: Patience = { connect: 10_000, greeting: 10_000, silence: 30_000, message: 60_000 };

/** The address of a host, for a new connection. Throws if it must not be reached. */
export type Locate = (host: string) => Promise<string>;

export interface SmtpSettings {
  maxConnections?: number | null;
  patience?: Partial<Patience>;
  /** By default nodemailer looks the host up, wherever it leads. */
  locate?: Locate | undefined;
  /** What we call ourselves (EHLO), unless the address says. By default the machine's name, if it is fully qualified. */
  name?: string | undefined;
}

/**
 * Sends through a mail server, over a few connections that stay open. Beside user, password, host and port the address may
 * say `requireTLS=true`, `ignoreTLS=true`, `name=` (what we call ourselves) and `tls.…`, as nodemailer knows them.
 */
export function smtpTransport(url: string, settings: SmtpSettings = {}): Transport {
  const limits = { ...patience, ...settings.patience };
  const { auth } = parseConnectionUrl(url);
  const options = { ...(settings.name && { name: settings.name }), ...connectionOf(url), ...timeoutsOf(limits) };
  const pool = new SmtpPool((onOver) => new Session(options, auth, onOver, settings.locate), {
    connections: settings.maxConnections ?? mostConnections,
    perMessage: limits.message,
  });
  const secrets = secretsOf(auth);
  const isPostmark = /(^|\.)postmarkapp\.com$/i.test(options.servername ?? options.host ?? '');
  return {
    name: 'smtp',
    send: async (message, stored) => {
      const mail = await buildMail(message, isPostmark ? [metadataOf(message)] : []);
      const about = { secrets, recipient: mail.to.address };
      try {
        return { reply: cleanReply(await pool.send(mail, stored), about) };
      } catch (error) {
        throw error instanceof SmtpFailure ? explainFailure(error, about) : error;
      }
    },
    close: () => pool.close(),
  };
}

/**
 * Postmark gives messages ids of its own, and its webhooks tell ours only as metadata that came with the message.
 * https://postmarkapp.com/developer/user-guide/send-email-with-smtp
 */
function metadataOf({ messageId }: Message): Header {
  return ['X-PM-Metadata-message-id', messageId.slice(1, messageId.lastIndexOf('@'))];
}

// What else an address could say would write passwords to the log, or wait for longer.
const settable = ['host', 'port', 'secure', 'tls', 'name', 'servername', 'localAddress'] as const;
const switches = ['requireTLS', 'ignoreTLS', 'opportunisticTLS'] as const;

export function connectionOf(url: string): SMTPConnectionOptions {
  const told = parseConnectionUrl(url);
  const kept = [...settable, ...switches].filter((name) => told[name] !== undefined).map((name) => [name, told[name]]);
  return Object.fromEntries(kept);
}

export function timeoutsOf({ connect, greeting, silence }: Omit<Patience, 'message'>): SMTPConnectionOptions {
  return { connectionTimeout: connect, dnsTimeout: connect, greetingTimeout: greeting, socketTimeout: silence };
}
