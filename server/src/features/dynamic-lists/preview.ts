import type { DataValue, previewDynamicList as route } from '@rapport/contract';
import type { Database, Runner } from '../../db/database.js';
import { sql } from '../../db/sql.js';
import { selectContactsByIds } from '../contacts/index.js';
import { checkReferences } from './check-references.js';
import * as evaluation from './evaluation/queries.js';
import { compile } from './filter/compile/index.js';
import { say } from './filter/say.js';
import type { Filter } from './filter/tree.js';

/** Up to so many contacts are all looked at; of more, about `sampled`, from all over. */
export const mostCounted = 50_000;
const sampled = 10_000;
/** Up to here the whole index of a tenant is read to choose from: 0.1 s. Above, pages of the table are. */
const mostNumbered = 500_000;

/** Tries a filter on the contacts that there are. In the lane of slow reads: it holds up nobody else, and has a time limit. */
export async function preview(db: Database, tenantId: number, filter: Filter): Promise<DataValue<typeof route>> {
  const names = await checkReferences(db, tenantId, filter);
  const slow = db.slow(tenantId);
  const ground = await evaluation.readGround(db, tenantId);
  const at = { tenantId, now: evaluation.momentOf(ground) };
  const everybody = compile(filter, { ...at, scope: () => sql`true` });
  const estimatedCost = await evaluation.estimateCost(slow, tenantId, everybody);
  const isExact = ground.contacts <= mostCounted;
  const { count, ids } = isExact
    ? await evaluation.countHits(slow, tenantId, everybody, sql`true`)
    : await estimate(slow, tenantId, filter, ground);
  const sample = ids.length === 0 ? [] : await selectContactsByIds(db, tenantId, ids);
  return { count, isExact, sample, text: say(filter, names), estimatedCost };
}

async function estimate(
  slow: Runner,
  tenantId: number,
  filter: Filter,
  ground: evaluation.Moment & { contacts: number },
): Promise<evaluation.Hits> {
  const { contacts } = ground;
  const choose = contacts <= mostNumbered ? evaluation.sampleOfIndex : evaluation.sampleOfPages;
  const ids = await choose(slow, tenantId, contacts, sampled);
  if (ids.length === 0) return { count: 0, ids: [] };
  const scope = (id: typeof contactId) => sql`${id} = any(${ids}::uuid[])`;
  const compiled = compile(filter, { tenantId, now: evaluation.momentOf(ground), scope });
  const hits = await evaluation.countHits(slow, tenantId, compiled, scope(contactId));
  return { count: Math.round((hits.count / ids.length) * contacts), ids: hits.ids };
}

const contactId = sql`c.contact_id`;
