// How a message leaves. A transport knows no feature and no SQL.

interface Sender {
  email: string;
  name: string | null;
}

/** Whose DKIM key a message is signed with. */
export interface MessageSigner {
  domain: string;
  selector: string;
  /** PEM. */
  privateKey: string;
}

/** A message, whole. Its text and headers are final. */
export interface Message {
  tenantId: number;
  /** With its angle brackets, as in the header. */
  messageId: string;
  from: Sender;
  to: string;
  /** The contact that it was rendered for, if that is not the recipient. */
  forEmail: string | null;
  replyTo: string;
  subject: string;
  html: string;
  text: string;
  /** Where it comes back to, the sender of the envelope. By default the sender's own address. */
  returnPath?: string;
  /** With it, a receiver may offer to unsubscribe with one click (RFC 8058). */
  unsubscribeUrl?: string | null;
  /** What receivers group complaints by: `a:b:c:sender`. */
  feedbackId?: string | null;
  /** No person wrote it and none awaits an answer (RFC 3834): transactional mail and tests. */
  isAutomatic?: boolean;
  signer?: MessageSigner | null;
}

/** How many messages are in flight to a mail server at once, by default. */
export const mostConnections = 8;

/** A mail server has taken it. */
interface Taken {
  /** What the server said, cleaned as that of MailNotSent. */
  reply: string;
}

/** Why a message that the outbox took has not left: the reason that the ledger gives. */
export const keptReason = 'outbox';

export interface Transport {
  readonly name: 'smtp' | 'outbox';
  /**
   * Throws MailNotSent when the message was not taken. `stored`: ends once what came of it is stored; until then its connection takes no
   * other message, so that a kill can repeat one message a connection.
   */
  send(message: Message, stored?: Promise<unknown>): Promise<Taken>;
  close(): void;
}

/** What was being done when it failed. */
export type Stage = 'connect' | 'auth' | 'mail' | 'rcpt' | 'data';

interface Facts {
  /** refused: for good, a 5xx to RCPT or DATA. later: worth another attempt; what failed is not about this message. */
  outlook: 'refused' | 'later';
  stage: Stage;
  /** Of the reply, when there was one. */
  code: number | null;
  /** Code, enhanced status and text, or what went wrong: one line without addresses or secrets, 500 characters at most. */
  reply: string;
}

/** Why a message was not taken. Its own words hold no secret and nothing that a server answered, only the code. */
export class MailNotSent extends Error {
  readonly outlook: Facts['outlook'];
  readonly stage: Stage;
  readonly code: number | null;
  readonly reply: string;

  constructor(words: string, { outlook, stage, code, reply }: Facts) {
    super(words);
    this.outlook = outlook;
    this.stage = stage;
    this.code = code;
    this.reply = reply;
  }
}

/** `Rapport <hello@example.com>`, for people to read. */
export function senderText({ email, name }: Sender): string {
  return name ? `${name} <${email}>` : email;
}
