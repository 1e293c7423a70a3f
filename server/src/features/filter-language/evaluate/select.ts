// For whom a filter holds, and a sample of contacts to try it on.
import type { Runner } from '../../../db/database.js';
import { compile } from '../compile/index.js';
import type { Filter } from '../tree.js';
import * as queries from './queries.js';

/** Up to this many, the sample is taken from the tenant's index, which spreads it best, at 3 µs a contact. */
const mostNumbered = 200_000;
/** Above that, pages of the table are sampled, unless other tenants own so much of it that a page costs more than this many index entries. */
const entriesAPage = 20;

/** For whom a filter holds now, of everyone or of these contacts, as a query with a column contact_id. */
export function matchingSql(tenantId: number, filter: Filter, exact: string, contactIds?: readonly string[]) {
  const compiled = compile(filter, queries.groundFor(tenantId, { exact }, contactIds));
  return queries.hitsOf(tenantId, compiled, contactIds);
}

/** A random sample of about this many contacts; fewer if there are fewer. */
export async function sampleContacts(slow: Runner, tenantId: number, wanted: number): Promise<string[]> {
  return chooseContacts(slow, tenantId, wanted, await queries.readMoment(slow, tenantId));
}

export function chooseContacts(slow: Runner, tenantId: number, wanted: number, { contacts, pages }: queries.Moment) {
  const pagesRead = (pages * wanted) / contacts;
  const isByIndex = contacts <= mostNumbered || pagesRead * entriesAPage > contacts;
  const find = isByIndex ? queries.sampleOfIndex : queries.sampleOfPages;
  return find(slow, tenantId, contacts, wanted);
}
