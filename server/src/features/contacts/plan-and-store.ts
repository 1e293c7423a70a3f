import type { Transaction } from '../../db/database.js';
import { newContactId } from '../../lib/ids.js';
import { keysOf, type Plan, Planner, type Request, topicKeysOf } from './plan-writes.js';
import { selectStored } from './queries.js';
import { storePlan } from './store-plan.js';
import type { OpenTopics } from './topic-words.js';

/**
 * Plans requests against what is stored, and stores the result. `kept` is the number of items for which an earlier choice about a topic
 * was kept. Requests that mention no topic cost no extra statement.
 */
export async function planAndStore(
  tx: Transaction,
  tenantId: number,
  requests: readonly Request[],
  now: string,
  openTopics: OpenTopics | undefined,
  plan: (planner: Planner) => void | Promise<void>,
): Promise<{ plan: Plan; kept: number }> {
  const { emails, ids } = keysOf(requests);
  const stored = await selectStored(tx, tenantId, emails, ids);
  const keys = topicKeysOf(requests);
  const contactIds = stored.map(({ id }) => id);
  const topics = keys.length > 0 ? await openTopics?.(tx, tenantId, { keys, contactIds }) : undefined;
  const planner = new Planner(stored, newContactId, topics);
  await plan(planner);
  const made = planner.finish();
  await storePlan(tx, tenantId, made, now);
  return { plan: made, kept: (await topics?.store(now)) ?? 0 };
}
