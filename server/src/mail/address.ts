import { domainToASCII } from 'node:url';
import { MailNotSent } from './transport.js';

/** An address as mail servers accept it: its domain in ASCII. */
export interface WireAddress {
  address: string;
  /** Its local part has letters beyond ASCII, which only a server with SMTPUTF8 accepts (RFC 6531). */
  needsUtf8: boolean;
}

// No address can have such a local part, quoted or not: it would end the command or the header that it is in.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to keep out
const impossible = /[\u0000-\u0020\u007f-\u009f\u2028\u2029<>]/;
const domainShape = /^[a-z0-9_](?:[a-z0-9_.-]{0,252}[a-z0-9_])?$/i;
// What needs no quotes (RFC 5321, 4.1.2), and what has them.
const dotAtom = /^[^\s"(),.:;@[\\\]]+(?:\.[^\s"(),.:;@[\\\]]+)*$/;
const quoted = /^"(?:[^"\\]|\\[\x21-\x7e])*"$/;
// RFC 5321, 4.5.3.1.1, in octets.
const longestLocal = 64;

/** Undefined for an address that no mail can have. */
export function wireAddress(text: string): WireAddress | undefined {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at);
  const domain = wireDomain(text.slice(at + 1));
  if (at < 1 || !domain || impossible.test(local) || Buffer.byteLength(local) > longestLocal) return undefined;
  return { address: `${wireLocal(local)}@${domain}`, needsUtf8: !isAscii(local) };
}

function wireLocal(local: string): string {
  return dotAtom.test(local) || quoted.test(local) ? local : `"${local.replace(/["\\]/g, '\\$&')}"`;
}

/** `bücher.example` is `xn--bcher-kva.example`. Undefined for text that is not a domain. */
export function wireDomain(text: string): string | undefined {
  // ASCII stays as it is: domainToASCII would read a number as an IP address.
  const domain = isAscii(text) ? text : domainToASCII(text);
  return domainShape.test(domain) ? domain : undefined;
}

function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII has them
  return /^[\u0000-\u007f]*$/.test(text);
}

/** Refused as a server would, in the words of RFC 3463 and 6531, before one is asked. */
export const unreachable = {
  badAddress: () => refused('no mail server takes such an address', '553 5.1.3 No mail can have such an address'),
  needsUtf8: () =>
    refused(
      'it takes no address with letters beyond ASCII before the @',
      '553 5.6.7 The mail server takes no letters beyond ASCII before the @ (it offers no SMTPUTF8)',
    ),
};

function refused(words: string, reply: string): MailNotSent {
  return new MailNotSent(words, { outlook: 'refused', stage: 'rcpt', code: 553, reply });
}

/** Not the recipient's fault: it can leave once the sender is corrected. */
export function badSender(words: string): MailNotSent {
  return new MailNotSent(words, { outlook: 'later', stage: 'mail', code: null, reply: words });
}
