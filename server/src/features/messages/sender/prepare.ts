// Prepares mails for claimed messages right before they leave: checks who may still get one, renders, signs and adds tracking.

import { compose } from '../../../mail/compose.js';
import { returnPathOf } from '../../../mail/return-path.js';
import type { Message } from '../../../mail/transport.js';
import { type Addressee, type Rendered, renderAll } from '../../email-versions/index.js';
import { asksToConfirm, type Localized, RenderFailure, type StoredEmail } from '../../emails/index.js';
import { linkBaseOf } from '../../sending/index.js';
import { LinkMaker } from '../tracking/tokens.js';
import { trackHtml } from '../tracking/track-html.js';
import { contentOf, textsOf } from './content.js';
import { domainOf, type Ground, keyOf, type PrepareNeeds, readGround } from './ground.js';
import { isHeld, stopReason } from './halts.js';
import { type Content, messageIdHeader, type Outcome, outcomeOf } from './outcome.js';
import type { Claimed } from './queries.js';

/** A mail that is ready to be sent, and what to record about it. */
export interface Prepared {
  claimed: Claimed;
  mail: Message;
  /** The recipient's domain: it limits how many are sent at once. */
  domain: string;
  addressHash: string;
  kept: Pick<
    Outcome,
    'subject' | 'version' | 'language' | 'links' | 'contentHash' | 'senderDomain' | 'topicId' | 'content'
  >;
}

/** Returns mails for the messages that can leave, and outcomes for the others. */
export async function prepare(
  needs: PrepareNeeds,
  tenantId: number,
  claimed: readonly Claimed[],
  now: Date,
): Promise<(Prepared | Outcome)[]> {
  const ground = await readGround(needs, tenantId, claimed, now.toISOString());
  const outcomes: (Prepared | Outcome)[] = [];
  const texts = new Map<string, Localized<StoredEmail> & { messages: Claimed[] }>();
  for (const message of claimed) {
    // The journey was paused just after this message was claimed.
    if (isHeld(message, ground.halts)) {
      outcomes.push(outcomeOf(tenantId, message.messageId, 'postponed', ground.at));
      continue;
    }
    const hasArrived = message.arrivedAt !== null;
    const reason =
      goneReason(message, ground) ?? (hasArrived ? undefined : skipReason(message, ground, needs.requireVerified));
    const dueAt = hasArrived ? undefined : ground.later.get(message.messageId);
    if (reason !== undefined) {
      const senderDomain = senderDomainOf(message, ground.emails.get(message.emailId));
      outcomes.push(outcomeOf(tenantId, message.messageId, 'skipped', ground.at, { reason, senderDomain }));
    } else if (dueAt) outcomes.push(outcomeOf(tenantId, message.messageId, 'postponed', ground.at, { dueAt }));
    else {
      const text = textFor(message, ground);
      const key = keyOf(text);
      const own = texts.get(key) ?? { ...text, messages: [] };
      own.messages.push(message);
      texts.set(key, own);
    }
  }
  for (const { email, language, messages } of texts.values()) {
    const signer = ground.signers.get(domainOf(email.senderEmail)) ?? null;
    const base = linkBaseOf(needs.baseUrl(), signer, needs.trackingDomains);
    const links = messages.map(
      ({ messageId, kind }) => new LinkMaker(base, ground.key, tenantId, messageId, kind === 'transactional'),
    );
    const rendered = await renderAll(
      needs.renderer,
      tenantId,
      email,
      messages.map((message, i) => addresseeOf(message, email, links[i] as LinkMaker, ground)),
      now,
    );
    messages.forEach((message, i) => {
      const one = rendered[i] as Rendered | RenderFailure;
      outcomes.push(
        one instanceof RenderFailure
          ? outcomeOf(tenantId, message.messageId, 'failed', ground.at, { reason: one.message })
          : asArrived(finish(message, { email, language }, one, links[i] as LinkMaker, ground)),
      );
    });
  }
  return outcomes;
}

/** What a message is made from: its email, in the language of its contact. */
function textFor({ messageId, emailId }: Claimed, { localized, emails }: Ground): Localized<StoredEmail> {
  return localized.get(messageId) ?? { email: emails.get(emailId) as StoredEmail, language: null };
}

/** A mail that has arrived is recorded, not sent again, whatever its recipient has said since. */
function asArrived(prepared: Prepared): Prepared | Outcome {
  const { claimed, mail, kept } = prepared;
  if (claimed.arrivedAt === null) return prepared;
  return outcomeOf(mail.tenantId, claimed.messageId, 'sent', claimed.arrivedAt, { ...kept, reply: arrived });
}
const arrived = 'It had arrived: there was a response to it. It was not sent again.';

/** Why a message can no longer be made, if so. */
function goneReason({ contactId, address, emailId }: Claimed, ground: Ground): string | undefined {
  if (address === null || (contactId !== null && !ground.contacts.has(contactId))) return 'erased';
  return ground.emails.has(emailId) ? undefined : 'emailDeleted';
}

/** Why a message must not be sent, if so: the first reason in the contract's order, after those of `goneReason`. */
function skipReason(message: Claimed, ground: Ground, requireVerified: boolean): string | undefined {
  const { emailId, kind } = message;
  const email = ground.emails.get(emailId) as StoredEmail;
  const address = message.address as string;
  const reason = stopReason(message, ground.halts) ?? reasonOfAddress(kind, ground.reasons.get(ground.hashOf(address)));
  if (reason !== undefined) return reason;
  if (ground.unwanted.has(message.messageId)) return 'topic';
  const domain = domainOf(email.senderEmail);
  const isVerified = ground.signers.get(domain)?.isVerified ?? false;
  return ground.approved.has(domain) && (isVerified || !requireVerified) ? undefined : 'noSender';
}

/** A suppression ends everything, except that transactional mail still reaches who unsubscribed. */
export function reasonOfAddress(kind: string, reason: string | undefined): string | undefined {
  return kind === 'transactional' && reason === 'unsubscribed' ? undefined : reason;
}

function addresseeOf(
  message: Claimed,
  email: StoredEmail,
  links: LinkMaker,
  { contacts, versions }: Ground,
): Addressee {
  const { contactId, emailId, words, kind } = message;
  // A version is sent literally: the link that asks would be missing.
  const isQuestion = kind === 'transactional' && asksToConfirm(email);
  return {
    contact: contactId === null ? null : (contacts.get(contactId) ?? null),
    version: contactId === null || isQuestion ? undefined : versions.get(`${emailId}:${contactId}`),
    links: links.links(),
    words: words ?? undefined,
    withText: true,
  };
}

function finish(
  message: Claimed,
  { email, language }: Localized<StoredEmail>,
  rendered: Rendered,
  links: LinkMaker,
  ground: Ground,
): Prepared {
  const { tenantId, signers, hashOf, key, versions } = ground;
  const address = message.address as string;
  const senderDomain = senderDomainOf(message, email) as string;
  const signer = signers.get(domainOf(email.senderEmail)) ?? null;
  const tracked = trackHtml(rendered.html, links);
  const isPersonal = rendered.chosen === 'version';
  const content = isPersonal
    ? contentOf(tenantId, textsOf(versions.get(`${email.id}:${message.contactId}`), rendered), message.contactId)
    : (ground.contents.get(keyOf({ email, language })) as Content);
  const isTransactional = message.kind === 'transactional';
  const mail = compose(
    { ...rendered, html: tracked.html, text: rendered.text ?? '' },
    {
      tenantId,
      messageId: messageIdHeader(message.messageId, senderDomain),
      from: { email: email.senderEmail, name: email.senderName },
      to: address,
      forEmail: null,
      replyTo: email.replyTo ?? email.senderEmail,
      returnPath: returnPathOf(
        key,
        tenantId,
        message.messageId,
        signer?.returnPathDomain ?? domainOf(email.senderEmail),
      ),
      unsubscribeUrl: isTransactional ? null : links.unsubscribe(),
      feedbackId: `${email.id}:${message.kind}:${tenantId}:rapport`,
      isAutomatic: isTransactional,
      signer,
    },
  );
  return {
    claimed: message,
    mail,
    domain: domainOf(address),
    addressHash: hashOf(address),
    kept: {
      subject: rendered.subject,
      version: isPersonal ? 'personalized' : 'default',
      language,
      links: tracked.links.length,
      contentHash: content.hash,
      senderDomain,
      // For a contact: the topic that an unsubscribe link applies to.
      topicId: message.contactId === null ? null : email.topicId,
      content,
    },
  };
}

/** The domain in the Message-ID: that of the first attempt, else the sender's. Null if it was never tried and the email is gone. */
function senderDomainOf({ senderDomain }: Claimed, email: StoredEmail | undefined): string | null {
  return senderDomain ?? (email ? domainOf(email.senderEmail) : null);
}
