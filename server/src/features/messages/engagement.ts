// What people do with a message they got: open it, click, unsubscribe, look at it again.
import type { Database, Transaction } from '../../db/database.js';
import { insertPreheader } from '../../mail/preheader.js';
import type { AddressHashes } from '../consent/index.js';
import { findContact } from '../contacts/index.js';
import { literalHtml } from '../email-versions/index.js';
import { type Renderer, RenderFailure } from '../emails/index.js';
import type { Acknowledger } from '../transactions/index.js';
import type { EngagementLimits } from './engagement-limits.js';
import { type Fate, fateWrite } from './fates/fate.js';
import { findContent, findSent } from './ledger/contents/queries.js';
import { findRecipient, holdRecipient } from './ledger/queries.js';
import { deleteSuppression, selectReasons, strengthenSuppressions } from './suppressions/queries.js';
import type { TenantKeys } from './tenant-keys.js';
import type { TrackingNeeds } from './tracking/routes.js';
import { LinkMaker } from './tracking/tokens.js';

interface EngagementNeeds {
  db: Database;
  acknowledger: Acknowledger;
  renderer: Renderer;
  baseUrl: () => string;
  keys: TenantKeys;
  hashes: AddressHashes;
  now: () => string;
  limits: EngagementLimits;
}

export function engagement(needs: EngagementNeeds): TrackingNeeds {
  const { db, acknowledger, keys, hashes, limits } = needs;
  return {
    keyOf: (tenantId) => keys.findKey(tenantId),
    record: async (tenantId, { messageId, what, at, agent, linkNo = 0, url = '' }) => {
      if (!limits.take(messageId)) return;
      const fate: Fate =
        what === 'opened' ? { what, messageId, at, agent } : { what, messageId, at, agent, linkNo, url };
      await acknowledger.acknowledge(fateWrite(tenantId, [fate]));
    },
    subscriptionOf: async (tenantId, messageId) => {
      const email = await findRecipient(db, tenantId, messageId);
      if (email === null || email === undefined) return undefined;
      const hash = (await hashes.of(db, tenantId))(email);
      return { email, isUnsubscribed: (await selectReasons(db, tenantId, [hash])).get(hash) === 'unsubscribed' };
    },
    // At once, so that nothing leaves for a person who has just said no; what follows from it goes through the queue.
    unsubscribe: (tenantId, messageId) =>
      changeSubscription(needs, tenantId, messageId, 'unsubscribed', (tx, address, hash) =>
        strengthenSuppressions(tx, tenantId, [{ address, hash, reason: 'unsubscribed' }]),
      ),
    resubscribe: (tenantId, messageId) =>
      changeSubscription(needs, tenantId, messageId, 'resubscribed', (tx, _address, hash) =>
        deleteSuppression(tx, tenantId, hash, 'unsubscribed'),
      ),
    renderView: (tenantId, messageId) => renderView(needs, tenantId, messageId),
  };
}

/** False when there is no such message, or the person is erased. */
async function changeSubscription(
  { db, acknowledger, hashes, now }: EngagementNeeds,
  tenantId: number,
  messageId: string,
  what: 'unsubscribed' | 'resubscribed',
  change: (tx: Transaction, address: string, hash: string) => Promise<unknown>,
): Promise<boolean> {
  const hashOf = await hashes.of(db, tenantId);
  return db.transaction(async (tx) => {
    // Held: an erasure comes before this, or after it and finds what this stored.
    const address = await holdRecipient(tx, tenantId, messageId);
    if (!address) return false;
    await change(tx, address, hashOf(address));
    await acknowledger.enqueue(tx, [fateWrite(tenantId, [{ what, messageId, at: now() }])]);
    return true;
  });
}

/** What was sent, with the contact's properties of today. Nothing when it never left, or the person is gone. */
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
  const links = { unsubscribeUrl: maker.unsubscribe(), viewUrl: maker.view() };
  if (!content.isTemplate) {
    const html = insertPreheader(literalHtml(content.html, links), content.preheader);
    return { subject: sent.subject ?? content.subject, html };
  }
  const contact = sent.contactId === null ? undefined : await findContact(db, tenantId, sent.contactId);
  const to = contact ? { email: contact.email, properties: contact.properties } : null;
  const outcome = await renderer.render(tenantId, content, { to, links, words: sent.words ?? undefined });
  if (!outcome.ok) throw new RenderFailure(outcome.failure);
  return {
    subject: sent.subject ?? outcome.texts.subject,
    html: insertPreheader(outcome.texts.html, outcome.texts.preheader),
  };
}
