// Reports about messages after they were sent: from providers' hooks, returned mails, or the command line.
import type { NoticeType } from '@rapport/contract';

export interface Notice {
  what: NoticeType;
  /** Our id, 32 hex digits. */
  messageId: string | null;
  /** If there is no id: the newest message to this address. */
  email: string | null;
  /** For bounces only. */
  isHard: boolean;
  suppresses: boolean;
  /** For people. For a bounce it begins with a status code, if one is known. */
  reason: string | null;
  /** When it happened; null: now. */
  at: string | null;
}

/** A notice that is not a bounce, or a bounce that `more` describes. */
export function notice(what: NoticeType, more: Partial<Notice>): Notice {
  return { what, messageId: null, email: null, isHard: false, suppresses: false, reason: null, at: null, ...more };
}

/** Our id from a Message-ID header, with or without brackets and domain; null if the header is not ours. */
export function messageIdIn(header: unknown): string | null {
  if (typeof header !== 'string') return null;
  return /^\s*<?([0-9a-f]{32})(?:@[^\s<>]*)?>?\s*$/i.exec(header.slice(0, 1000))?.[1]?.toLowerCase() ?? null;
}
