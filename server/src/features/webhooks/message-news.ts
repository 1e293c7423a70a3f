// What becomes of messages, told to subscriptions.
import type { WebhookEvent } from '@rapport/contract';
import type { Listener } from '../../db/news.js';
import { announce, type Happening } from './announce.js';

/** As messages tell it: see their topic `messagesMoved`. */
export interface MessageMoved {
  type: 'sent' | 'delivered' | 'opened' | 'clicked' | 'bounced' | 'complained' | 'unsubscribed';
  messageId: string;
  /** Null once the contact is erased. */
  contactId: string | null;
  email: string | null;
  emailId: string;
  journeyId: string | null;
  enrolmentId: string | null;
  stepId: string | null;
  at: string;
  linkUrl?: string | undefined;
  isMachine?: boolean | undefined;
}

export const onMessagesMoved: Listener<MessageMoved> = (tx, tenantId, moved) =>
  announce(tx, tenantId, moved.flatMap(happeningOf));

/** Of somebody who was erased nothing is told any more. */
function happeningOf({ type, ...data }: MessageMoved): Happening[] {
  const { contactId, at } = data;
  if (contactId === null) return [];
  const event: WebhookEvent = type === 'unsubscribed' ? 'contact.unsubscribed' : `message.${type}`;
  const { messageId, email, emailId, journeyId, enrolmentId, stepId, linkUrl, isMachine } = data;
  return [
    {
      ...{ type: event, contactId, at },
      data: { messageId, contactId, email, emailId, journeyId, enrolmentId, stepId, at, linkUrl, isMachine },
    },
  ];
}
