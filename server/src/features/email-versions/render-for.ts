import type { Runner } from '../../db/database.js';
import { type Links, type Recipient, renderText, type StoredEmail } from '../emails/index.js';
import { literalTokens, unsubscribeToken } from './check-html.js';
import { findVersion, type StoredVersion } from './queries.js';

export interface Rendered {
  subject: string;
  preheader: string | null;
  html: string;
  chosen: 'version' | 'default';
  /** Why, for people. */
  reason: string;
  /** What is hardly meant, but sent. */
  problems: ReturnType<typeof literalTokens>;
}
type Asset = Pick<StoredEmail, 'subject' | 'preheader' | 'html'>;

/** What a contact gets at this moment: a ready, unexpired version, else the asset's default. The one place that decides. */
export async function renderFor(
  db: Runner,
  tenantId: number,
  email: Asset & { id: string },
  contact: Recipient & { id: string },
  now: Date,
  links: Links,
): Promise<Rendered> {
  return renderChosen(email, contact, await findVersion(db, tenantId, email.id, contact.id), now, links);
}

/** The same for a version that is at hand. Pure. Throws RenderFailure. */
export function renderChosen(
  email: Asset,
  contact: Recipient | null,
  version: StoredVersion | undefined,
  now: Date,
  links: Links,
): Rendered {
  if (!version) return renderDefault(email, contact, links, noVersion(contact));
  if (isExpired(version, now))
    return renderDefault(email, contact, links, `The contact's version expired at ${version.expiresAt}.`);
  return {
    // Its own text is sent as it is; only the asset's is a template.
    subject: version.subject ?? renderText('subject', email.subject, contact, links),
    preheader: version.preheader ?? renderPreheader(email, contact, links),
    html: version.html.replaceAll(unsubscribeToken, () => links.unsubscribeUrl),
    chosen: 'version',
    reason: 'The contact has a version of this email.',
    problems: literalTokens(version),
  };
}

function noVersion(contact: Recipient | null): string {
  return contact ? 'The contact has no version of this email.' : 'No contact was named.';
}

/** After `expiresAt`, not at it. */
function isExpired({ expiresAt }: StoredVersion, now: Date): boolean {
  return expiresAt !== null && Date.parse(expiresAt) < now.getTime();
}

function renderDefault(email: Asset, contact: Recipient | null, links: Links, reason: string): Rendered {
  return {
    subject: renderText('subject', email.subject, contact, links),
    preheader: renderPreheader(email, contact, links),
    html: renderText('html', email.html, contact, links),
    chosen: 'default',
    reason,
    problems: [],
  };
}

function renderPreheader({ preheader }: Asset, contact: Recipient | null, links: Links): string | null {
  return preheader === null ? null : renderText('preheader', preheader, contact, links);
}
