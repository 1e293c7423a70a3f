/** A text that was sent, to be shown again. */
export interface Content {
  tenantId: number;
  hash: string;
  isTemplate: boolean;
  subject: string;
  preheader: string | null;
  html: string;
}

/** What became of a message that was claimed. */
export interface Outcome {
  tenantId: number;
  messageId: string;
  /**
   * `sent`: the mail server took it. `refused`: for good. `later`: an attempt failed, and there will be another. `failed`: given up, or
   * it cannot be rendered. `skipped`: it must not leave. `postponed`: it was not tried.
   */
  what: 'sent' | 'refused' | 'later' | 'failed' | 'skipped' | 'postponed';
  at: string;
  /** Why it is so. Of a `sent` one: that it is kept in the outbox. */
  reason: string | null;
  /** What the mail server said, where it was asked. */
  reply: string | null;
  /** Of those that wait again. */
  dueAt: string | null;
  subject: string | null;
  version: 'default' | 'personalized' | null;
  links: number | null;
  contentHash: string | null;
  senderDomain: string | null;
  /** What it was tried with. */
  topicId: string | null;
  /** The address must get no more mail. */
  suppresses: { address: string; hash: string } | null;
  /** What it was made from, if that is not stored yet. */
  content: Content | null;
}

const nothing = {
  ...{ reason: null, reply: null, dueAt: null, subject: null, version: null, links: null },
  ...{ contentHash: null, senderDomain: null, topicId: null, suppresses: null, content: null },
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

/** As the message leaves with it, each time that it does. */
export function messageIdHeader(messageId: string, senderDomain: string): string {
  return `<${messageId}@${senderDomain}>`;
}
