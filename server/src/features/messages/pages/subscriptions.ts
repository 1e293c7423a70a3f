// What people choose through the links of a message: about its topic, other topics, or everything. Stored at once, so that nothing is sent to
// a person who has just said no; what follows from it goes through the queue.
import type { Database, Transaction } from '../../../db/database.js';
import { isAssetId } from '../../../lib/ids.js';
import { type AddressHashes, holdTopics, type SetTopics } from '../../consent/index.js';
import { holdContact } from '../../contacts/index.js';
import type { Acknowledger } from '../../transactions/index.js';
import { type Fate, fateWrite } from '../fates/fate.js';
import { holdRecipient } from '../ledger/queries.js';
import { deleteSuppression, strengthenSuppressions } from '../suppressions/queries.js';
import type { Said, TrackingNeeds } from '../tracking/needs.js';
import { findMessageContact, findPreferences, findSubscription } from './queries.js';

export interface SubscriptionNeeds {
  db: Database;
  acknowledger: Acknowledger;
  hashes: AddressHashes;
  setTopics: SetTopics;
  now: () => string;
}

type Pages = Pick<
  TrackingNeeds,
  'subscriptionOf' | 'unsubscribe' | 'resubscribe' | 'preferencesOf' | 'savePreferences'
>;
type Word = 'unsubscribed' | 'resubscribed';

export function subscriptions(needs: SubscriptionNeeds): Pages {
  const { db } = needs;
  const say = (word: Word) => (tenantId: number, messageId: string, said: Said) =>
    withRecipient(db, tenantId, messageId, async (tx, held) => {
      if (said.topicId === undefined) await sayOfAll(needs, tx, held, word);
      else await sayOfTopic(needs, tx, held, said as Said & { topicId: string }, word);
      return true;
    });
  return {
    subscriptionOf: async (tenantId, messageId) => {
      const row = await findSubscription(db, tenantId, messageId);
      if (!row || row.email === null) return undefined;
      const { email, isUnsubscribed, topicId, topicName, topicState, branding } = row;
      const topic = { topicId: topicId ?? '', name: topicName ?? '', isLeft: topicState === 'unsubscribed' };
      return { email, isUnsubscribed, topic: topicId === null ? undefined : topic, branding };
    },
    unsubscribe: async (...asked) => (await say('unsubscribed')(...asked)) ?? false,
    resubscribe: async (...asked) => (await say('resubscribed')(...asked)) ?? false,
    preferencesOf: (tenantId, messageId) => findPreferences(db, tenantId, messageId),
    savePreferences: (tenantId, messageId, touched) =>
      withRecipient(db, tenantId, messageId, async (tx, held) => {
        await saveTopics(needs, tx, held, touched);
        const all = touched.get('all');
        if (all !== undefined) await sayOfAll(needs, tx, held, all ? 'unsubscribed' : 'resubscribed');
        return findPreferences(tx, tenantId, messageId);
      }),
  };
}

interface Held {
  tenantId: number;
  messageId: string;
  address: string;
  /** Null: the message was sent to an address without a contact. */
  contactId: string | null;
}

/** Locks the contact first, as an erasure does: so the erasure runs either before this, or after it and finds what this stored. */
function withRecipient<T>(
  db: Database,
  tenantId: number,
  messageId: string,
  act: (tx: Transaction, held: Held) => Promise<T>,
): Promise<T | undefined> {
  return db.transaction(async (tx) => {
    const contactId = await findMessageContact(tx, tenantId, messageId);
    if (contactId === undefined) return undefined;
    if (contactId !== null && !(await holdContact(tx, tenantId, contactId))) return undefined;
    const address = await holdRecipient(tx, tenantId, messageId);
    return address ? act(tx, { tenantId, messageId, address, contactId }) : undefined;
  });
}

async function sayOfAll(
  { acknowledger, hashes, now }: SubscriptionNeeds,
  tx: Transaction,
  { tenantId, messageId, address }: Held,
  what: Word,
): Promise<void> {
  const hash = (await hashes.of(tx, tenantId))(address);
  if (what === 'resubscribed') await deleteSuppression(tx, tenantId, hash, 'unsubscribed');
  else await strengthenSuppressions(tx, tenantId, [{ address, hash, reason: 'unsubscribed' }]);
  const fate: Fate =
    what === 'unsubscribed' ? { what, messageId, at: now(), isStored: true } : { what, messageId, at: now() };
  await acknowledger.enqueue(tx, [fateWrite(tenantId, [fate])]);
}

/** The activity is written with the fate of the message, which knows the email and its journey. */
async function sayOfTopic(
  { acknowledger, setTopics, now }: SubscriptionNeeds,
  tx: Transaction,
  { tenantId, messageId, contactId }: Held,
  { source, topicId }: Said & { topicId: string },
  what: Word,
): Promise<void> {
  if (contactId === null || !(await holdTopics(tx, tenantId, [topicId])).has(topicId)) return;
  const at = now();
  const state = what === 'unsubscribed' ? 'unsubscribed' : 'subscribed';
  const change = { contactId, topicId, state, source, isToldElsewhere: true } as const;
  const [verdict] = await setTopics(tx, tenantId, [change], at);
  if (verdict !== 'changed') return;
  const fate: Fate = { what, messageId, at, topicId };
  await acknowledger.enqueue(tx, [fateWrite(tenantId, [fate])]);
}

/** Only topics that the person can see: a link gives no access to the others. */
async function saveTopics(
  { setTopics, now }: SubscriptionNeeds,
  tx: Transaction,
  { tenantId, messageId, contactId }: Held,
  touched: ReadonlyMap<string, boolean>,
): Promise<void> {
  if (contactId === null) return;
  const there = await holdTopics(tx, tenantId, [...touched.keys()].filter(isAssetId));
  const shown = (await findPreferences(tx, tenantId, messageId))?.topics ?? [];
  const changes = shown.flatMap(({ topicId }) => {
    const isOn = touched.get(topicId);
    if (isOn === undefined || !there.has(topicId)) return [];
    return { contactId, topicId, state: isOn ? 'subscribed' : 'unsubscribed', source: 'page' } as const;
  });
  await setTopics(tx, tenantId, changes, now());
}
