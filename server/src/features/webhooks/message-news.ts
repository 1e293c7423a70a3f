// Announces to subscriptions what happens to messages, and who unsubscribes.
import type { Listener } from '../../db/news.js';
import type { MessageNews, UnsubscribedNews } from '../messages/index.js';
import { announce, type Happening } from './announce.js';

/** Unsubscribing is announced for the contact, once, whatever message it came by: see below. */
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
