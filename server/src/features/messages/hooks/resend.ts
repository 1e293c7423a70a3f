// Resend sends one event per request, signed by Svix with an HMAC over an id, the time and the body.
// https://resend.com/docs/webhooks/event-types, https://docs.svix.com/receiving/verifying-payloads/how-manual
import { createHmac, timingSafeEqual } from 'node:crypto';
import { messageIdIn, type Notice, notice } from '../notices.js';
import {
  emailIn,
  type Fields,
  fieldsIn,
  hardBounce,
  instantIn,
  NotGenuine,
  type Post,
  type Reader,
  readObject,
  readOne,
  requireRecent,
  softBounce,
  textIn,
} from './reading.js';

export const readResend: Reader = async (post) => {
  if (post.key !== null) checkSignature(post, post.key);
  return readOne(readEvent(await readObject(post.body)));
};

/** The header has one signature for each currently valid key. */
function checkSignature({ header, body, now }: Post, key: string): void {
  const [id, timestamp, signatures] = [header('svix-id'), header('svix-timestamp'), header('svix-signature')];
  if (id === undefined || timestamp === undefined || signatures === undefined)
    throw new NotGenuine('The signature is missing.');
  requireRecent(timestamp, now);
  const secret = Buffer.from(key.replace(/^whsec_/, ''), 'base64');
  const own = createHmac('sha256', secret).update(`${id}.${timestamp}.`).update(body).digest();
  const isOwn = (signature: string) => {
    const given = Buffer.from(signature.slice('v1,'.length), 'base64');
    return signature.startsWith('v1,') && given.length === own.length && timingSafeEqual(own, given);
  };
  if (!signatures.split(' ').some(isOwn)) throw new NotGenuine('Wrong signature.');
}

function readEvent({ type, created_at: at, data }: Fields): Notice | 'ignored' | undefined {
  if (typeof type !== 'string') return undefined;
  const { to, message_id: headerId, bounce, suppressed, failed } = fieldsIn(data);
  const email = emailIn(Array.isArray(to) ? to[0] : undefined);
  const whose = { messageId: messageIdIn(headerId), email, at: instantIn(at) };
  switch (type) {
    case 'email.delivered':
      return known(notice('delivered', whose));
    case 'email.complained':
      return known(notice('complained', whose));
    case 'email.bounced':
      return known(notice('bounced', { ...whose, ...bounceOf(fieldsIn(bounce)) }));
    case 'email.suppressed':
      return known(notice('bounced', { ...whose, ...hardBounce(textIn(fieldsIn(suppressed).message) ?? '', true) }));
    case 'email.failed':
      // It was never sent, because of a quota or an unverified domain: the address may be fine.
      return known(notice('bounced', { ...whose, ...hardBounce(textIn(fieldsIn(failed).reason) ?? '', false) }));
    default:
      // Includes `email.delivery_delayed`: the message may still arrive.
      return 'ignored';
  }
}

function known(read: Notice): Notice | undefined {
  return read.messageId === null && read.email === null ? undefined : read;
}

/** Permanent bounces of these kinds mean that the address does not exist, as found now or by an earlier message. */
const goneTypes: readonly unknown[] = ['NoEmail', 'Suppressed', 'OnAccountSuppressionList'];

function bounceOf({ type, subType, message }: Fields): Pick<Notice, 'isHard' | 'suppresses' | 'reason'> {
  const said = textIn(message) || textIn(subType) || '';
  return type === 'Permanent' ? hardBounce(said, goneTypes.includes(subType)) : softBounce(said);
}
