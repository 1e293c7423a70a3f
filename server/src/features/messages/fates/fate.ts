// Fates: what happens to messages after they are sent. They wait in the tenant's write queue and are applied in order, under its lock.
import type { NoticeType } from '@rapport/contract';
import type { Write } from '../../transactions/index.js';

export const fateWriteKind = 'message.fates';

/** What a fate is about: a message, or the newest message to an address. */
interface About {
  messageId: string | null;
  email?: string | null;
}

export type Fate =
  /** The mail server accepted it, or refused it permanently (`bounce` says how), or it is kept in the outbox. The row already says so. */
  | { what: 'sent'; messageId: string; at: string; bounce?: { reason: string }; isKept?: boolean }
  | ({
      what: Exclude<NoticeType, 'bounced'>;
      at: string | null;
      reason?: string | null;
      topicId?: string;
      isStored?: true;
    } & About)
  | ({ what: 'bounced'; at: string | null; isHard: boolean; suppresses: boolean; reason: string | null } & About)
  | { what: 'opened'; messageId: string; at: string; agent: string | null }
  | { what: 'clicked'; messageId: string; at: string; agent: string | null; linkNo: number; url: string }
  /** The recipient unsubscribed through this message, or took that back. `topicId`: from this topic, not from everything. */
  | { what: 'resubscribed'; messageId: string; at: string; topicId?: string }
  /** The suppression of an address changed, so its contact's property must follow. */
  | { what: 'settled'; email: string };

/** Fates of one tenant as one write. */
export function fateWrite(tenantId: number, fates: readonly Fate[], gatherMs?: number): Write {
  const write = { tenantId, kind: fateWriteKind, items: fates.length, payload: JSON.stringify(fates) };
  return gatherMs === undefined ? write : { ...write, gatherMs };
}
