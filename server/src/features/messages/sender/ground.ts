// What the mails of a batch are made from, read together.
import { languageFor } from '@rapport/contract';
import type { Background } from '../../../db/database.js';
import type { SecretBox } from '../../../lib/secret-box.js';
import { type AddressHashes, areSubscribed } from '../../consent/index.js';
import { type ContactRow, selectContactsByIds } from '../../contacts/index.js';
import { type StoredVersion, selectVersionsOf } from '../../email-versions/index.js';
import {
  type Localized,
  localize,
  type Renderer,
  type StoredEmail,
  selectEmailsByIds,
  selectTranslations,
} from '../../emails/index.js';
import { findSigners, type Signer, selectApproved } from '../../sending/index.js';
import { builtInEmails } from '../confirmation/built-in.js';
import type { DueAgain } from '../of-journeys/hold-journeys.js';
import { type Halt, selectHalts } from '../of-journeys/queries.js';
import { selectReasons } from '../suppressions/queries.js';
import type { TenantKeys } from '../tenant-keys.js';
import { contentOf } from './content.js';
import type { Content } from './outcome.js';
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

/** Everything needed for a batch of one tenant, read together. */
export interface Ground {
  tenantId: number;
  at: string;
  emails: Map<string, StoredEmail>;
  /** Messages that get their email in another language than its own. */
  localized: ReadonlyMap<string, Localized<StoredEmail>>;
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
  /** The emails' texts by `email:language`, which are the same for everyone who reads that language. */
  contents: Map<string, Content>;
  key: Buffer;
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

export async function readGround(
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
  const byId = new Map(contacts.map((contact) => [contact.id, contact]));
  const [approved, signers, unwanted, localized] = await Promise.all([
    selectApproved(db, tenantId, domains),
    findSigners(db, box, tenantId, domains),
    findUnwanted(db, tenantId, claimed, emails),
    localizeAll(db, tenantId, claimed, emails, byId),
  ]);
  const texts = [...emails.map((email) => ({ email, language: null })), ...localized.values()];
  return {
    ...{ tenantId, at, versions, unwanted, reasons, halts, later, approved, signers, hashOf, key, localized },
    emails: new Map(emails.map((email) => [email.id, email])),
    contents: new Map(texts.map((text) => [keyOf(text), contentOf(tenantId, text.email, null)])),
    contacts: byId,
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

/** Emails without other languages cost nothing here, and all others together one statement. */
async function localizeAll(
  db: Background,
  tenantId: number,
  claimed: readonly Claimed[],
  emails: readonly StoredEmail[],
  contacts: ReadonlyMap<string, ContactRow>,
): Promise<Map<string, Localized<StoredEmail>>> {
  const translated = new Map(emails.flatMap((email) => (email.languages.length === 0 ? [] : [[email.id, email]])));
  const wanted = claimed.flatMap(({ messageId, emailId, contactId }) => {
    const email = translated.get(emailId);
    const properties = contactId === null ? undefined : contacts.get(contactId)?.properties;
    const language = email && properties && languageFor(email.languages, properties);
    return email && language ? [{ messageId, email, language }] : [];
  });
  const distinct = new Map(
    wanted.map(({ email, language }) => [keyOf({ email, language }), { emailId: email.id, language }]),
  );
  const texts = await selectTranslations(db, tenantId, [...distinct.values()]);
  const made = new Map<string, Localized<StoredEmail>>();
  return new Map(
    wanted.flatMap(({ messageId, email, language }) => {
      const key = keyOf({ email, language });
      // It may have been removed since the email was read.
      const translation = texts.get(key);
      if (!translation) return [];
      const text = made.get(key) ?? { email: localize(email, translation), language };
      made.set(key, text);
      return [[messageId, text] as const];
    }),
  );
}

/** Of an email in a language. */
export function keyOf({ email, language }: Localized<StoredEmail>): string {
  return `${email.id}:${language ?? ''}`;
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
