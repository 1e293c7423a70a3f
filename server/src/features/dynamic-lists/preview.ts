import type { DataValue, previewDynamicList as route } from '@rapport/contract';
import type { Database, Runner } from '../../db/database.js';
import { selectContactsByIds } from '../contacts/index.js';
import {
  chooseContacts,
  compile,
  countHits,
  estimateCost,
  type Filter,
  groundFor,
  type Hits,
  type Moment,
  readMoment,
  say,
} from '../filter-language/index.js';
import { checkReferences } from './check-references.js';

/** Up to this many contacts are all checked; with more, a random sample of about `sampled`. */
const mostCounted = 50_000;
const sampled = 10_000;

/** Tries a filter on the existing contacts, as a slow read: it blocks no other work, and has a time limit. */
export async function preview(db: Database, tenantId: number, filter: Filter): Promise<DataValue<typeof route>> {
  const names = await checkReferences(db, tenantId, filter);
  const slow = db.slow(tenantId);
  const moment = await readMoment(db, tenantId);
  const everybody = compile(filter, groundFor(tenantId, moment));
  const estimatedCost = await estimateCost(slow, tenantId, everybody);
  const chosen = await countedAmong(slow, tenantId, moment);
  const { count, ids } = chosen
    ? await estimate(slow, tenantId, filter, moment, chosen)
    : await countHits(slow, tenantId, everybody);
  const sample = ids.length === 0 ? [] : await selectContactsByIds(db, tenantId, ids);
  return { count, isExact: !chosen, sample, text: say(filter, names), estimatedCost };
}

/** The contacts among whom it is counted; undefined: all of them. */
export async function countedAmong(slow: Runner, tenantId: number, moment: Moment): Promise<string[] | undefined> {
  return moment.contacts <= mostCounted ? undefined : chooseContacts(slow, tenantId, sampled, moment);
}

async function estimate(
  slow: Runner,
  tenantId: number,
  filter: Filter,
  moment: Moment,
  chosen: readonly string[],
): Promise<Hits> {
  if (chosen.length === 0) return { count: 0, ids: [] };
  const at = groundFor(tenantId, moment, chosen);
  const { count, ids } = await countHits(slow, tenantId, compile(filter, at), chosen);
  return { count: Math.round((count / chosen.length) * moment.contacts), ids };
}
