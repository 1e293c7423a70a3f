// Amazon SES over SNS. SES changes the Message-ID when it sends, but reports ours.
// https://docs.aws.amazon.com/ses/latest/dg/notification-contents.html
import { invalid } from '../../../http/api-error.js';
import { notReady } from '../../../http/error-handler.js';
import { reasonOf } from '../../../mail/bounces/fields.js';
import { messageIdIn, type Notice, notice } from '../notices.js';
import {
  emailIn,
  type Fields,
  fieldsIn,
  hardBounce,
  instantIn,
  isFields,
  NotGenuine,
  type Post,
  type Reader,
  type Reading,
  readObject,
  softBounce,
  textIn,
} from './reading.js';
import { type Aws, checkSnsSignature, isSnsUrl } from './sns.js';

/** Valid keys of a hook: the only topic to accept, or this word for a subscription with raw message delivery. */
const raw = 'raw';

const nothing: Reading = { notices: [], skipped: 0 };

/** Raw messages are not signed, so they are accepted only if the hook was created for them. */
export function sesReader(aws: Aws): Reader {
  return async (post) => {
    const message = await readObject(post.body);
    if (post.key === raw && message.Signature === undefined) return readEvent(message);
    await checkMessage(message, post, aws);
    switch (message.Type) {
      case 'Notification':
        return readNotification(message);
      case 'SubscriptionConfirmation':
        await confirm(message, aws);
        return nothing;
      default:
        return nothing;
    }
  };
}

async function checkMessage(message: Fields, { key, now }: Post, aws: Aws): Promise<void> {
  if (key !== null && key !== raw && message.TopicArn !== key) throw new NotGenuine('Another topic.');
  try {
    await checkSnsSignature(message, aws, now);
  } catch (error) {
    if (error instanceof NotGenuine) throw error;
    throw notReady({ reason: 'the certificate of Amazon SNS could not be fetched', retryAfter: 60 }, error);
  }
}

async function confirm({ SubscribeURL: url }: Fields, aws: Aws): Promise<void> {
  if (!isSnsUrl(url)) throw new NotGenuine('Not an address of SNS.');
  try {
    await aws.visit(url);
  } catch (error) {
    throw notReady({ reason: 'Amazon SNS did not accept the confirmation', retryAfter: 60 }, error);
  }
}

async function readNotification({ Message: text }: Fields): Promise<Reading> {
  // SNS itself announces a new topic subscription in plain words.
  if (typeof text !== 'string' || !text.trimStart().startsWith('{')) return nothing;
  return readEvent(await readObject(Buffer.from(text)));
}

function readEvent(event: Fields): Reading {
  const type = event.eventType ?? event.notificationType;
  if (typeof type !== 'string') throw invalid('notificationType', 'is required');
  const mail = fieldsIn(event.mail);
  const messageId = messageIdOf(mail);
  switch (type) {
    case 'Bounce':
      return forEach(fieldsIn(event.bounce), 'bouncedRecipients', messageId, bounceOf);
    case 'Complaint':
      return forEach(fieldsIn(event.complaint), 'complainedRecipients', messageId, complaintOf);
    case 'Delivery':
      return forEach(fieldsIn(event.delivery), 'recipients', messageId, () => notice('delivered', {}));
    case 'Subscription':
      return fromSubscription(fieldsIn(event.subscription), mail, messageId);
    default:
      return nothing;
  }
}

function messageIdOf({ commonHeaders, headers }: Fields): string | null {
  const common = messageIdIn(fieldsIn(commonHeaders).messageId);
  if (common !== null || !Array.isArray(headers)) return common;
  const own = headers.slice(0, 1000).find((each) => isFields(each) && /^message-id$/i.test(String(each.name)));
  return messageIdIn(fieldsIn(own).value);
}

type Read = (recipient: Fields, of: Fields) => Notice | 'ignored';

// SES allows 50 recipients per message.
const mostRecipients = 100;

function forEach(of: Fields, list: string, messageId: string | null, read: Read): Reading {
  const reading: Reading = { notices: [], skipped: 0 };
  const recipients = Array.isArray(of[list]) ? of[list].slice(0, mostRecipients) : [];
  for (const given of recipients) {
    const recipient = isFields(given) ? given : { emailAddress: given };
    const email = emailIn(recipient.emailAddress);
    const found = read(recipient, of);
    if (email === null && messageId === null) reading.skipped++;
    else if (found !== 'ignored') reading.notices.push({ ...found, messageId, email, at: instantIn(of.timestamp) });
  }
  if (recipients.length === 0) reading.skipped++;
  return reading;
}

/** The kinds of permanent bounce that mean the address does not exist, or did not before. */
const goneTypes: readonly unknown[] = ['NoEmail', 'Suppressed', 'OnAccountSuppressionList'];

function bounceOf({ status, diagnosticCode }: Fields, { bounceType, bounceSubType }: Fields): Notice {
  const diagnostic = (textIn(diagnosticCode) ?? '').replace(/^\s*smtp;\s*/i, '');
  const said = diagnostic || textIn(status) || textIn(bounceSubType) || '';
  if (bounceType !== 'Permanent') return notice('bounced', softBounce(said));
  const isGone = goneTypes.includes(bounceSubType);
  const bounce = hardBounce(said, isGone);
  return notice('bounced', { ...bounce, suppresses: bounce.suppresses || isGone });
}

function complaintOf(_: Fields, { complaintFeedbackType: type }: Fields): Notice | 'ignored' {
  return type === 'not-spam' ? 'ignored' : notice('complained', { reason: reasonOf('', textIn(type) ?? '') || null });
}

/** An unsubscription on a page of SES itself. */
function fromSubscription(subscription: Fields, { destination }: Fields, messageId: string | null): Reading {
  const { unsubscribeAll } = fieldsIn(subscription.newTopicPreferences);
  const email = emailIn(Array.isArray(destination) ? destination[0] : undefined);
  if (unsubscribeAll !== true || (email === null && messageId === null)) return nothing;
  return { notices: [notice('unsubscribed', { messageId, email, at: instantIn(subscription.timestamp) })], skipped: 0 };
}
