import type { MarketingEventName } from '@rapport/contract';
import { Topic } from '../../db/news.js';
import type { ActivityRow } from './fates/queries.js';
import type { SettledContact } from './suppressions/settle-properties.js';

/** Something happened to a message, as the contact's timeline shows it. There is no news about tests or mail to erased contacts. */
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
  /** For a click. */
  linkUrl?: string;
  /** For an open or a click, as far as is known now. */
  isMachine?: boolean;
}

export const messagesMoved = new Topic<MessageNews>('messages');

/** A contact that received mail no longer wants any. `messageId` is null if no message is known, only the address. */
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
 * Each contact once, and only those who had not unsubscribed before: through one of these messages, or because their address was
 * suppressed. Includes contacts who were suppressed for a stronger reason and then unsubscribed through a message.
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
    // A message with a contact has an address: an erasure removes both.
    ...{ type, messageId, contactId, email: address ?? '', emailId, journeyId, enrolmentId, stepId, at },
    ...(linkUrl === null ? {} : { linkUrl }),
    ...(type === 'opened' || type === 'clicked' ? { isMachine } : {}),
  };
}
