// Prepares mails for claimed messages right before they leave: checks who may still get one, renders, signs and adds tracking.
import type { Background } from '../../../db/database.js';
import type { SecretBox } from '../../../lib/secret-box.js';
import { compose } from '../../../mail/compose.js';
import { returnPathOf } from '../../../mail/return-path.js';
import type { Message } from '../../../mail/transport.js';
import { type AddressHashes, areSubscribed } from '../../consent/index.js';
import { type ContactRow, selectContactsByIds } from '../../contacts/index.js';
import {
  type Addressee,
  type Rendered,
  renderAll,
  type StoredVersion,
  selectVersionsOf,
} from '../../email-versions/index.js';
import {
  asksToConfirm,
  type Renderer,
  RenderFailure,
  type StoredEmail,
  selectEmailsByIds,
} from '../../emails/index.js';
import { findSigners, linkBaseOf, type Signer, selectApproved } from '../../sending/index.js';
import { builtInEmails } from '../confirmation/built-in.js';
import type { DueAgain } from '../of-journeys/hold-journeys.js';
import { type Halt, selectHalts } from '../of-journeys/queries.js';
import { selectReasons } from '../suppressions/queries.js';
import type { TenantKeys } from '../tenant-keys.js';
import { LinkMaker } from '../tracking/tokens.js';
import { trackHtml } from '../tracking/track-html.js';
import { contentOf, textsOf } from './content.js';
import { type Content, messageIdHeader, type Outcome, outcomeOf } from './outcome.js';
import type { Claimed } from './queries.js';

export interface PrepareNeeds {
  db: Background;
  box: SecretBox;
  renderer: Renderer;
  baseUrl: () => string;
  keys: TenantKeys;
  hashes: AddressHashes;
  requireVerified: boolean;
  /** Whether links use host names of the senders' domains. */
  trackingDomains?: boolean | undefined;
  /** When messages of journeys may leave. Without it: when they are due. */
  dueAgain?: DueAgain | undefined;
}

/** A mail that is ready to be sent, and what to record about it. */
export interface Prepared {
  claimed: Claimed;
  mail: Message;
  /** The recipient's domain: it limits how many are sent at once. */
  domain: string;
  addressHash: string;
  kept: Pick<Outcome, 'subject' | 'version' | 'links' | 'contentHash' | 'senderDomain' | 'topicId' | 'content'>;
}

/** Everything needed for a batch of one tenant, read together. */
interface Ground {
  tenantId: number;
  at: string;
  emails: Map<string, StoredEmail>;
  contacts: Map<string, ContactRow>;
  versions: Map<string, StoredVersion>;
  reasons: Map<string, string>;
  /** Messages whose contact is not subscribed to the email's topic. */
  unwanted: Set<string>;
  halts: readonly (Halt & { journeyId: string })[];
  /** Messages that must wait until then: their journey's window has closed since they were queued. */
  later: ReadonlyMap<string, string>;
  approved: Set<string>;
  signers: Map<string, Signer>;
  hashOf(address: string): string;
  /** The emails' own texts, which are the same for everyone. */
  contents: Map<string, Content>;
  key: Buffer;
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
  const byEmail = new Map<string, Claimed[]>();
  const held = new Set(ground.halts.filter(({ isHeld }) => isHeld).map(({ journeyId }) => journeyId));
  for (const message of claimed) {
    // The journey was paused just after this message was claimed.
    if (message.journeyId !== null && held.has(message.journeyId)) {
      outcomes.push(outcomeOf(tenantId, message.messageId, 'postponed', ground.at));
      continue;
    }
    const reason = skipReason(message, ground, needs.requireVerified);
    const dueAt = ground.later.get(message.messageId);
    if (reason !== undefined) {
      const senderDomain = senderDomainOf(message, ground.emails.get(message.emailId));
      outcomes.push(outcomeOf(tenantId, message.messageId, 'skipped', ground.at, { reason, senderDomain }));
    } else if (dueAt) outcomes.push(outcomeOf(tenantId, message.messageId, 'postponed', ground.at, { dueAt }));
    else byEmail.set(message.emailId, [...(byEmail.get(message.emailId) ?? []), message]);
  }
  for (const [emailId, messages] of byEmail) {
    const email = ground.emails.get(emailId) as StoredEmail;
    const signer = ground.signers.get(domainOf(email.senderEmail)) ?? null;
    const base = linkBaseOf(needs.baseUrl(), signer, needs.trackingDomains);
    const links = messages.map(
      ({ messageId, kind }) => new LinkMaker(base, ground.key, tenantId, messageId, kind === 'transactional'),
    );
    const rendered = await renderAll(
      needs.renderer,
      tenantId,
      email,
      messages.map((message, i) => addresseeOf(message, links[i] as LinkMaker, ground)),
      now,
    );
    messages.forEach((message, i) => {
      const one = rendered[i] as Rendered | RenderFailure;
      outcomes.push(
        one instanceof RenderFailure
          ? outcomeOf(tenantId, message.messageId, 'failed', ground.at, { reason: one.message })
          : finish(message, email, one, links[i] as LinkMaker, ground),
      );
    });
  }
  return outcomes;
}

/** A message may have waited in a long queue, or be a retry, so its journey's window may have closed meanwhile. */
async function findLater(
  { db, dueAgain }: PrepareNeeds,
  tenantId: number,
  claimed: readonly Claimed[],
  at: string,
): Promise<Map<string, string>> {
  const bound = claimed.filter(({ kind, enrolmentId }) => kind === 'journey' && enrolmentId !== null);
  if (!dueAgain || bound.length === 0) return new Map();
  const leaving = bound.map((message) => ({ ...message, dueAt: at }));
  const times = await db.transaction((tx) => dueAgain(tx, tenantId, leaving));
  return new Map(
    bound.flatMap(({ messageId }, i) => {
      const time = times[i] ?? at;
      // Clock skew: the database's clock may be ahead of ours by less than this, which is not worth waiting for.
      return Date.parse(time) - Date.parse(at) > 1000 ? [[messageId, time]] : [];
    }),
  );
}

async function readGround(
  needs: PrepareNeeds,
  tenantId: number,
  claimed: readonly Claimed[],
  at: string,
): Promise<Ground> {
  const { db, box, keys, hashes } = needs;
  const hashOf = await hashes.of(db, tenantId);
  const unique = <T>(values: readonly (T | null)[]) => [...new Set(values.filter((value) => value !== null))] as T[];
  const people = claimed.flatMap(({ emailId, contactId }) => (contactId === null ? [] : { emailId, contactId }));
  const emailIds = unique(claimed.map(({ emailId }) => emailId));
  const [stored, builtIn, contacts, versions, reasons, halts, later, key] = await Promise.all([
    selectEmailsByIds(db, tenantId, emailIds),
    builtInEmails(db, tenantId, emailIds),
    selectContactsByIds(db, tenantId, unique(claimed.map(({ contactId }) => contactId))),
    selectVersionsOf(db, tenantId, people),
    selectReasons(db, tenantId, unique(claimed.map(({ address }) => address)).map(hashOf)),
    selectHalts(db, tenantId, unique(claimed.map(({ journeyId }) => journeyId))),
    findLater(needs, tenantId, claimed, at),
    keys.keyOf(tenantId),
  ]);
  const emails = [...stored, ...builtIn];
  const domains = unique(emails.map(({ senderEmail }) => domainOf(senderEmail)));
  const [approved, signers, unwanted] = await Promise.all([
    selectApproved(db, tenantId, domains),
    findSigners(db, box, tenantId, domains),
    findUnwanted(db, tenantId, claimed, emails),
  ]);
  return {
    ...{ tenantId, at, versions, unwanted, reasons, halts, later, approved, signers, hashOf, key },
    emails: new Map(emails.map((email) => [email.id, email])),
    contents: new Map(emails.map((email) => [email.id, contentOf(tenantId, email, null)])),
    contacts: new Map(contacts.map((contact) => [contact.id, contact])),
  };
}

/** Topics do not apply to transactional mail, which a person's own action triggers. */
async function findUnwanted(
  db: Background,
  tenantId: number,
  claimed: readonly Claimed[],
  emails: readonly StoredEmail[],
): Promise<Set<string>> {
  const topicOf = new Map(emails.flatMap(({ id, topicId }) => (topicId === null ? [] : [[id, topicId] as const])));
  const bound = claimed.flatMap(({ messageId, kind, emailId, contactId }) => {
    const topicId = kind === 'transactional' ? undefined : topicOf.get(emailId);
    return topicId === undefined ? [] : { messageId, contactId, topicId };
  });
  const isSubscribed = await areSubscribed(db, tenantId, bound);
  return new Set(bound.filter((_, i) => !isSubscribed[i]).map(({ messageId }) => messageId));
}

/** Why a message must not be sent, if so: the first reason in the contract's order. */
function skipReason(message: Claimed, ground: Ground, requireVerified: boolean): string | undefined {
  const { contactId, address, emailId, journeyId, queuedAt, kind } = message;
  if (address === null || (contactId !== null && !ground.contacts.has(contactId))) return 'erased';
  const email = ground.emails.get(emailId);
  if (!email) return 'emailDeleted';
  for (const halt of ground.halts)
    if (halt.journeyId === journeyId && !halt.isHeld && queuedAt <= halt.stoppedAt) return halt.reason;
  const reason = reasonOfAddress(kind, ground.reasons.get(ground.hashOf(address)));
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

function addresseeOf(message: Claimed, links: LinkMaker, { contacts, versions, emails }: Ground): Addressee {
  const { contactId, emailId, words, kind } = message;
  // A version is sent literally: the link that asks would be missing.
  const isQuestion = kind === 'transactional' && asksToConfirm(emails.get(emailId) as StoredEmail);
  return {
    contact: contactId === null ? null : (contacts.get(contactId) ?? null),
    version: contactId === null || isQuestion ? undefined : versions.get(`${emailId}:${contactId}`),
    links: links.links(),
    words: words ?? undefined,
    withText: true,
  };
}

function finish(message: Claimed, email: StoredEmail, rendered: Rendered, links: LinkMaker, ground: Ground): Prepared {
  const { tenantId, signers, hashOf, key, versions } = ground;
  const address = message.address as string;
  const senderDomain = senderDomainOf(message, email) as string;
  const signer = signers.get(domainOf(email.senderEmail)) ?? null;
  const tracked = trackHtml(rendered.html, links);
  const isPersonal = rendered.chosen === 'version';
  const content = isPersonal
    ? contentOf(tenantId, textsOf(versions.get(`${email.id}:${message.contactId}`), rendered), message.contactId)
    : (ground.contents.get(email.id) as Content);
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

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
