// Figures that the database sums, sorts and limits, because there may be many: a tenant may write to a hundred thousand domains.
import type { Database, Runner } from '../../../../db/database.js';
import { type Page, type PageOf, pageReader, unwrapPage } from '../../../../db/paged.js';
import { type Sql, sql } from '../../../../db/sql.js';
import { tallied, type Window } from '../../../../db/tallies.js';
import type { Counts } from '../counts.js';
import { figuresOf, isSome, shownSums, tallies } from '../queries.js';

export interface DomainFigures extends Counts {
  domain: string;
}
interface EmailFigures extends Counts {
  emailId: string;
}
export interface LinkFigures extends Counts {
  url: string;
  emailId: string;
}

interface JourneyFigures extends Counts {
  journeyId: string;
}

/** One row per journey, over all steps: reading single steps would take half the cost of a rollup. */
export function sumByJourney(
  db: Runner,
  tenantId: number,
  journeyIds: readonly string[],
  window: Window,
): Promise<JourneyFigures[]> {
  return db.rows(sql<JourneyFigures>`
    select split_part(subject, ':', 2) as "journeyId", ${shownSums}
    from (${figuresOf(tenantId, { kind: 'journeys', journeyIds }, window, null)}) f group by 1`);
}

/**
 * The same for every journey that ever sent anything, for all time, as a query to be joined to others. The rows are adjacent: reading them
 * in sequence costs a third of looking each up. `isAsked`: nothing is read unless it is true.
 */
export function sumByJourneyEver(tenantId: number, isAsked: Sql): Sql {
  const which = sql`subject >= 'j:' and subject < 'j;' and ${isAsked}`;
  return sql`
    select split_part(subject, ':', 2) as "journeyId", ${shownSums}
    from (${tallied(tallies, tenantId, which, { from: null, to: null })}) f group by 1`;
}

/** Most sent first. */
export function pageDomains(
  db: Database,
  tenantId: number,
  window: Window,
  page: PageOf,
): Promise<Page<DomainFigures>> {
  const all = sql`
    select substr(subject, 3) as domain, ${shownSums} from (${figuresOf(tenantId, { kind: 'domains' }, window, null)}) f
    group by subject having ${isSome}`;
  return pageOf(db, tenantId, page, all, sql`sent desc, domain`);
}

/** Most sent first; default and personalized messages together. */
export function pageEmails(db: Database, tenantId: number, window: Window, page: PageOf): Promise<Page<EmailFigures>> {
  const all = sql`
    select split_part(subject, ':', 2) as "emailId", ${shownSums}
    from (${figuresOf(tenantId, { kind: 'emails' }, window, null)}) f group by 1 having ${isSome}`;
  return pageOf(db, tenantId, page, all, sql`sent desc, "emailId"`);
}

/** Of these journeys, the newest first. */
export function pageJourneys(
  db: Database,
  tenantId: number,
  journeyIds: readonly string[],
  window: Window,
  page: PageOf,
): Promise<Page<JourneyFigures>> {
  const all = sql`
    select split_part(subject, ':', 2) as "journeyId", ${shownSums}
    from (${figuresOf(tenantId, { kind: 'journeys', journeyIds }, window, null)}) f group by 1 having ${isSome}`;
  return pageOf(db, tenantId, page, all, sql`"journeyId" desc`);
}

/** Most clicked first; only for one email if it is named. Addresses that were shortened may now be equal. */
export function pageLinks(
  db: Database,
  tenantId: number,
  emailId: string | undefined,
  window: Window,
  page: PageOf,
): Promise<Page<LinkFigures>> {
  const of = { kind: 'links', ...(emailId === undefined ? {} : { emailId }) } as const;
  const all = sql`
    select l.url, l.email_id as "emailId", ${shownSums} from (${figuresOf(tenantId, of, window, null)}) f
    join message_link l on l.tenant_id = ${tenantId} and l.link_no = substr(f.subject, 3)::integer
    group by l.email_id, l.url having ${isSome}`;
  return pageOf(db, tenantId, page, all, sql`clicked desc, "machineClicked" desc, url, "emailId"`);
}

/** All rows must be summed to find the first ones, so every page is a slow read. */
async function pageOf<Row>(db: Database, tenantId: number, page: PageOf, all: Sql, order: Sql): Promise<Page<Row>> {
  const found = await pageReader(db, tenantId, { ...page, isSearch: true }).rows(sql<Row & { total: number }>`
    with f as materialized (${all})
    select t.total, p.* from (select count(*) as total from f) t
    left join lateral (select * from f order by ${order} limit ${page.limit} offset ${page.offset}) p on true`);
  return unwrapPage(found);
}
