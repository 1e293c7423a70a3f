// What became of a message, in words. Pure.
import type { LedgerRow } from '../messages/index.js';

/** By the reason of a skipped message; others are told as they are. */
const skipped: Readonly<Record<string, string>> = {
  unsubscribed: 'the contact has unsubscribed',
  bounced: 'mail to the address came back before',
  complained: 'the contact has complained about mail',
  manual: 'somebody has suppressed the address',
  erased: 'the person was erased',
  capped: 'the journey had sent as many messages as it may in that time',
  holdout: 'the contact is in the holdout of the journey, which gets no mail',
  emailDeleted: 'the email was deleted',
  journeyStopped: 'the journey was stopped',
  noSender: 'the domain of the sender may not send',
};

export function hasArrived({ state }: Pick<LedgerRow, 'state'>): boolean {
  return state === 'sent' || state === 'delivered';
}

/** Behind a colon: why it did not arrive, or what it waits for. */
export function whyNotArrived({ state, reason, dueAt }: LedgerRow): string {
  const told = reason === null ? '' : `: ${reason.replace(/\.$/, '')}`;
  switch (state) {
    case 'queued':
      return `it waits to leave${dueAt === null ? '' : `, at the earliest at ${dueAt}`}${told}`;
    case 'sending':
      return 'it is just being handed to a mail server';
    case 'bounced':
      return `it came back${told}`;
    case 'failed':
      return `it could not be sent${told}`;
    case 'skipped':
      return skipped[reason ?? ''] ?? `it was skipped${told}`;
    case 'cancelled':
      return 'somebody cancelled it';
    case 'sent':
    case 'delivered':
      return 'it arrived';
  }
}

/** Of an address that gets no mail. */
export const suppressed: Readonly<Record<string, string>> = {
  unsubscribed: 'The contact unsubscribed.',
  bounced: 'Mail to the address came back for good.',
  complained: 'The contact complained about mail.',
  manual: 'Somebody suppressed the address.',
};

/** Whether it may still leave. */
export const isOnItsWay = ({ state }: Pick<LedgerRow, 'state'>) => state === 'queued' || state === 'sending';

/** When what is told of it came about. */
export function momentOf({ deliveredAt, sentAt, bouncedAt, queuedAt, state }: LedgerRow): string {
  if (state === 'bounced') return bouncedAt ?? queuedAt;
  return deliveredAt ?? sentAt ?? queuedAt;
}
