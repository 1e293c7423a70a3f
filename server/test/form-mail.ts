// An app whose mail goes to a real mail server, a tenant with two topics, and the links of the mails that ask.
import { afterAll, beforeAll } from 'vitest';
import { smtpTransport } from '../src/mail/smtp.js';
import type { Transport } from '../src/mail/transport.js';
import { type Reply, type TestApp, useApp } from './app.js';
import { makeTopic } from './consent.js';
import { noBounds, urlencoded } from './forms.js';
import { eventually, type Mailer, type MailServer, makeMailer, startMailServer } from './messages.js';

interface FormMail {
  readonly t: TestApp;
  readonly server: MailServer;
  readonly mailer: Mailer;
  /** A topic that asks, called "News & views", and one that does not, called "Plain". */
  readonly news: string;
  readonly plain: string;
  now: Date;
  /** Waits for so many mails to an address, and returns the link of the last. */
  linkTo(address: string, count?: number): Promise<string>;
  confirm(link: string): Promise<Reply>;
  idOf(address: string): Promise<string>;
  put(contactId: string, topicId: string, state: string): Promise<Reply>;
}

export function useFormMail(): FormMail {
  let server: MailServer;
  let smtp: Transport;
  let mailer: Mailer;
  let news = '';
  let plain = '';
  const clock = { now: () => mail.now, elapsed: () => performance.now() };
  const t = useApp({
    ...{ work: true, forms: noBounds, clock },
    transport: { name: 'smtp', send: (message, stored) => smtp.send(message, stored), close: () => undefined },
  });
  beforeAll(async () => {
    server = await startMailServer();
    smtp = smtpTransport(server.url);
    mailer = await makeMailer(t);
    news = await makeTopic(mailer, 'News & views', { doubleOptIn: true });
    plain = await makeTopic(mailer, 'Plain');
  });
  afterAll(async () => {
    smtp.close();
    await server.close();
  });
  const mail: FormMail = {
    t,
    now: new Date('2026-11-18T09:00:00.000Z'),
    get server() {
      return server;
    },
    get mailer() {
      return mailer;
    },
    get news() {
      return news;
    },
    get plain() {
      return plain;
    },
    linkTo: async (address, count = 1) => {
      const mails = await eventually(
        async () => server.to(address).map((caught) => caught.mail.html ?? ''),
        ({ length }) => length >= count,
      );
      const link = /http:\/\/rapport\.test(\/t\/y\/[\w-]+)/.exec(mails[count - 1] ?? '')?.[1];
      if (!link) throw new Error('No link');
      return link;
    },
    confirm: (link) => t.anonymous.post(link, '', urlencoded),
    idOf: async (address) => (await mailer.get(`/v2/contacts/by-email/${address}`)).body.data.id,
    put: (contactId, topicId, state) => mailer.put(`/v2/contacts/${contactId}/topics/${topicId}`, { state }),
  };
  return mail;
}
