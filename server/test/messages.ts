// Helpers for tests of messages: a tenant with an email and contacts, a mail server, and waiting for results.
import { setTimeout as sleep } from 'node:timers/promises';
import PostalMime from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import type { TenantClient, TestApp } from './app.js';
import { makeEmail, tenantWithDomain } from './emails.js';

export interface CaughtMail {
  from: string;
  to: string;
  raw: string;
  mail: Awaited<ReturnType<typeof PostalMime.parse>>;
}

/** A server's reply to a recipient or a message; undefined: it accepts. */
type Refuse = (to: string, stage: 'rcpt' | 'data') => { code: number; text: string } | undefined;

export interface MailServer {
  url: string;
  mails: CaughtMail[];
  refuse: Refuse;
  to(address: string): CaughtMail[];
  close(): Promise<void>;
}

/** A real mail server that keeps what it accepts. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const caught: MailServer = {
    ...{
      url: '',
      mails: [],
      refuse: () => undefined,
      to: (address) => caught.mails.filter((mail) => mail.to === address),
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
  const errorOf = (to: string, stage: 'rcpt' | 'data') => {
    const refusal = caught.refuse(to, stage);
    return refusal && Object.assign(new Error(refusal.text), { responseCode: refusal.code });
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onRcptTo: ({ address }, _session, done) => done(errorOf(address, 'rcpt') ?? null),
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const to = envelope.rcptTo[0]?.address ?? '';
        const refusal = errorOf(to, 'data');
        if (refusal) return done(refusal);
        const raw = Buffer.concat(chunks).toString('latin1');
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        PostalMime.parse(Buffer.concat(chunks)).then((mail) => {
          caught.mails.push({ from, to, raw, mail });
          done();
        }, done);
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  caught.url = `smtp://127.0.0.1:${(server.server.address() as { port: number }).port}`;
  return caught;
}

export interface Mailer extends TenantClient {
  emailId: string;
  contact(email: string, properties?: object): Promise<string>;
  /** Returns the id. */
  queue(body: object): Promise<string>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  message(messageId: string): Promise<any>;
  /** Waits until a message is in one of these states. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers freely
  until(messageId: string, ...states: string[]): Promise<any>;
}

/** A tenant that can send. */
export async function makeMailer(t: TestApp, email: Record<string, unknown> = {}): Promise<Mailer> {
  const tenant = await tenantWithDomain(t);
  const emailId = await makeEmail(tenant, email);
  const message = async (messageId: string) => (await tenant.get(`/v2/messages/${messageId}`)).body.data;
  return {
    ...tenant,
    emailId,
    contact: async (address, properties = {}) => {
      const done = await tenant.done(await tenant.post('/v1/contacts', { email: address, properties }));
      return done.data.results[0].contactId;
    },
    queue: async (body) => {
      const reply = await tenant.post('/v2/messages', { emailId, ...body });
      if (reply.status !== 200) throw new Error(reply.text);
      return reply.body.data.messageId;
    },
    message,
    until: async (messageId, ...states) => {
      for (let tries = 0; tries < 12_000; tries++) {
        const data = await message(messageId);
        if (states.includes(data.state)) return data;
        await sleep(5);
      }
      throw new Error(`The message is ${(await message(messageId)).state}, not ${states.join(' or ')}`);
    },
  };
}

/** Waits until a read returns what is expected. */
export async function eventually<T>(read: () => Promise<T>, isRight: (value: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 12_000; tries++) {
    const value = await read();
    if (isRight(value)) return value;
    await sleep(5);
  }
  throw new Error(`Never came: ${JSON.stringify(await read())}`);
}
