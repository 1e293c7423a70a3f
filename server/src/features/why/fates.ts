// What happened to a message, in words. Pure.
import { keptReason } from '../../mail/transport.js';
import type { LedgerRow } from '../messages/index.js';

/** By the reason of a skipped message; other reasons are shown as they are. */
export const skipped: Readonly<Record<string, string>> = {
  unsubscribed: 'they unsubscribed',
  bounced: 'earlier email to their address bounced',
  complained: 'they reported an email as spam',
  manual: 'their address was suppressed manually',
  erased: 'the contact was erased',
  capped: 'they had reached the message limit',
  holdout: 'they are in the journey’s holdout group, which gets no email',
  emailDeleted: 'the email was deleted',
  journeyStopped: 'the journey was stopped',
  takenOut: 'they were taken out of the journey',
  topic: 'the contact is not subscribed to the topic of the email',
  noSender: 'the sender domain is not approved',
};

/** What became of an email: after its name. */
export const became: Readonly<Record<LedgerRow['state'], string>> = {
  ...{ queued: 'is queued', sending: 'is being sent', sent: 'was sent', delivered: 'was delivered' },
  ...{ bounced: 'bounced', failed: 'could not be sent', skipped: 'was not sent', cancelled: 'was canceled' },
};

/** It is in the outbox: it was not handed to a mail server. */
export function isKept({ state, reason }: { state: string; reason: string | null }): boolean {
  return state === 'sent' && reason === keptReason;
}

export function hasArrived(message: Pick<LedgerRow, 'state' | 'reason'>): boolean {
  return message.state === 'delivered' || (message.state === 'sent' && !isKept(message));
}

/** After a colon: why it did not arrive, or what it waits for. */
export function whyNotArrived(message: LedgerRow): string {
  const { state, reason, dueAt } = message;
  const told = reason === null ? '' : `: ${reason.replace(/\.$/, '')}`;
  switch (state) {
    case 'queued':
      return `it is queued${dueAt === null ? '' : ` until ${dueAt}`}${told}`;
    case 'sending':
      return 'it is being sent right now';
    case 'bounced':
      return `it bounced${told}`;
    case 'failed':
      return `it could not be sent${told}`;
    case 'skipped':
      return skipped[reason ?? ''] ?? `it was skipped${told}`;
    case 'cancelled':
      return 'it was canceled';
    case 'sent':
    case 'delivered':
      return isKept(message) ? 'no mail server is set up, so it is kept in the outbox' : 'it arrived';
  }
}

/** For an address that gets no mail. */
export const suppressed: Readonly<Record<string, string>> = {
  unsubscribed: 'They unsubscribed.',
  bounced: 'Email to their address bounced permanently.',
  complained: 'They reported an email as spam.',
  manual: 'Their address was suppressed manually.',
};

/** Whether it may still leave. */
export const isOnItsWay = ({ state }: Pick<LedgerRow, 'state'>) => state === 'queued' || state === 'sending';

/** When the fate that is shown happened. */
export function momentOf({ deliveredAt, sentAt, bouncedAt, queuedAt, state }: LedgerRow): string {
  if (state === 'bounced') return bouncedAt ?? queuedAt;
  return deliveredAt ?? sentAt ?? queuedAt;
}
