import { createPrivateKey, type KeyObject } from 'node:crypto';
import { systemClock } from '../lib/clock.js';
import { randomBytes } from '../lib/random.js';
import { badSender, unreachable, type WireAddress, wireAddress, wireDomain } from './address.js';
import { dkimSignature, type Signature } from './dkim.js';
import { alternative, type Header, headerLines, headerText, mailbox } from './mime.js';
import type { Message, MessageSigner } from './transport.js';

/** A mail as it goes over the wire. */
export interface Mail {
  from: WireAddress;
  to: WireAddress;
  raw: Buffer;
}

/** Writes a message as MIME and signs it. Throws MailNotSent for a message that can never be valid. `more`: headers for its server. */
export async function buildMail(message: Message, more: readonly Header[] = []): Promise<Mail> {
  const { signer } = message;
  const to = wireAddress(message.to);
  if (!to) throw unreachable.badAddress();
  const [author, replyTo, from] = senders(message, to);
  const signature = signer ? signatureOf(signer) : undefined;
  // It cannot occur in an encoded part: `=_` is valid in neither quoted-printable nor base64.
  const { contentType, body } = alternative(message.text, message.html, `=_${randomBytes(12).toString('hex')}`);
  const headers: Header[] = [
    ['From', mailbox(oneLine(message.from.name ?? ''), author.address, 'From'.length)],
    ['To', to.address],
    ['Reply-To', replyTo.address],
    ['Subject', headerText(oneLine(message.subject), 'Subject'.length)],
    ['Date', systemClock.now().toUTCString().replace('GMT', '+0000')],
    ['Message-ID', headerId(message.messageId)],
    ...extraHeaders(message),
    ...more,
    ['MIME-Version', '1.0'],
    ['Content-Type', contentType],
  ];
  const signed = signature ? [await dkimSignature(signature, headers, body)] : [];
  return { from, to, raw: Buffer.concat([Buffer.from(`${headerLines([...signed, ...headers])}\r\n`), body]) };
}

/** From, Reply-To and the sender of the envelope. */
function senders({ from, replyTo, returnPath }: Message, to: WireAddress): [WireAddress, WireAddress, WireAddress] {
  const [author, reply, envelope] = [from.email, replyTo, returnPath ?? from.email].map(wireAddress);
  if (!author || !reply || !envelope) throw badSender('its sender, reply-to or return path cannot be an address');
  // Only letters in the envelope tell a server about this.
  if ((author.needsUtf8 || reply.needsUtf8) && !envelope.needsUtf8 && !to.needsUtf8)
    throw badSender('its sender or reply-to has letters beyond ASCII before the @');
  return [author, reply, envelope];
}

function extraHeaders({ unsubscribeUrl, feedbackId, isAutomatic }: Message): Header[] {
  const feedback = feedbackId?.replace(/[^\x21-\x7e]/g, '').slice(0, 200);
  return [
    // Both, or Gmail and Yahoo show no button (RFC 8058, 4).
    ...(unsubscribeUrl
      ? [
          ['List-Unsubscribe', `<${headerUrl(unsubscribeUrl)}>`] as const,
          ['List-Unsubscribe-Post', 'List-Unsubscribe=One-Click'] as const,
        ]
      : []),
    ...(feedback ? [['Feedback-ID', feedback] as const] : []),
    ...(isAutomatic ? [['Auto-Submitted', 'auto-generated'] as const] : []),
  ];
}

/** A header is one line, whatever a property of a contact contains. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim();
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

// Parsing a PEM takes longer than signing with it (0.5 and 0.4 ms of a processor): parsed keys are kept for this many domains.
const mostKeys = 500;
const keys = new Map<string, KeyObject>();

function signatureOf({ domain, selector, privateKey }: MessageSigner): Signature {
  const key = keys.get(privateKey) ?? readKey(privateKey, domain);
  keys.delete(privateKey);
  keys.set(privateKey, key);
  if (keys.size > mostKeys) keys.delete(keys.keys().next().value as string);
  return { domain, selector, key };
}

/** No mail leaves unsigned because its key is broken: that is found here. */
function readKey(pem: string, domain: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'rsa') return key;
  } catch {
    // What OpenSSL says about it does not help.
  }
  throw badSender(`the DKIM key of ${domain} cannot be used`);
}
