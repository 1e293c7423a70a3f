// Postmark sends one event per request, unsigned. Its MessageID is not ours, so our id comes from the metadata
// that the message was sent with (`X-PM-Metadata-message-id`), or else the address identifies the message.
// https://postmarkapp.com/developer/webhooks/webhooks-overview
import { messageIdIn, type Notice, notice } from '../notices.js';
import {
  emailIn,
  type Fields,
  fieldsIn,
  hardBounce,
  instantIn,
  type Reader,
  readObject,
  readOne,
  softBounce,
  textIn,
} from './reading.js';

export const readPostmark: Reader = async ({ body }) => readOne(readEvent(await readObject(body)));

type Kind = 'gone' | 'hard' | 'soft' | 'complained' | 'unsubscribed';

/** Bounce types. Those not listed (auto-replies, address changes) say nothing about a message. */
const kinds: Readonly<Record<string, Kind>> = {
  HardBounce: 'gone',
  BadEmailAddress: 'gone',
  Blocked: 'hard',
  DMARCPolicy: 'hard',
  ManuallyDeactivated: 'hard',
  SMTPApiError: 'hard',
  SpamNotification: 'hard',
  TemplateRenderingFailed: 'hard',
  VirusNotification: 'hard',
  DnsError: 'soft',
  SoftBounce: 'soft',
  Transient: 'soft',
  Unknown: 'soft',
  SpamComplaint: 'complained',
  Unsubscribe: 'unsubscribed',
};

function readEvent(event: Fields): Notice | 'ignored' | undefined {
  const email = emailIn(event.Email ?? event.Recipient);
  const whose = { email, messageId: messageIdOf(event) };
  if (email === null && whose.messageId === null) return undefined;
  switch (event.RecordType) {
    case 'Delivery':
      return notice('delivered', { ...whose, at: instantIn(event.DeliveredAt) });
    case 'Bounce':
    case 'SpamComplaint':
      return fromBounce(event, { ...whose, at: instantIn(event.BouncedAt) });
    case 'SubscriptionChange':
      return fromChange(event, { ...whose, at: instantIn(event.ChangedAt) });
    default:
      return 'ignored';
  }
}

function fromBounce(event: Fields, whose: Partial<Notice>): Notice | 'ignored' {
  const kind = Object.hasOwn(kinds, String(event.Type)) ? kinds[String(event.Type)] : undefined;
  const said = textIn(event.Details) || textIn(event.Description) || '';
  switch (kind) {
    case 'gone':
      return notice('bounced', { ...whose, ...hardBounce(said, true) });
    case 'hard':
      return notice('bounced', { ...whose, ...hardBounce(said, false), suppresses: false });
    case 'soft':
      return notice('bounced', { ...whose, ...softBounce(said) });
    case 'complained':
    case 'unsubscribed':
      return notice(kind, whose);
    default:
      return 'ignored';
  }
}

/** Broadcast streams report bounces and complaints only this way. Changes made by people in Postmark's console are ignored. */
function fromChange(event: Fields, whose: Partial<Notice>): Notice | 'ignored' {
  if (event.SuppressSending !== true) return 'ignored';
  switch (event.SuppressionReason) {
    case 'HardBounce':
      return notice('bounced', { ...whose, isHard: true, suppresses: true });
    case 'SpamComplaint':
      return notice('complained', whose);
    case 'ManualSuppression':
      return event.Origin === 'Recipient' ? notice('unsubscribed', whose) : 'ignored';
    default:
      return 'ignored';
  }
}

function messageIdOf(event: Fields): string | null {
  const { 'message-id': own, messageId, message_id: other } = fieldsIn(event.Metadata);
  return messageIdIn(own) ?? messageIdIn(messageId) ?? messageIdIn(other);
}
