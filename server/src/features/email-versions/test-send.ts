import type { BodyValue, DataValue, testSendEmail as route } from '@rapport/contract';
import type { Database } from '../../db/database.js';
import { ApiError, invalid } from '../../http/api-error.js';
import { notReady } from '../../http/error-handler.js';
import { newMessageId } from '../../lib/ids.js';
import { Places } from '../../lib/places.js';
import { compose } from '../../mail/compose.js';
import { MailNotSent, type MessageSigner, mostConnections, type Transport } from '../../mail/transport.js';
import { type Links, type Renderer, RenderFailure, type StoredEmail } from '../emails/index.js';
import { findNamed, renderStored } from './preview.js';

/** Whose key signs mail from a domain of the tenant; undefined: none does. */
export type SignerOf = (tenantId: number, domain: string) => Promise<MessageSigner | undefined>;

/**
 * Few at once, and of one tenant fewer still: where a mail server accepts and never answers, only those wait for it who use
 * it, and a tenant that goes on sending is told to wait.
 */
export function boundedTransport(transport: Transport, signerOf: SignerOf = async () => undefined): Transport {
  const places = new Places({
    // As many as the SMTP client has connections: none waits inside it, where it could still leave after its time.
    places: mostConnections,
    mostEach: 2,
    waitMs: 1000,
    mostWaiting: 20,
    refuse: () => notReady({ reason: 'earlier test sends still wait for the mail server; try again', retryAfter: 10 }),
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

/** Sends an email to whoever tries it out. Its links do nothing, and no list header invites to unsubscribe somebody. */
export async function testSend(
  db: Database,
  renderer: Renderer,
  transport: Transport,
  tenantId: number,
  email: StoredEmail,
  body: BodyValue<typeof route>,
  now: Date,
  links: Links,
): Promise<DataValue<typeof route>> {
  const contact = await findNamed(db, tenantId, body);
  try {
    const rendered = await renderStored(db, renderer, tenantId, email, contact, now, links);
    const { senderEmail, senderName, replyTo } = email;
    // From the HTML as it was written: the inbox preview is no part of what people read.
    const text = await renderer.plainText(tenantId, rendered.html);
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
    await transport.send(message);
    return { messageId: message.messageId, transport: transport.name, to: body.to, subject: message.subject };
  } catch (error) {
    if (error instanceof RenderFailure) throw invalid(error.field, error.message.slice(error.field.length + 1, -1));
    if (error instanceof MailNotSent) throw new ApiError('MAIL_NOT_SENT', { reason: error.message }, { cause: error });
    throw error;
  }
}
