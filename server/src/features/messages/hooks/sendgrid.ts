// SendGrid sends an array of events. If the hook has SendGrid's public key, they are signed with ECDSA over the time and the body.
// https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { messageIdIn, type Notice, notice } from '../notices.js';
import {
  emailIn,
  type Fields,
  hardBounce,
  instantOfSeconds,
  NotGenuine,
  type Post,
  type Reader,
  readEvents,
  readObject,
  requireRecent,
  softBounce,
  textIn,
} from './reading.js';

export const readSendgrid: Reader = async (post) => {
  if (post.key !== null) checkSignature(post, post.key);
  // The body parser yields while it reads an array inside an object, but not a bare array.
  const { events } = await readObject(Buffer.concat([before, post.body, after]));
  return readEvents(events, 'body', readEvent);
};

const before = Buffer.from('{"events":');
const after = Buffer.from('}');

function checkSignature(post: Post, key: string): void {
  const signature = post.header('x-twilio-email-event-webhook-signature');
  const timestamp = post.header('x-twilio-email-event-webhook-timestamp');
  if (signature === undefined || timestamp === undefined) throw new NotGenuine('The signature is missing.');
  requireRecent(timestamp, post.now);
  const signed = Buffer.concat([Buffer.from(timestamp), post.body]);
  if (!isSignedBy(publicKeyOf(key), signed, Buffer.from(signature, 'base64'))) throw new NotGenuine('Wrong signature.');
}

function isSignedBy(key: KeyObject | undefined, signed: Buffer, signature: Buffer): boolean {
  if (key?.asymmetricKeyType !== 'ec') return false;
  try {
    return verify('sha256', signed, key, signature);
  } catch {
    return false;
  }
}

/** The key as SendGrid's console shows it: base64 without the first and last line of a PEM file. With them works too. */
function publicKeyOf(key: string): KeyObject | undefined {
  try {
    if (key.includes('-----BEGIN')) return createPublicKey(key);
    return createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
}

function readEvent(event: Fields): Notice | 'ignored' | undefined {
  if (typeof event.event !== 'string') return undefined;
  const whose = {
    messageId: messageIdIn(event['smtp-id']),
    email: emailIn(event.email),
    at: instantOfSeconds(event.timestamp),
  };
  if (whose.messageId === null && whose.email === null) return undefined;
  switch (event.event) {
    case 'delivered':
      return notice('delivered', whose);
    case 'bounce':
      return fromBounce(event, whose);
    case 'dropped':
      return fromDrop(textIn(event.reason) ?? '', whose);
    case 'spamreport':
      return notice('complained', whose);
    case 'unsubscribe':
    case 'group_unsubscribe':
      return notice('unsubscribed', whose);
    default:
      // Includes `deferred`: the message may still arrive.
      return 'ignored';
  }
}

/** Blocked: the receiver refused this message, but may accept the next one. */
function fromBounce(event: Fields, whose: Partial<Notice>): Notice {
  const reason = textIn(event.reason) ?? '';
  const status = textIn(event.status) ?? '';
  const said = status !== '' && !reason.includes(status) ? `${status} ${reason}` : reason;
  if (event.type === 'blocked') return notice('bounced', { ...whose, ...softBounce(said) });
  const isGone = event.bounce_classification === 'Invalid Address';
  return notice('bounced', { ...whose, ...hardBounce(said, isGone) });
}

/** It did not leave SendGrid. An address that bounced there before is suppressed; other reasons are about SendGrid's lists and rules. */
function fromDrop(reason: string, whose: Partial<Notice>): Notice {
  const suppresses = reason === 'Bounced Address' || reason === 'Invalid';
  return notice('bounced', { ...whose, ...hardBounce(reason, suppresses) });
}
