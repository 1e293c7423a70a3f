// Making, changing and deleting topics.
import type { BodyValue, createTopic as createRoute, updateTopic as updateRoute } from '@rapport/contract';
import { violatedUnique } from '../../db/connect.js';
import type { Runner, Transaction } from '../../db/database.js';
import { ApiError, invalid, notFound } from '../../http/api-error.js';
import { isAssetId, newAssetId } from '../../lib/ids.js';
import { type Actor, auditAtCommit } from '../audit/index.js';
import type { TopicContent, TopicRow } from './topics/queries.js';
import * as queries from './topics/queries.js';

/** Why this email cannot ask for confirmation, if so. Emails are above topics: they say so in app.ts. */
export type EmailCheck = (db: Runner, tenantId: number, emailId: string) => Promise<string | undefined>;
/** Says why a topic is in use, if it is. Features above declare theirs. Nothing may start to use it until the transaction ends. */
export type TopicUseCheck = (tx: Transaction, tenantId: number, topicId: string) => Promise<string | undefined>;

/** What a topic is where nothing else was said. */
const usual = { visibility: 'public', doubleOptIn: false } as const;

export async function createTopic(
  tx: Transaction,
  actor: Actor,
  body: BodyValue<typeof createRoute>,
  findFault: EmailCheck,
): Promise<TopicRow> {
  const { tenantId } = actor;
  const { name, byDefault, description, confirmEmailId = null } = body;
  const { visibility = usual.visibility, doubleOptIn = usual.doubleOptIn } = body;
  await checkConfirmEmail(tx, tenantId, confirmEmailId, findFault);
  const topicId = newAssetId();
  for (;;) {
    const key = body.key ?? (await freeKey(tx, tenantId, name));
    const content = { key, name, byDefault, description: description || null, visibility, doubleOptIn, confirmEmailId };
    const made = await queries.insertTopic(tx, tenantId, topicId, content);
    if (made) {
      auditAtCommit(tx, actor, 'topic.created', topicId, { name });
      return made;
    }
    const taken = (await queries.findTaken(tx, tenantId, content)) ?? 'name';
    // A key that was made from the name may have been taken by another topic at the same moment: the next one is free.
    if (taken === 'name' || body.key !== undefined) throw alreadyExists(taken, content);
  }
}

export async function updateTopic(
  tx: Transaction,
  actor: Actor,
  topicId: string,
  change: BodyValue<typeof updateRoute>,
  { findFault, askings }: { findFault: EmailCheck; askings: readonly TopicUseCheck[] },
): Promise<TopicRow> {
  const { tenantId } = actor;
  const stored = isAssetId(topicId) ? await queries.lockTopic(tx, tenantId, topicId) : undefined;
  if (!stored) throw notFound('topic');
  for (const field of ['key', 'byDefault'] as const)
    if (change[field] !== undefined && change[field] !== stored[field])
      throw invalid(field, `never changes: it is ${JSON.stringify(stored[field])}`);
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const content: TopicContent = { ...stored, ...given };
  content.visibility ??= usual.visibility;
  content.doubleOptIn ??= usual.doubleOptIn;
  content.description ||= null;
  if (content.confirmEmailId !== stored.confirmEmailId)
    await checkConfirmEmail(tx, tenantId, content.confirmEmailId, findFault);
  if (asksByItself(content) && !asksByItself(stored)) await refuseUsed(tx, tenantId, topicId, askings);
  const changed = (['name', 'description', 'visibility', 'doubleOptIn', 'confirmEmailId'] as const).filter(
    (field) => content[field] !== stored[field],
  );
  if (changed.length === 0) return stored;
  try {
    await queries.updateTopicRow(tx, tenantId, topicId, content);
  } catch (error) {
    if (violatedUnique(error) === 'topic_live_name') throw alreadyExists('name', content);
    throw error;
  }
  auditAtCommit(tx, actor, 'topic.changed', topicId, { name: content.name, changed });
  return (await queries.findTopic(tx, tenantId, topicId)) as TopicRow;
}

export async function deleteTopic(
  tx: Transaction,
  actor: Actor,
  topicId: string,
  uses: readonly TopicUseCheck[],
): Promise<void> {
  const { tenantId } = actor;
  const stored = isAssetId(topicId) ? await queries.lockTopic(tx, tenantId, topicId) : undefined;
  if (!stored) throw notFound('topic');
  await refuseUsed(tx, tenantId, topicId, uses);
  await queries.markDeleted(tx, tenantId, topicId);
  auditAtCommit(tx, actor, 'topic.deleted', topicId, { name: stored.name });
}

async function refuseUsed(
  tx: Transaction,
  tenantId: number,
  topicId: string,
  checks: readonly TopicUseCheck[],
): Promise<void> {
  for (const findReason of checks) {
    const reason = await findReason(tx, tenantId, topicId);
    if (reason) throw new ApiError('INVALID_STATE', { reason });
  }
}

/** By the built-in mail, which needs a sending domain. */
function asksByItself({ doubleOptIn, confirmEmailId }: TopicContent): boolean {
  return doubleOptIn && confirmEmailId === null;
}

async function checkConfirmEmail(
  tx: Transaction,
  tenantId: number,
  emailId: string | null,
  findFault: EmailCheck,
): Promise<void> {
  if (emailId === null) return;
  const fault = isAssetId(emailId) ? await findFault(tx, tenantId, emailId) : 'is not an email';
  if (fault !== undefined) throw invalid('confirmEmailId', fault);
}

function alreadyExists(what: 'name' | 'key', content: { name: string; key: string }): ApiError {
  return new ApiError('TOPIC_ALREADY_EXISTS', { what, value: content[what] }, { detail: what });
}

const longestKey = 40;

/** `product_news` for "Product news"; with a number behind it where that is taken. */
function plainKey(name: string): string {
  const plain = name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  const words = plain.replace(/[^a-z0-9]+/g, '_').replace(/^_+|_+$/g, '');
  return words.slice(0, longestKey).replace(/_+$/, '') || 'topic';
}

async function freeKey(tx: Transaction, tenantId: number, name: string): Promise<string> {
  const wanted = plainKey(name);
  const taken = await queries.selectKeysLike(tx, tenantId, wanted.slice(0, longestKey - 8));
  for (let n = 1; ; n++) {
    const end = n === 1 ? '' : `_${n}`;
    const key = wanted.slice(0, longestKey - end.length) + end;
    if (!taken.has(key)) return key;
  }
}
