import type { DataValue, previewDynamicList as route } from '@rapport/contract';
import type { Database, Runner } from '../../db/database.js';
import { selectContactsByIds } from '../contacts/index.js';
import { checkReferences } from './check-references.js';
import * as evaluation from './evaluation/queries.js';
import { compile } from './filter/compile/index.js';
import { say } from './filter/say.js';
import type { Filter } from './filter/tree.js';

/** Up to so many contacts are all looked at; of more, about `sampled`, from all over. */
const mostCounted = 50_000;
const sampled = 10_000;
/** Up to so many, the index of the tenant is read to choose from, which spreads the sample best, at 3 µs a contact. */
const mostNumbered = 200_000;
/** Above, pages of the table are, unless other tenants have so much of it that a page costs more than so many of the index's entries. */
const entriesAPage = 20;

/** Tries a filter on the contacts that there are. In the lane of slow reads: it holds up nobody else, and has a time limit. */
export async function preview(db: Database, tenantId: number, filter: Filter): Promise<DataValue<typeof route>> {
  const names = await checkReferences(db, tenantId, filter);
  const slow = db.slow(tenantId);
  const moment = await evaluation.readMoment(db, tenantId);
  const everybody = compile(filter, evaluation.groundFor(tenantId, moment));
  const estimatedCost = await evaluation.estimateCost(slow, tenantId, everybody);
  const isExact = moment.contacts <= mostCounted;
  const { count, ids } = isExact
    ? await evaluation.countHits(slow, tenantId, everybody)
    : await estimate(slow, tenantId, filter, moment);
  const sample = ids.length === 0 ? [] : await selectContactsByIds(db, tenantId, ids);
  return { count, isExact, sample, text: say(filter, names), estimatedCost };
}

/** For whom a filter holds now, of everybody or of these contacts, as a query with a column contact_id. */
export function matchingSql(tenantId: number, filter: Filter, exact: string, contactIds?: readonly string[]) {
  const compiled = compile(filter, evaluation.groundFor(tenantId, { exact }, contactIds));
  return evaluation.hitsOf(tenantId, compiled, contactIds);
}

/** About so many contacts, from all over; fewer where there are fewer. */
export async function sampleContacts(slow: Runner, tenantId: number, wanted: number): Promise<string[]> {
  return choose(slow, tenantId, wanted, await evaluation.readMoment(slow, tenantId));
}

function choose(slow: Runner, tenantId: number, wanted: number, { contacts, pages }: evaluation.Moment) {
  const pagesRead = (pages * wanted) / contacts;
  const isByIndex = contacts <= mostNumbered || pagesRead * entriesAPage > contacts;
  const find = isByIndex ? evaluation.sampleOfIndex : evaluation.sampleOfPages;
  return find(slow, tenantId, contacts, wanted);
}

async function estimate(
  slow: Runner,
  tenantId: number,
  filter: Filter,
  moment: evaluation.Moment,
): Promise<evaluation.Hits> {
  const { contacts } = moment;
  const chosen = await choose(slow, tenantId, sampled, moment);
  if (chosen.length === 0) return { count: 0, ids: [] };
  const at = evaluation.groundFor(tenantId, moment, chosen);
  const { count, ids } = await evaluation.countHits(slow, tenantId, compile(filter, at), chosen);
  return { count: Math.round((count / chosen.length) * contacts), ids };
}
