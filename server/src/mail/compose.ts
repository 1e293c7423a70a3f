import { plainText } from './plain-text.js';
import { insertPreheader } from './preheader.js';
import type { Message } from './transport.js';

/** A message from what was rendered: the inbox preview goes in, the plain-text part is made. */
export function compose(
  rendered: { subject: string; preheader: string | null; html: string },
  envelope: Omit<Message, 'subject' | 'html' | 'text'>,
): Message {
  const { subject, preheader, html } = rendered;
  // From the HTML as it was written: the inbox preview is no part of what people read.
  return { ...envelope, subject, html: insertPreheader(html, preheader), text: plainText(html) };
}
