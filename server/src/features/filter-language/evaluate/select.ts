// For whom a filter holds, and a sample of contacts to try it on.
import type { Runner } from '../../../db/database.js';
import { compile } from '../compile/index.js';
import type { Filter } from '../tree.js';
import * as queries from './queries.js';

/** Up to so many, the index of the tenant is read to choose from, which spreads the sample best, at 3 µs a contact. */
const mostNumbered = 200_000;
/** Above, pages of the table are, unless other tenants have so much of it that a page costs more than so many of the index's entries. */
const entriesAPage = 20;

/** For whom a filter holds now, of everyone or of these contacts, as a query with a column contact_id. */
export function matchingSql(tenantId: number, filter: Filter, exact: string, contactIds?: readonly string[]) {
  const compiled = compile(filter, queries.groundFor(tenantId, { exact }, contactIds));
  return queries.hitsOf(tenantId, compiled, contactIds);
}

/** About so many contacts, from all over; fewer where there are fewer. */
export async function sampleContacts(slow: Runner, tenantId: number, wanted: number): Promise<string[]> {
  return chooseContacts(slow, tenantId, wanted, await queries.readMoment(slow, tenantId));
}

export function chooseContacts(slow: Runner, tenantId: number, wanted: number, { contacts, pages }: queries.Moment) {
  const pagesRead = (pages * wanted) / contacts;
  const isByIndex = contacts <= mostNumbered || pagesRead * entriesAPage > contacts;
  const find = isByIndex ? queries.sampleOfIndex : queries.sampleOfPages;
  return find(slow, tenantId, contacts, wanted);
}
