import type { Runner } from '../../db/database.js';
import {
  type Links,
  type Person,
  type Recipient,
  type Renderer,
  RenderFailure,
  type RenderOutcome,
  type Texts,
  type Words,
} from '../emails/index.js';
import { literalTokens, unsubscribeToken } from './check-html.js';
import { findVersion, type StoredVersion } from './queries.js';

export interface Rendered {
  subject: string;
  preheader: string | null;
  html: string;
  /** The plain-text part, if it was asked for. */
  text?: string | undefined;
  chosen: 'version' | 'default';
  /** Why, for people. */
  reason: string;
  /** Probable mistakes, sent anyway. */
  problems: ReturnType<typeof literalTokens>;
}
type Asset = Pick<Texts, 'subject' | 'preheader' | 'html' | 'text'>;

/** A recipient of an email, with their version, if any. */
export interface Addressee {
  contact: Recipient | null;
  version: StoredVersion | undefined;
  links: Links;
  words?: Words | undefined;
  withText?: boolean;
}

/** What a contact gets now: a ready, unexpired version, else the asset's default. This is the only place that decides. */
export async function renderFor(
  db: Runner,
  renderer: Renderer,
  tenantId: number,
  email: Asset & { id: string },
  contact: Recipient & { id: string },
  now: Date,
  links: Links,
  withText = false,
): Promise<Rendered> {
  const version = await findVersion(db, tenantId, email.id, contact.id);
  return renderChosen(renderer, tenantId, email, { contact, version, links, withText }, now);
}

/** The same for a version that was read before. Throws RenderFailure. */
export async function renderChosen(
  renderer: Renderer,
  tenantId: number,
  email: Asset,
  to: Addressee,
  now: Date,
): Promise<Rendered> {
  const [rendered] = await renderAll(renderer, tenantId, email, [to], now);
  if (rendered instanceof RenderFailure) throw rendered;
  return rendered as Rendered;
}

/** The same for many, in their order: one trip for all whose texts are templates. */
export async function renderAll(
  renderer: Renderer,
  tenantId: number,
  { subject, preheader, html, text = null }: Asset,
  to: readonly Addressee[],
  now: Date,
): Promise<(Rendered | RenderFailure)[]> {
  const plans = to.map((addressee) => plan(addressee, now));
  const people = plans.flatMap(({ person }) => (person ? [person] : []));
  const outcomes = await renderer.renderAll(tenantId, { subject, preheader, html, text }, people);
  let next = 0;
  return plans.map(({ person, finish }) => {
    const outcome = person ? outcomes[next++] : undefined;
    return outcome?.ok === false ? new RenderFailure(outcome.failure) : finish(outcome);
  });
}

/** What must be rendered for a contact, if anything, and what it becomes part of. */
interface Plan {
  person?: Person;
  finish(outcome: Extract<RenderOutcome, { ok: true }> | undefined): Rendered;
}

function plan({ contact, version, links, words, withText }: Addressee, now: Date): Plan {
  const isCurrent = version && !isExpired(version, now);
  if (!isCurrent) {
    const reason = version ? `The contact’s version expired at ${version.expiresAt}.` : noVersion(contact);
    return {
      person: { to: personal(contact), links, words, withText },
      finish: (outcome) => {
        const { texts, text } = outcome as { texts: Asset; text?: string };
        return { ...texts, text, chosen: 'default', reason, problems: [] };
      },
    };
  }
  // Its own text is sent literally; only the asset's is a template.
  const isWhole = version.subject !== null && version.preheader !== null;
  const html = literalHtml(version.html, links);
  const person = { to: personal(contact), links, words, withoutHtml: true, withText, html };
  return {
    ...(isWhole && !withText ? {} : { person }),
    finish: (outcome) => ({
      subject: version.subject ?? outcome?.texts.subject ?? '',
      preheader: version.preheader ?? outcome?.texts.preheader ?? null,
      html,
      text: outcome?.text,
      chosen: 'version',
      reason: 'The contact has a version of this email.',
      problems: literalTokens(version),
    }),
  };
}

/** A version's own text: sent literally, except for the one token that it may contain. */
export function literalHtml(html: string, { unsubscribeUrl }: Links): string {
  return html.replaceAll(unsubscribeToken, () => unsubscribeUrl);
}

/** Only the part of a contact that templates and conditions see. */
function personal(contact: Recipient | null): Recipient | null {
  return contact && { email: contact.email, properties: contact.properties, ...(contact.id && { id: contact.id }) };
}

function noVersion(contact: Recipient | null): string {
  return contact ? 'The contact has no version of this email.' : 'No contact was named.';
}

/** After `expiresAt`, not at it. */
function isExpired({ expiresAt }: StoredVersion, now: Date): boolean {
  return expiresAt !== null && Date.parse(expiresAt) < now.getTime();
}
