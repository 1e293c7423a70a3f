// Announces to subscriptions what happens to messages, and which contacts unsubscribe.
import type { Listener } from '../../db/news.js';
import type { MessageNews, UnsubscribedNews } from '../messages/index.js';
import { announce, type Happening } from './announce.js';

/** An unsubscription is announced once per contact, whichever message it came through: see below. */
export const onMessagesMoved: Listener<MessageNews> = (tx, tenantId, moved) =>
  announce(
    tx,
    tenantId,
    moved.flatMap(({ type, ...data }): Happening[] =>
      type === 'unsubscribed'
        ? []
        : [{ type: `message.${type}`, contactId: data.contactId, at: data.at, data: { ...data } }],
    ),
  );

export const onContactsUnsubscribed: Listener<UnsubscribedNews> = (tx, tenantId, items) =>
  announce(
    tx,
    tenantId,
    items.map((data) => ({
      ...{ type: 'contact.unsubscribed', contactId: data.contactId, at: data.at, data: { ...data } },
    })),
  );
