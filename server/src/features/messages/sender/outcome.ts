/** A text that was sent, kept so that it can be shown again. */
export interface Content {
  tenantId: number;
  hash: string;
  isTemplate: boolean;
  subject: string;
  preheader: string | null;
  html: string;
}

/** The outcome of a claimed message. */
export interface Outcome {
  tenantId: number;
  messageId: string;
  /**
   * `sent`: the mail server accepted it. `refused`: permanently. `later`: the attempt failed and will be repeated. `failed`: given up, or
   * it cannot be rendered. `skipped`: it must not be sent. `postponed`: it was not tried.
   */
  what: 'sent' | 'refused' | 'later' | 'failed' | 'skipped' | 'postponed';
  at: string;
  /** The reason for the outcome. For `sent`: that it is kept in the outbox. */
  reason: string | null;
  /** The mail server's reply, if it was contacted. */
  reply: string | null;
  /** Set if the message waits again. */
  dueAt: string | null;
  subject: string | null;
  version: 'default' | 'personalized' | null;
  /** Null: the email's own. */
  language: string | null;
  links: number | null;
  contentHash: string | null;
  senderDomain: string | null;
  /** The topic of the attempt. */
  topicId: string | null;
  /** The address must get no more mail. */
  suppresses: { address: string; hash: string } | null;
  /** What the message was made from, if that is not stored yet. */
  content: Content | null;
}

const nothing = {
  ...{ reason: null, reply: null, dueAt: null, subject: null, version: null, language: null },
  ...{ links: null, contentHash: null, senderDomain: null, topicId: null, suppresses: null, content: null },
};

export function outcomeOf(
  tenantId: number,
  messageId: string,
  what: Outcome['what'],
  at: string,
  more: Partial<Outcome> = {},
): Outcome {
  return { ...nothing, tenantId, messageId, what, at, ...more };
}

/** The same for every attempt to send the message. */
export function messageIdHeader(messageId: string, senderDomain: string): string {
  return `<${messageId}@${senderDomain}>`;
}
