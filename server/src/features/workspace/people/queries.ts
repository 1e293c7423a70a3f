import type { DataValue, listPeople } from '@rapport/contract';
import type { Database, Runner } from '../../../db/database.js';
import { type Page, type PageOf, paged } from '../../../db/paged.js';
import { sql } from '../../../db/sql.js';
import { personTable, sessionTable } from '../../accounts/index.js';
import { accountTable, lastUse } from '../../tenants/index.js';

export type PersonRow = DataValue<typeof listPeople>;

/** Who is looking: only admins see second factors and last use of other people. */
export interface Viewer {
  tenantId: number;
  accountId: number;
  isAdmin: boolean;
}

function columnsFor({ accountId, isAdmin }: Viewer) {
  const isTold = sql`(${isAdmin}::boolean or a.account_id = ${accountId})`;
  return sql`
    a.account_id as "accountId", a.name, coalesce(p.email, a.email) as email, a.role,
    case when a.deactivated_at is null then 'active' else 'deactivated' end as state, a.person_id is not null as "isPerson",
    case when ${isTold} then p.totp_since is not null end as "hasSecondFactor",
    case when ${isTold} then greatest(
      ${lastUse(sql`t.tenant_id = a.tenant_id and t.account_id = a.account_id`)},
      (select max(s.seen_at) from ${sessionTable} s where s.person_id = a.person_id and s.in_tenant_id = a.tenant_id)) end as "lastSeenAt",
    a.account_id = ${accountId} as "isYou"`;
}

export function selectPeople(db: Database, viewer: Viewer, page: PageOf): Promise<Page<PersonRow>> {
  const { tenantId } = viewer;
  const total = sql`(select count(*) from ${accountTable} where tenant_id = ${tenantId})`;
  const rows = sql<PersonRow>`
    select ${columnsFor(viewer)} from ${accountTable} a left join ${personTable} p using (person_id)
    where a.tenant_id = ${tenantId} order by a.account_id limit ${page.limit} offset ${page.offset}`;
  return paged(db, tenantId, page, { total, rows });
}

export function findPerson(db: Runner, viewer: Viewer, accountId: number): Promise<PersonRow | undefined> {
  return db.row(sql<PersonRow>`
    select ${columnsFor(viewer)} from ${accountTable} a left join ${personTable} p using (person_id)
    where a.tenant_id = ${viewer.tenantId} and a.account_id = ${accountId}`);
}
