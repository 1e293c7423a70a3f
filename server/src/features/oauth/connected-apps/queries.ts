import type { AgentScope } from '@rapport/contract';
import type { Database, Runner } from '../../../db/database.js';
import { type Page, type PageOf, paged } from '../../../db/paged.js';
import { bytes, type Sql, sql } from '../../../db/sql.js';
import { accountNames, lastUse } from '../../tenants/index.js';

interface ConnectedAppRow {
  appId: string;
  name: string;
  clientId: string;
  backTo: string;
  scopes: ('READ' | 'WRITE' | AgentScope)[];
  accountId: number;
  accountName: string;
  createdAt: string;
  usedAt: string | null;
  expiresAt: string;
}

/** Null: of all accounts. */
export function selectApps(
  db: Database,
  tenantId: number,
  accountId: number | null,
  page: PageOf,
): Promise<Page<ConnectedAppRow>> {
  const shown = sql`
    g.kind = 'Grant' and g.of_tenant_id = ${tenantId} and g.expires_at > now()
    and (${accountId}::bigint is null or g.account_id = ${accountId}::bigint)`;
  const total = sql`(select count(*) from oauth_record g where ${shown})`;
  const rows = sql<ConnectedAppRow>`
    select g.id_hash as "appId", g.payload #>> '{app,name}' as name, g.client_id as "clientId",
      g.payload #>> '{app,backTo}' as "backTo", g.account_id as "accountId", c.name as "accountName",
      array(select s from unnest(string_to_array(g.payload #>> '{openid,scope}', ' ')) s
        where s in ('READ', 'read', 'people') or (s in ('WRITE', 'write', 'send') and c.role <> 'viewer')
        order by s in ('people', 'write', 'send'), s in ('write', 'send'), s) as scopes,
      g.created_at as "createdAt", g.expires_at as "expiresAt",
      greatest(g.used_at, ${lastUse(sql`t.grant_hash = g.id_hash`)}) as "usedAt"
    from oauth_record g join ${accountNames} c on c.tenant_id = g.of_tenant_id and c.account_id = g.account_id
    where ${shown} order by g.created_at desc, g.id_hash limit ${page.limit} offset ${page.offset}`;
  return paged(db, tenantId, page, { total, rows });
}

/** For a statement that reads more: what an app calls itself, by its id; null once no one in the workspace is connected to it. */
export function appNameSql(tenantId: number, clientId: Sql): Sql {
  return sql`(
    select g.payload #>> '{app,name}' from oauth_record g
    where g.kind = 'Grant' and g.of_tenant_id = ${tenantId} and g.client_id = ${clientId} and g.expires_at > now()
    order by g.created_at desc limit 1)`;
}

/** Whose it is, if it belongs to this tenant. */
export async function findAppOwner(db: Runner, tenantId: number, appId: string): Promise<number | undefined> {
  const row = await db.row(sql<{ accountId: number }>`
    select account_id as "accountId" from oauth_record
    where kind = 'Grant' and id_hash = ${bytes(appId)} and of_tenant_id = ${tenantId}`);
  return row?.accountId;
}
