// What is reported about messages after they left: by providers' hooks, by mails that come back, by the command.
import type { NoticeType } from '@rapport/contract';

export interface Notice {
  what: NoticeType;
  /** Ours, 32 hex digits. */
  messageId: string | null;
  /** Where there is no id: the newest message to this address. */
  email: string | null;
  /** Of bounces only. */
  isHard: boolean;
  suppresses: boolean;
  /** For people. Of bounces it begins with a status, where one is known. */
  reason: string | null;
  /** When it happened; null: now. */
  at: string | null;
}

/** A notice that is no bounce, or one that `more` describes. */
export function notice(what: NoticeType, more: Partial<Notice>): Notice {
  return { what, messageId: null, email: null, isHard: false, suppresses: false, reason: null, at: null, ...more };
}

/** Our id in a Message-ID header, with or without its brackets and domain; null where the header is not ours. */
export function messageIdIn(header: unknown): string | null {
  if (typeof header !== 'string') return null;
  return /^\s*<?([0-9a-f]{32})(?:@[^\s<>]*)?>?\s*$/i.exec(header.slice(0, 1000))?.[1]?.toLowerCase() ?? null;
}
