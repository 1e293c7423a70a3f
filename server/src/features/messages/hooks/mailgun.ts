// Mailgun sends one event per request. The body contains a time and a token, signed by HMAC with the account's signing key.
// https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks
import { createHmac, timingSafeEqual } from 'node:crypto';
import { invalid } from '../../../http/api-error.js';
import { messageIdIn, type Notice, notice } from '../notices.js';
import {
  emailIn,
  type Fields,
  fieldsIn,
  hardBounce,
  instantOfSeconds,
  isFields,
  NotGenuine,
  type Reader,
  readObject,
  readOne,
  requireRecent,
  softBounce,
  textIn,
} from './reading.js';

export const readMailgun: Reader = async ({ body, key, now }) => {
  const { signature, 'event-data': event } = await readObject(body);
  const token = key === null ? undefined : checkSignature(fieldsIn(signature), key, now);
  if (!isFields(event)) throw invalid('event-data', 'must be an object');
  return { ...readOne(readEvent(event)), ...(token === undefined ? {} : { token }) };
};

/** Returns the token. The signature does not cover the event, so a token is valid with one body only: see claimToken. */
function checkSignature({ timestamp, token, signature }: Fields, key: string, now: Date): string {
  const time = typeof timestamp === 'number' ? String(timestamp) : textIn(timestamp);
  if (time === undefined || typeof token !== 'string' || typeof signature !== 'string')
    throw new NotGenuine('The signature is missing.');
  requireRecent(time, now);
  const own = createHmac('sha256', key)
    .update(time + token)
    .digest();
  const given = Buffer.from(signature, 'hex');
  if (given.length !== own.length || !timingSafeEqual(own, given)) throw new NotGenuine('Wrong signature.');
  return `${time}:${token}`;
}

function readEvent(event: Fields): Notice | 'ignored' | undefined {
  if (typeof event.event !== 'string') return undefined;
  const headers = fieldsIn(fieldsIn(event.message).headers);
  const whose = {
    messageId: messageIdIn(headers['message-id']),
    email: emailIn(event.recipient),
    at: instantOfSeconds(event.timestamp),
  };
  if (whose.messageId === null && whose.email === null) return undefined;
  switch (event.event) {
    case 'delivered':
    case 'complained':
    case 'unsubscribed':
      return notice(event.event, whose);
    case 'failed':
      return fromFailure(event, whose);
    default:
      return 'ignored';
  }
}

// Mailgun's own codes for mail it did not attempt, because the address had bounced before.
const bouncedBefore = 605;

function fromFailure(event: Fields, whose: Partial<Notice>): Notice {
  const status = fieldsIn(event['delivery-status']);
  const words = textIn(status.message) || textIn(status.description) || textIn(event.reason) || '';
  if (event.severity === 'temporary') return notice('bounced', { ...whose, ...softBounce(words) });
  const code = typeof status.code === 'number' && status.code >= 500 && status.code < 600 ? `${status.code} ` : '';
  const enhanced = textIn(status['enhanced-code']) ?? '';
  const said = `${code}${enhanced && !words.includes(enhanced) ? `${enhanced} ` : ''}${withoutCode(words, code)}`;
  const isGone = status.code === bouncedBefore || event.reason === 'suppress-bounce';
  return notice('bounced', { ...whose, ...hardBounce(said, isGone) });
}

function withoutCode(words: string, code: string): string {
  return code !== '' && words.startsWith(code.trim()) ? words.slice(3).trimStart() : words;
}
