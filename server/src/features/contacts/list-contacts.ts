import type { DataValue, QueryValues, listContacts as route } from '@rapport/contract';
import type { Database, Runner } from '../../db/database.js';
import { type Page, type PageOf, pageReader } from '../../db/paged.js';
import { searchedGrams } from '../../lib/grams.js';
import { foldCase } from '../../lib/text.js';
import { selectContacts, selectContactsInOrder } from './queries.js';
import { type ContactIds, inBoth, matchingContacts, pageOfMatches } from './search/queries.js';

/** A parsed filter of a request. */
export interface ContactFilter {
  /** The contacts that match it. */
  matching: ContactIds;
  /** Which of these contacts match it. Every call evaluates it at the same moment. */
  among(db: Runner, contactIds: readonly string[]): Promise<ReadonlySet<string>>;
}

/** What only features above know: the filter language and list members. Passed in by the app. */
export interface ContactSelection {
  /** Throws a 400 that says what is wrong, and where. */
  readFilter(tenantId: number, text: string): Promise<ContactFilter>;
  /** Throws a 404 if the list does not exist. */
  membersOf(tenantId: number, list: { staticListId: string } | { dynamicListId: string }): Promise<ContactIds>;
}

type Wanted = Pick<QueryValues<typeof route>, 'search' | 'filter' | 'sort'>;

/** Without a search or filter, the total is a counter and the page comes from an index; with one, all matches are searched. */
export async function listContacts(
  db: Database,
  tenantId: number,
  { search, filter, sort = '-createdAt' }: Wanted,
  page: PageOf,
  { readFilter }: Pick<ContactSelection, 'readFilter'>,
): Promise<Page<DataValue<typeof route>>> {
  const found = search === undefined ? undefined : matchesOf(tenantId, search);
  const meant = filter === undefined ? undefined : (await readFilter(tenantId, filter)).matching;
  const matching = found && meant ? inBoth(meant, found) : (found ?? meant);
  if (!matching) return selectContacts(db, tenantId, sort, page);
  const matches = await pageOfMatches(db.slow(tenantId), tenantId, matching, sort, page);
  const rows = matches?.ids
    ? await selectContactsInOrder(pageReader(db, tenantId, { ...page, offset: 0, isFat: true }), tenantId, matches.ids)
    : [];
  return { rows, total: matches?.total ?? 0 };
}

function matchesOf(tenantId: number, search: string): ContactIds {
  const folded = foldCase(search);
  return matchingContacts(tenantId, folded, searchedGrams(tenantId, search), [...folded].length < 3);
}
