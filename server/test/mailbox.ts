// A mail server for tests, and the parsed mail that it received.
import PostalMime, { type Email } from 'postal-mime';
import { smtpTransport } from '../src/mail/smtp.js';
import type { Transport } from '../src/mail/transport.js';
import { type ScriptedServer, type SmtpScript, scriptedServer } from './smtp.js';

interface Mailbox {
  server: ScriptedServer;
  transport: Transport;
  /** The nth mail to an address, counted from 1; waits for it. */
  mailTo(address: string, nth?: number): Promise<Email>;
  countTo(address: string): number;
}

export async function openMailbox(script: SmtpScript = {}): Promise<Mailbox> {
  const server = await scriptedServer(script);
  const to = (address: string) => server.messages.filter((text) => text.toLowerCase().includes(`\nto: ${address}`));
  return {
    server,
    transport: smtpTransport(server.url),
    mailTo: async (address, nth = 1) => {
      for (let tries = 0; tries < 2000; tries++) {
        const found = to(address)[nth - 1];
        if (found !== undefined) return PostalMime.parse(found);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      throw new Error(`No mail came to ${address}.`);
    },
    countTo: (address) => to(address).length,
  };
}

/** The link in a mail, which is on its own line, as a path. */
export function linkIn(mail: Email): string {
  const line = (mail.text ?? '').split('\n').find((each) => each.startsWith('http://rapport.test/')) ?? '';
  return line.trim().replace('http://rapport.test', '');
}
