// Which mail to a contact is only in the outbox. Their activity calls it `sent`, like any other: sending.md. Pure.
import type { DataValue, listMarketingActivity } from '@rapport/contract';
import { isKept, type MessageRow } from '../../../shared/messages/is-kept.ts';

type Told = Pick<DataValue<typeof listMarketingActivity>, 'eventName' | 'emailId' | 'eventDate'>;
type Known = Pick<MessageRow, 'state' | 'reason' | 'emailId' | 'sentAt'>;

export class KeptMessages {
  private readonly keys: ReadonlySet<string>;

  constructor(messages: readonly Known[]) {
    this.keys = new Set(messages.filter(isKept).map(({ emailId, sentAt }) => `${emailId} ${sentAt}`));
  }

  /** A message and its activity have the same time. */
  has({ eventName, emailId, eventDate }: Told): boolean {
    return eventName === 'sent' && this.keys.has(`${emailId} ${eventDate}`);
  }
}
