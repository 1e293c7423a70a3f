// What people do with a message: open it, click, unsubscribe, view it in a browser.
import { insertPreheader } from '../../mail/preheader.js';
import { findContact } from '../contacts/index.js';
import { literalHtml } from '../email-versions/index.js';
import { type Renderer, RenderFailure } from '../emails/index.js';
import type { EngagementLimits } from './engagement-limits.js';
import { type Fate, fateWrite } from './fates/fate.js';
import { findContent, findSent } from './ledger/contents/queries.js';
import { type SubscriptionNeeds, subscriptions } from './pages/subscriptions.js';
import type { TenantKeys } from './tenant-keys.js';
import type { TrackingNeeds } from './tracking/routes.js';
import { LinkMaker } from './tracking/tokens.js';

interface EngagementNeeds extends SubscriptionNeeds {
  renderer: Renderer;
  baseUrl: () => string;
  keys: TenantKeys;
  limits: EngagementLimits;
}

export function engagement(needs: EngagementNeeds): TrackingNeeds {
  const { acknowledger, keys, limits } = needs;
  return {
    keyOf: (tenantId) => keys.findKey(tenantId),
    record: async (tenantId, { messageId, what, at, agent, linkNo = 0, url = '' }) => {
      if (!limits.take(messageId)) return;
      const fate: Fate =
        what === 'opened' ? { what, messageId, at, agent } : { what, messageId, at, agent, linkNo, url };
      await acknowledger.acknowledge(fateWrite(tenantId, [fate]));
    },
    ...subscriptions(needs),
    renderView: (tenantId, messageId) => renderView(needs, tenantId, messageId),
  };
}

/** What was sent, with the contact's current properties. Undefined if it was never sent, or the person is erased. */
async function renderView(
  { db, renderer, baseUrl, keys }: EngagementNeeds,
  tenantId: number,
  messageId: string,
): Promise<{ subject: string; html: string } | undefined> {
  const sent = await findSent(db, tenantId, messageId);
  if (!sent?.contentHash || sent.address === null) return undefined;
  const content = await findContent(db, tenantId, sent.contentHash);
  if (!content) return undefined;
  const maker = new LinkMaker(baseUrl(), await keys.keyOf(tenantId), tenantId, messageId);
  const links = maker.links();
  if (!content.isTemplate) {
    const html = insertPreheader(literalHtml(content.html, links), content.preheader);
    return { subject: sent.subject ?? content.subject, html };
  }
  const contact = sent.contactId === null ? undefined : await findContact(db, tenantId, sent.contactId);
  const to = contact ? { id: contact.id, email: contact.email, properties: contact.properties } : null;
  const outcome = await renderer.render(tenantId, content, { to, links, words: sent.words ?? undefined });
  if (!outcome.ok) throw new RenderFailure(outcome.failure);
  return {
    subject: sent.subject ?? outcome.texts.subject,
    html: insertPreheader(outcome.texts.html, outcome.texts.preheader),
  };
}
