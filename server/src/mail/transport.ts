// How a message leaves. A transport knows no feature and no SQL.

export interface Sender {
  email: string;
  name: string | null;
}

/** A message, whole. Its text and headers are final. */
export interface Message {
  tenantId: number;
  /** With its angle brackets, as in the header. */
  messageId: string;
  from: Sender;
  to: string;
  /** The contact that it was rendered for, when that is not who it goes to. */
  forEmail: string | null;
  replyTo: string;
  subject: string;
  html: string;
  text: string;
}

/** How many messages are on their way to a mail server at once. */
export const mostConnections = 8;

export interface Transport {
  readonly name: 'smtp' | 'outbox';
  /** Throws MailNotSent when the message was not taken. */
  send(message: Message): Promise<void>;
  close(): void;
}

/** Why a message was not taken, in words that hold no secret: what a server answered may. */
export class MailNotSent extends Error {}

/** `Rapport <hello@example.com>`, for people to read. */
export function senderText({ email, name }: Sender): string {
  return name ? `${name} <${email}>` : email;
}
