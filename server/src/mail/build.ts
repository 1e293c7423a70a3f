import { createPrivateKey, type KeyObject } from 'node:crypto';
import DKIM from 'nodemailer/lib/dkim';
import MailComposer from 'nodemailer/lib/mail-composer';
import { badSender, unreachable, type WireAddress, wireAddress, wireDomain } from './address.js';
import type { Message, MessageSigner } from './transport.js';

/** A mail as it goes over the wire. */
export interface Mail {
  from: WireAddress;
  to: WireAddress;
  raw: Buffer;
}

// nodemailer's own list has no List-Unsubscribe-Post, without which Gmail and Yahoo show no button (RFC 8058, 4).
const signedHeaders = [
  ...['From', 'To', 'Subject', 'Date', 'Message-ID', 'MIME-Version', 'Content-Type', 'Reply-To'],
  ...['List-Unsubscribe', 'List-Unsubscribe-Post', 'Feedback-ID', 'Auto-Submitted'],
].join(':');

/** Writes a message as MIME and signs it. Throws MailNotSent for what can never be one. */
export async function buildMail(message: Message): Promise<Mail> {
  const { signer } = message;
  const to = wireAddress(message.to);
  if (!to) throw unreachable.badAddress();
  const [author, replyTo, from] = senders(message, to);
  const dkim = signer ? dkimOf(signer) : undefined;
  const mime = new MailComposer({
    messageId: headerId(message.messageId),
    from: { name: oneLine(message.from.name ?? ''), address: author.address },
    to: { name: '', address: to.address },
    replyTo: { name: '', address: replyTo.address },
    subject: oneLine(message.subject),
    headers: extraHeaders(message),
    // Where there are no words, the part is there all the same: without it the mail would not be what it says.
    text: withLineFeeds(message.text) || '\n',
    html: withLineFeeds(message.html),
    // No template can name a file or an address to be fetched into a message.
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  if (dkim) mime.processFunc((input) => dkim.sign(input));
  return { from, to, raw: await mime.build() };
}

/** From, Reply-To and the sender of the envelope. */
function senders({ from, replyTo, returnPath }: Message, to: WireAddress): [WireAddress, WireAddress, WireAddress] {
  const [author, reply, envelope] = [from.email, replyTo, returnPath ?? from.email].map(wireAddress);
  if (!author || !reply || !envelope) throw badSender('its sender, reply-to or return path cannot be an address');
  // A server is told of such letters by those in the envelope alone.
  if ((author.needsUtf8 || reply.needsUtf8) && !envelope.needsUtf8 && !to.needsUtf8)
    throw badSender('its sender or reply-to has letters beyond ASCII before the @');
  return [author, reply, envelope];
}

function extraHeaders({ unsubscribeUrl, feedbackId, isAutomatic }: Message) {
  const headers: Record<string, { prepared: true; value: string }> = {};
  const add = (name: string, value: string) => {
    // `prepared`: as it is. nodemailer would fold a long address apart, or encode it as a word.
    headers[name] = { prepared: true, value };
  };
  if (unsubscribeUrl) {
    add('List-Unsubscribe', `<${headerUrl(unsubscribeUrl)}>`);
    add('List-Unsubscribe-Post', 'List-Unsubscribe=One-Click');
  }
  const feedback = feedbackId?.replace(/[^\x21-\x7e]/g, '').slice(0, 200);
  if (feedback) add('Feedback-ID', feedback);
  if (isAutomatic) add('Auto-Submitted', 'auto-generated');
  return headers;
}

/** What stands in a header is one line, whatever a property of a contact holds. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
}

/** A lone carriage return is no end of a line in a mail, but some servers read it as one. */
function withLineFeeds(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** A URL has no space, line or bracket left once it is parsed. RFC 5322 ends a line at 998 octets. */
function headerUrl(text: string): string {
  const { href, protocol } = new URL(text);
  if (!/^https?:$/.test(protocol) || href.length > 900 || /[^\x21-\x7e]|[<>]/.test(href))
    throw new Error('The unsubscribe link of a message must be a web address of 900 characters at most.');
  return href;
}

function headerId(text: string): string {
  const [, id, domain = ''] = /^<([\w.!#$%&'*+/=?^`{|}~-]{1,200})@([^<>@]{1,255})>$/.exec(text) ?? [];
  const ascii = wireDomain(domain);
  if (!id || !ascii) throw new Error('The Message-ID of a message must be <id@domain>.');
  return `<${id}@${ascii}>`;
}

// Reading a PEM takes longer than signing with it (0.5 and 0.4 ms of a processor): what was read is kept, for so many domains.
const mostKeys = 500;
const keys = new Map<string, KeyObject>();

function dkimOf({ domain, selector, privateKey }: MessageSigner): DKIM {
  const key = keys.get(privateKey) ?? readKey(privateKey, domain);
  keys.delete(privateKey);
  keys.set(privateKey, key);
  if (keys.size > mostKeys) keys.delete(keys.keys().next().value as string);
  return new DKIM({ domainName: domain, keySelector: selector, privateKey: key, headerFieldNames: signedHeaders });
}

/** nodemailer sends unsigned what it cannot sign: a key that does not work is found here. */
function readKey(pem: string, domain: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    // What OpenSSL says of it is of no use to anybody.
  }
  throw badSender(`the DKIM key of ${domain} cannot be used`);
}
