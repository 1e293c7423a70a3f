// The mails that ask: one for a submission, and no more than a few a day about a topic, however often forms are sent.
import type { Transaction } from '../../../db/database.js';
import { newMessageUuid } from '../../../lib/ids.js';
import type { FormTopic } from '../../consent/index.js';
import { asksToConfirm, selectEmailsByIds } from '../../emails/index.js';
import { builtInEmailId, type Language, queueConfirmations } from '../../messages/index.js';
import { findFirstDomain } from '../../sending/index.js';
import { type AppliedSubmission, type Asking, countAskings, insertAskings, type WaitingSubmission } from './queries.js';

/** A submission whose contact is there. */
export interface Placed extends WaitingSubmission {
  hash: string;
  contactId: string;
  /** The contact was made by a form of this run: nothing was known of it. */
  isNew: boolean;
  /** The address unsubscribed from everything. */
  hasLeft: boolean;
}

const mostMails = 3;
const dayMs = 86_400_000;
const linkMs = 30 * dayMs;
/** In place of a topic, for a form without topics that has to be confirmed. */
const noTopic = '0'.repeat(24);

/** What becomes of each, in their order. */
export async function ask(
  tx: Transaction,
  tenantId: number,
  placed: readonly Placed[],
  pending: ReadonlyMap<Placed, readonly string[]>,
  topics: ReadonlyMap<string, FormTopic>,
): Promise<AppliedSubmission[]> {
  const about = (each: Placed) => {
    if (!each.byMail) return pending.get(each) ?? [];
    const live = each.topicIds.filter((topicId) => topics.has(topicId));
    return live.length > 0 ? live : [noTopic];
  };
  const pairs = placed.flatMap((each) =>
    about(each).map((topicId) => ({ hash: each.hash, topicId, since: later(each.at, -dayMs) })),
  );
  const mails = await countAskings(tx, tenantId, pairs);
  const emailFor = await emailsFor(tx, tenantId, topics);
  const askings: Asking[] = [];
  const applied = placed.map((each): AppliedSubmission & { emailId?: string } => {
    const { submissionId, formId, contactId, hash } = each;
    const wanted = about(each);
    const base = {
      submissionId,
      formId,
      contactId,
      reason: null,
      messageId: null,
      askedTopicIds: null,
      linkUntil: null,
    };
    if (wanted.length === 0) return { ...base, outcome: 'accepted' };
    const asked = wanted.filter((topicId) => (mails.get(hash + topicId) ?? 0) < mostMails);
    const emailId = asked.length > 0 ? emailFor(asked, each.language as Language) : undefined;
    if (emailId === undefined) return { ...base, outcome: 'pending' };
    for (const topicId of asked) {
      mails.set(hash + topicId, (mails.get(hash + topicId) ?? 0) + 1);
      askings.push({ hash, topicId, submissionId, at: each.at });
    }
    const linkUntil = later(each.at, linkMs);
    const askedTopicIds = asked.filter((topicId) => topicId !== noTopic);
    return { ...base, outcome: 'pending', messageId: newMessageUuid(), askedTopicIds, linkUntil, emailId };
  });
  await insertAskings(tx, tenantId, askings);
  await queueConfirmations(
    tx,
    tenantId,
    applied.flatMap(({ messageId, contactId, askedTopicIds, emailId }, i) => {
      if (messageId === null || emailId === undefined || contactId === null) return [];
      const names = (askedTopicIds ?? []).map((topicId) => topics.get(topicId)?.name);
      return { messageId, contactId, emailId, data: { topics: names.join(', '), text: placed[i]?.text } };
    }),
  );
  return applied;
}

function later(time: string, ms: number): string {
  return new Date(Date.parse(time) + ms).toISOString();
}

/** The first email that a topic has for it, else the built-in one. Undefined: there is nothing to ask with. */
async function emailsFor(tx: Transaction, tenantId: number, topics: ReadonlyMap<string, FormTopic>) {
  const ids = [...topics.values()].flatMap(({ confirmEmailId }) => confirmEmailId ?? []);
  const emails = ids.length === 0 ? [] : await selectEmailsByIds(tx, tenantId, ids);
  const fit = new Set(emails.filter(asksToConfirm).map(({ id }) => id));
  const hasDomain = (await findFirstDomain(tx, tenantId)) !== undefined;
  return (topicIds: readonly string[], language: Language): string | undefined => {
    const own = topicIds.map((topicId) => topics.get(topicId)?.confirmEmailId ?? '').find((id) => fit.has(id));
    return own ?? (hasDomain ? builtInEmailId(language) : undefined);
  };
}
