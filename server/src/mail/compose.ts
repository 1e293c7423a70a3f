import { insertPreheader } from './preheader.js';
import type { Message } from './transport.js';

/** A message from what was rendered: the inbox preview goes in. */
export function compose(
  { subject, preheader, html, text }: { subject: string; preheader: string | null; html: string; text: string },
  envelope: Omit<Message, 'subject' | 'html' | 'text'>,
): Message {
  return { ...envelope, subject, html: insertPreheader(html, preheader), text };
}
