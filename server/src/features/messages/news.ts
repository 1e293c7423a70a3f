import type { MarketingEventName } from '@rapport/contract';
import { Topic } from '../../db/news.js';
import type { ActivityRow } from './fates/queries.js';
import type { SettledContact } from './suppressions/settle-properties.js';

/** Something came of a message: what the contact's timeline shows of it. Tests are no news, nor is mail to erased contacts. */
export interface MessageNews {
  type: MarketingEventName;
  messageId: string;
  contactId: string;
  email: string;
  emailId: string;
  journeyId: string | null;
  enrolmentId: string | null;
  stepId: string | null;
  at: string;
  /** Of a click. */
  linkUrl?: string;
  /** Of an open or a click, as far as that is known now. */
  isMachine?: boolean;
}

export const messagesMoved = new Topic<MessageNews>('messages');

/** A contact that wanted mail wants none any more. `messageId` null: no message is known, only the address was named. */
export interface UnsubscribedNews {
  contactId: string;
  email: string;
  at: string;
  messageId: string | null;
  emailId: string | null;
  journeyId: string | null;
  enrolmentId: string | null;
  stepId: string | null;
}

export const contactsUnsubscribed = new Topic<UnsubscribedNews>('unsubscriptions');

/**
 * Each contact once, and only who had not unsubscribed before: by one of these messages, or because its address came to be suppressed.
 * Contacts who were suppressed more strongly and then unsubscribed by a message are included.
 */
export function unsubscriptionsOf(
  moved: readonly MessageNews[],
  settled: readonly SettledContact[],
  now: string,
): UnsubscribedNews[] {
  const byMessage = new Map<string, MessageNews>();
  for (const news of moved)
    if (news.type === 'unsubscribed' && !byMessage.has(news.contactId)) byMessage.set(news.contactId, news);
  return settled.flatMap(({ contactId, email, was, is }) => {
    const news = byMessage.get(contactId);
    if (was || !(is || news)) return [];
    const { at = now, messageId = null, emailId = null } = news ?? {};
    const { journeyId = null, enrolmentId = null, stepId = null } = news ?? {};
    return { contactId, email, at, messageId, emailId, journeyId, enrolmentId, stepId };
  });
}

export function newsOf({ contactId, activity, message }: ActivityRow): MessageNews {
  const { messageId, address, emailId, journeyId, enrolmentId, stepId } = message;
  const { name: type, at, linkUrl, isMachine } = activity;
  return {
    // A message with a contact has an address: an erasure takes both.
    ...{ type, messageId, contactId, email: address ?? '', emailId, journeyId, enrolmentId, stepId, at },
    ...(linkUrl === null ? {} : { linkUrl }),
    ...(type === 'opened' || type === 'clicked' ? { isMachine } : {}),
  };
}
