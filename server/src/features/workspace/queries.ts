import type { Role } from '@rapport/contract';
import type { Database, Runner } from '../../db/database.js';
import { type Page, type PageOf, paged } from '../../db/paged.js';
import { type Sql, sql } from '../../db/sql.js';
import { personTable, sessionTable } from '../accounts/index.js';
import { auditEntryTable, auditHeadTable } from '../audit/index.js';
import { accountNames, accountTable, activeAccounts, members, sessionOfToken, tenantTable } from '../tenants/index.js';

interface SelfRow {
  workspace: string;
  timeZone: string | null;
  name: string;
  email: string | null;
}

export function findSelf(db: Runner, tenantId: number, accountId: number): Promise<SelfRow | undefined> {
  return db.row(sql<SelfRow>`
    select t.name as workspace, t.time_zone as "timeZone", a.name, coalesce(p.email, a.email) as email
    from ${accountTable} a join ${tenantTable} t using (tenant_id) left join ${personTable} p using (person_id)
    where a.tenant_id = ${tenantId} and a.account_id = ${accountId}`);
}

interface OtherRow {
  tenantId: number;
  name: string;
  role: Role;
}

/**
 * The other workspaces of the person behind an account. Only for a browser in which they signed in by password or link: an identity provider
 * belongs to one workspace, and its admins must not learn of others, nor by a token that was made in such a browser.
 */
export function selectOtherWorkspaces(
  db: Runner,
  tenantId: number,
  accountId: number,
  tokenId: number,
): Promise<OtherRow[]> {
  return db.rows(sql<OtherRow>`
    select o.tenant_id as "tenantId", t.name, o.role
    from ${members} a join ${activeAccounts} o on o.person_id = a.person_id join ${tenantTable} t on t.tenant_id = o.tenant_id
    join ${personTable} p on p.person_id = o.person_id
    where a.tenant_id = ${tenantId} and a.account_id = ${accountId} and o.tenant_id <> a.tenant_id
      and (not o.is_by_sso or p.proven_at is not null)
      and exists (select from ${sessionTable} s
        where s.session_id = ${sessionOfToken(tenantId, tokenId)} and s.sso_tenant_id is null)
    order by t.name, o.tenant_id`);
}

export interface EntryFilter {
  action: string | undefined;
  accountId: number | undefined;
  from: string | undefined;
  to: string | undefined;
}

export interface EntryRow {
  entryNo: number;
  at: string;
  accountId: number | null;
  accountName: string | null;
  action: string;
  subject: string | null;
  /** JSON. */
  detail: string;
  address: string | null;
  hash: string;
}

const entryColumns = sql`
  e.entry_no as "entryNo", e.at, e.account_id as "accountId", a.name as "accountName", e.action, e.subject, e.detail, e.address, e.hash`;

function matching(tenantId: number, { action, accountId, from, to }: EntryFilter): Sql {
  return sql`
    e.tenant_id = ${tenantId} and (${action ?? null}::text is null or e.action = ${action ?? null}::text)
    and (${accountId ?? null}::bigint is null or e.account_id = ${accountId ?? null}::bigint)
    and (${from ?? null}::timestamptz is null or e.at >= ${from ?? null}::timestamptz)
    and (${to ?? null}::timestamptz is null or e.at <= ${to ?? null}::timestamptz)`;
}

/** Newest first. Without a filter the number of the last entry is the total: entries are never removed. */
export function selectEntries(
  db: Database,
  tenantId: number,
  filter: EntryFilter,
  page: PageOf,
): Promise<Page<EntryRow>> {
  const matches = matching(tenantId, filter);
  const isSearch = Object.values(filter).some((value) => value !== undefined);
  const total = isSearch
    ? sql`(select count(*) from ${auditEntryTable} e where ${matches})`
    : sql`coalesce((select entry_no from ${auditHeadTable} where tenant_id = ${tenantId}), 0)`;
  const rows = sql<EntryRow>`
    select ${entryColumns} from ${auditEntryTable} e left join ${accountNames} a using (tenant_id, account_id)
    where ${matches} order by e.entry_no desc limit ${page.limit} offset ${page.offset}`;
  return paged(db, tenantId, { ...page, isSearch }, { total, rows });
}

/** Newest first, those before a number; null: from the newest on. */
export function selectEntriesBefore(
  db: Runner,
  tenantId: number,
  filter: EntryFilter,
  before: number | null,
  limit: number,
): Promise<EntryRow[]> {
  return db.rows(sql<EntryRow>`
    select ${entryColumns} from ${auditEntryTable} e left join ${accountNames} a using (tenant_id, account_id)
    where ${matching(tenantId, filter)} and (${before}::bigint is null or e.entry_no < ${before}::bigint)
    order by e.entry_no desc limit ${limit}`);
}

interface MadeEntry {
  action: string;
  subject: string;
  /** JSON. */
  detail: string;
}

/** What the log said about these things when they were made or last changed. An index has these actions, which are few. */
export function selectMade(
  db: Runner,
  tenantId: number,
  actions: readonly string[],
  subjects: readonly string[],
): Promise<MadeEntry[]> {
  if (actions.length === 0 || subjects.length === 0) return Promise.resolve([]);
  return db.rows(sql<MadeEntry>`
    select action, subject, detail from ${auditEntryTable}
    where tenant_id = ${tenantId} and action = any(${actions}::text[]) and subject = any(${subjects}::text[])
    order by entry_no`);
}
