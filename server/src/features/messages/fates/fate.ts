// What becomes of messages, in words that wait in the tenant's write queue. Applied one after the other, under its lock.
import type { NoticeType } from '@rapport/contract';
import type { Write } from '../../transactions/index.js';

export const fateWriteKind = 'message.fates';

/** Whom a fate is about: a message, or the newest one to an address. */
interface About {
  messageId: string | null;
  email?: string | null;
}

export type Fate =
  /** The mail server took it, or refused it for good: then `bounce` says how. Or it is kept in the outbox. The row has it already. */
  | { what: 'sent'; messageId: string; at: string; bounce?: { reason: string }; isKept?: boolean }
  | ({ what: Exclude<NoticeType, 'bounced'>; at: string | null; reason?: string | null; topicId?: string } & About)
  | ({ what: 'bounced'; at: string | null; isHard: boolean; suppresses: boolean; reason: string | null } & About)
  | { what: 'opened'; messageId: string; at: string; agent: string | null }
  | { what: 'clicked'; messageId: string; at: string; agent: string | null; linkNo: number; url: string }
  /** The recipient unsubscribed by this message and took that back. `topicId`, there too: from this topic, not from everything. */
  | { what: 'resubscribed'; messageId: string; at: string; topicId?: string }
  /** The suppression of an address changed: its contact's property follows. */
  | { what: 'settled'; email: string };

/** Fates of one tenant as one write. */
export function fateWrite(tenantId: number, fates: readonly Fate[], gatherMs?: number): Write {
  const write = { tenantId, kind: fateWriteKind, items: fates.length, payload: JSON.stringify(fates) };
  return gatherMs === undefined ? write : { ...write, gatherMs };
}
