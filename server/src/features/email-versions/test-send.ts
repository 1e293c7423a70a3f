import { type BodyValue, type DataValue, fieldReasons, type testSendEmail as route } from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { ApiError, invalid, invalidFields } from '../../http/api-error.js';
import { notReady } from '../../http/error-handler.js';
import type { Clock } from '../../lib/clock.js';
import { newMessageId } from '../../lib/ids.js';
import { Places } from '../../lib/places.js';
import { SecretBoxError } from '../../lib/secret-box.js';
import { compose } from '../../mail/compose.js';
import {
  keptReason,
  MailNotSent,
  type Message,
  type MessageSigner,
  mostConnections,
  type Transport,
} from '../../mail/transport.js';
import type { ContactRow } from '../contacts/index.js';
import { type AuthoredEmail, checkTexts, type Links, type Renderer, RenderFailure } from '../emails/index.js';
import { findNamed, localized, renderStored } from './preview.js';
import { type Rendered, renderChosen } from './render-for.js';

/** The signer of mail from a domain of the tenant; undefined if there is none. */
export type SignerOf = (tenantId: number, domain: string) => Promise<MessageSigner | undefined>;

/**
 * Few at once, and fewer still per tenant: if a mail server accepts and never answers, only its own users wait for it, and a tenant that keeps
 * sending is told to wait.
 */
export function boundedTransport(transport: Transport, signerOf: SignerOf = async () => undefined): Transport {
  const places = new Places({
    // As many as the SMTP client has connections: none waits inside it, where it could still leave after its timeout.
    places: mostConnections,
    mostEach: 2,
    waitMs: 1000,
    mostWaiting: 20,
    refuse: () =>
      notReady({ reason: 'earlier test sends are still waiting for the mail server; try again', retryAfter: 10 }),
  });
  return {
    ...transport,
    send: async (message) => {
      const { tenantId, from } = message;
      const giveBack = await places.take(tenantId);
      try {
        const signer = await signerOf(tenantId, from.email.slice(from.email.lastIndexOf('@') + 1));
        return await transport.send(signer ? { ...message, signer } : message);
      } finally {
        giveBack();
      }
    },
  };
}

/** A test that was handed to a mail server. */
interface TestSend {
  /** With its angle brackets, as in the header. */
  messageId: string;
  emailId: string;
  to: string;
  /** The contact that it was rendered for, if any. */
  contact: { id: string; email: string } | null;
  subject: string;
  version: 'default' | 'personalized';
  /** Null: the email's own. */
  language: string | null;
  outcome: 'sent' | 'failed';
  /** What the mail server said. */
  reply: string;
  /** Why it was not taken. */
  reason: string | null;
}

/** Called for features above. Must not fail: the mail has left. */
export type TestSendNote = (tenantId: number, test: TestSend) => Promise<void>;

interface TestSendNeeds {
  db: Database;
  renderer: Renderer;
  clock: Clock;
  transport: Transport;
  testSends?: readonly TestSendNote[];
}

/** Sends an email to the person who tries it out. Its links do nothing, and no list header offers to unsubscribe. */
export async function testSend(
  needs: TestSendNeeds,
  tenantId: number,
  stored: AuthoredEmail,
  body: BodyValue<typeof route>,
  links: Links,
): Promise<DataValue<typeof route>> {
  const { db, renderer, transport, clock } = needs;
  const contact = await findNamed(db, tenantId, body);
  const { email, language } = localized(stored, body.language, contact);
  try {
    const rendered = body.draft
      ? await renderDraft(needs, tenantId, { ...email, ...body.draft }, contact, links)
      : await renderStored(db, renderer, tenantId, email, contact, clock.now(), links, true);
    const { senderEmail, senderName, replyTo } = email;
    // A draft's is made from its HTML as it was written: the inbox preview is not part of the text.
    const text = rendered.text ?? (await renderer.plainText(tenantId, rendered.html));
    const message = compose(
      { ...rendered, text },
      {
        tenantId,
        messageId: newMessageId(senderEmail),
        from: { email: senderEmail, name: senderName },
        to: body.to,
        forEmail: contact?.email ?? null,
        replyTo: replyTo ?? senderEmail,
        isAutomatic: true,
      },
    );
    const version = rendered.chosen === 'version' ? ('personalized' as const) : ('default' as const);
    const { messageId, subject } = message;
    const facts = { messageId, emailId: email.id, to: body.to, contact, subject, version, language };
    await sendAndTell(needs, message, facts);
    return { messageId: message.messageId, transport: transport.name, to: body.to, subject: message.subject };
  } catch (error) {
    if (error instanceof RenderFailure) {
      const field = body.draft ? `draft.${error.field}` : error.field;
      throw invalid(field, error.message.slice(error.field.length + 1, -1));
    }
    if (error instanceof MailNotSent) throw new ApiError('MAIL_NOT_SENT', { reason: error.message }, { cause: error });
    // The key of the domain cannot be read: mail is not sent unsigned instead.
    if (error instanceof SecretBoxError)
      throw new ApiError('INVALID_STATE', { reason: error.message }, { cause: error });
    throw error;
  }
}

/**
 * Unsaved text, checked as saving would check each text by itself. A variable that no contact has had does not prevent a test.
 */
async function renderDraft(
  { renderer, clock }: TestSendNeeds,
  tenantId: number,
  texts: AuthoredEmail,
  contact: ContactRow | null,
  links: Links,
): Promise<Rendered> {
  if (texts.subject.trim() === '') throw invalid('draft.subject', fieldReasons.required);
  // A line break would start another header.
  if (/\p{Cc}/u.test(texts.subject))
    throw invalid('draft.subject', 'must not have line breaks or other control characters');
  const { faults } = await checkTexts(renderer, tenantId, texts);
  if (faults.length > 0)
    throw invalidFields(faults.map(({ field, message }) => ({ field: `draft.${field}`, reason: message })));
  return renderChosen(
    renderer,
    tenantId,
    { ...texts, text: null },
    { contact, version: undefined, links },
    clock.now(),
  );
}

async function sendAndTell(
  { transport, testSends = [] }: TestSendNeeds,
  message: Message,
  facts: Omit<TestSend, 'outcome' | 'reply' | 'reason'>,
): Promise<void> {
  const tell = async (outcome: Pick<TestSend, 'outcome' | 'reply' | 'reason'>) => {
    for (const note of testSends) await note(message.tenantId, { ...facts, ...outcome });
  };
  try {
    const { reply } = await transport.send(message);
    await tell({ outcome: 'sent', reply, reason: transport.name === 'outbox' ? keptReason : null });
  } catch (error) {
    if (error instanceof MailNotSent) await tell({ outcome: 'failed', reply: error.reply, reason: error.message });
    throw error;
  }
}
