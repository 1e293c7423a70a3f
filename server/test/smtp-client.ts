// The SMTP transport against a server that follows a script.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { type SmtpSettings, smtpTransport } from '../src/mail/smtp.js';
import { MailNotSent, type Message, type Transport } from '../src/mail/transport.js';
import { type ScriptedServer, type SmtpScript, scriptedServer } from './smtp.js';

export const message: Message = {
  tenantId: 1,
  messageId: '<0190aaaa@example.com>',
  from: { email: 'shop@example.com', name: 'Shop' },
  to: 'ada.lovelace@example.org',
  forEmail: null,
  replyTo: 'shop@example.com',
  subject: 'Hello',
  html: '<p>Hello</p>',
  text: 'Hello',
};

export const failureOf = (transport: Transport, changes: Partial<Message> = {}) =>
  transport.send({ ...message, ...changes }).then(
    () => expect.unreachable('it was taken'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(MailNotSent);
      const { message: words, outlook, stage, code, reply } = error as MailNotSent;
      return { words, outlook, stage, code, reply };
    },
  );

export async function untilGone(server: ScriptedServer): Promise<void> {
  while (server.sockets.size > 0) await sleep(5);
}

export const after = (start: string, reply: string | null) => (command: string) =>
  command.startsWith(start) ? reply : undefined;

export function smtpClient(open: { close(): unknown }[]) {
  async function through(script: SmtpScript, settings?: SmtpSettings, address = (url: string) => url) {
    const server = await scriptedServer(script);
    const transport = smtpTransport(address(server.url), settings);
    open.push(server, transport);
    return { server, transport };
  }

  return { through };
}
