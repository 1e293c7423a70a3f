import { Topic } from '../../db/news.js';
import type { ActivityRow } from './fates/queries.js';

/** Something came of a message: what the contact's timeline shows of it. Tests are no news, nor is mail to whoever was erased. */
export interface MessageNews {
  type: 'sent' | 'delivered' | 'opened' | 'clicked' | 'bounced' | 'complained' | 'unsubscribed';
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

export function newsOf({ contactId, activity, message }: ActivityRow): MessageNews {
  const { messageId, address, emailId, journeyId, enrolmentId, stepId } = message;
  const { name: type, at, linkUrl, isMachine } = activity;
  return {
    // Whoever has a contact has an address: both go with an erasure.
    ...{ type, messageId, contactId, email: address ?? '', emailId, journeyId, enrolmentId, stepId, at },
    ...(linkUrl === null ? {} : { linkUrl }),
    ...(type === 'opened' || type === 'clicked' ? { isMachine } : {}),
  };
}
