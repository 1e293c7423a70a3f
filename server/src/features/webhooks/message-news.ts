// What becomes of messages, told to subscriptions.
import type { WebhookEvent } from '@rapport/contract';
import type { Listener } from '../../db/news.js';
import type { MessageNews } from '../messages/index.js';
import { announce, type Happening } from './announce.js';

export const onMessagesMoved: Listener<MessageNews> = (tx, tenantId, moved) =>
  announce(tx, tenantId, moved.map(happeningOf));

function happeningOf({ type, ...data }: MessageNews): Happening {
  const event: WebhookEvent = type === 'unsubscribed' ? 'contact.unsubscribed' : `message.${type}`;
  return { type: event, contactId: data.contactId, at: data.at, data: { ...data } };
}
