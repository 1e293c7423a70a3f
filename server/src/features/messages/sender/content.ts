// The texts of a message, which are kept under their hash.
import { createHash } from 'node:crypto';
import type { Rendered, StoredVersion } from '../../email-versions/index.js';
import type { StoredEmail } from '../../emails/index.js';
import type { Content } from './outcome.js';

/** A version's own texts. Parts that it takes from the asset are kept as rendered. */
export function textsOf(version: StoredVersion | undefined, rendered: Rendered) {
  return { subject: rendered.subject, preheader: rendered.preheader, html: version?.html ?? rendered.html };
}

/** Content made for a contact is stored for that contact alone, even if others got the same text, so that an erasure can remove it. */
export function contentOf(
  tenantId: number,
  { subject, preheader, html }: Pick<StoredEmail, 'subject' | 'preheader' | 'html'>,
  contactId: string | null,
): Content {
  const isTemplate = contactId === null;
  const hash = createHash('sha256')
    .update(JSON.stringify([contactId, subject, preheader]))
    .update(html)
    .digest('hex');
  return { tenantId, hash, isTemplate, subject, preheader, html };
}
