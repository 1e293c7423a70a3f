// What happened and a journey has not seen yet, written by those who tell it.
import { copyField } from '../../../db/copy.js';
import type { Runner, Transaction } from '../../../db/database.js';
import { sql } from '../../../db/sql.js';
import { currentTrace } from '../../../lib/tracing.js';
import { orgMembershipTable } from '../../organizations/index.js';
import { productUserTable } from '../../users/index.js';

/** Those that this build can read. What a newer one writes beside it is left for that one. */
export const newsKinds = [
  ...['event', 'joined', 'left', 'property', 'topic', 'form', 'started', 'takenOut', 'changed', 'applied', 'answered'],
] as const;
export type NewsKind = (typeof newsKinds)[number];

export interface NewNews {
  journeyNo: number;
  kind: NewsKind;
  contactId: string;
  enrolmentId?: string | undefined;
  /** When it was acknowledged. */
  at: string;
  /** JSON. */
  data?: string | undefined;
  /** It can only start an enrolment, whatever becomes of those that the contact has. */
  isEntry?: boolean;
}

export async function insertNews(tx: Transaction, tenantId: number, news: readonly NewNews[]): Promise<void> {
  if (news.length === 0) return;
  const trace = currentTrace();
  const end = trace === undefined ? '\n' : `\t${trace}\n`;
  const line = ({ journeyNo, kind, contactId, enrolmentId = '\\N', at, data, isEntry = false }: NewNews) =>
    `${tenantId}\t${journeyNo}\t${kind}\t${contactId}\t${enrolmentId}\t${at}\t${copyField(data ?? null)}\t${isEntry}${end}`;
  const columns = sql`tenant_id, journey_no, kind, contact_id, enrolment_id, at, data, is_entry`;
  await tx.copy(
    trace === undefined
      ? sql`copy journey_news (${columns}) from stdin`
      : sql`copy journey_news (${columns}, traceparent) from stdin`,
    news.map(line).join(''),
  );
}

/** A journey looks at every contact in these organizations. */
export async function insertOrgNews(
  tx: Transaction,
  tenantId: number,
  orgs: readonly { orgId: string; journeyNo: number }[],
  now: string,
): Promise<void> {
  await tx.run(sql`
    insert into journey_news (tenant_id, journey_no, kind, contact_id, at)
    select distinct ${tenantId}::bigint, o.journey_no, 'changed', u.contact_id, ${now}::timestamptz
    from unnest(${orgs.map((org) => org.orgId)}::text[], ${orgs.map((org) => org.journeyNo)}::integer[]) as o (org_id, journey_no)
    join ${orgMembershipTable} m on m.tenant_id = ${tenantId} and m.org_id = o.org_id
    join ${productUserTable} u on u.tenant_id = m.tenant_id and u.user_id = m.user_id`);
}

/** It looks at every contact in the organizations of these contacts, too. */
export async function insertFellowNews(
  tx: Transaction,
  tenantId: number,
  contacts: readonly { contactId: string; journeyNo: number }[],
  now: string,
): Promise<void> {
  await tx.run(sql`
    insert into journey_news (tenant_id, journey_no, kind, contact_id, at)
    select distinct ${tenantId}::bigint, c.journey_no, 'changed', fellow.contact_id, ${now}::timestamptz
    from unnest(${contacts.map((c) => c.contactId)}::uuid[], ${contacts.map((c) => c.journeyNo)}::integer[]) as c (contact_id, journey_no)
    join ${productUserTable} u on u.tenant_id = ${tenantId} and u.contact_id = c.contact_id
    join ${orgMembershipTable} own on own.tenant_id = u.tenant_id and own.user_id = u.user_id
    join ${orgMembershipTable} m on m.tenant_id = own.tenant_id and m.org_id = own.org_id
    join ${productUserTable} fellow on fellow.tenant_id = m.tenant_id and fellow.user_id = m.user_id`);
}

export interface VersionRow {
  journeyNo: number;
  version: number;
  type: 'batch' | 'trigger';
  definition: unknown;
  /** The journey is active: it is told news. */
  isActive: boolean;
  /** The version that contacts enter. */
  isEntered: boolean;
}

const columns = sql`
  v.journey_no as "journeyNo", v.version, j.type, v.definition, j.state = 'active' as "isActive",
  j.state = 'active' and j.version = v.version as "isEntered"`;

/** Versions of journeys that are active or stopping, which contacts are in or may be in. */
export function selectLiveVersions(tx: Runner, tenantId: number): Promise<VersionRow[]> {
  return tx.rows(sql<VersionRow>`
    select ${columns} from journey j
    join journey_version v on v.tenant_id = j.tenant_id and v.journey_no = j.journey_no and v.is_live
    where j.tenant_id = ${tenantId} and (j.state = 'active' or j.is_stopping)
    order by v.journey_no, v.version`);
}

export function selectVersion(
  tx: Runner,
  tenantId: number,
  journeyNo: number,
  version: number,
): Promise<VersionRow | undefined> {
  return tx.row(sql<VersionRow>`
    select ${columns} from journey_version v
    join journey j on j.tenant_id = v.tenant_id and j.journey_no = v.journey_no
    where v.tenant_id = ${tenantId} and v.journey_no = ${journeyNo} and v.version = ${version}`);
}

/** News of journeys that are over, told by a process that did not know yet. */
export function sweepNews(db: Runner, atMost: number): Promise<number> {
  return db.run(sql`
    /* all tenants */ delete from journey_news n using (
      select o.tenant_id, o.journey_no, o.news_no from journey_news o
      where o.journey_no > 0 and not exists (
        select from journey j where j.tenant_id = o.tenant_id and j.journey_no = o.journey_no and (j.state = 'active' or j.is_stopping))
      order by o.tenant_id, o.journey_no, o.news_no limit ${atMost}
    ) old where n.tenant_id = old.tenant_id and n.journey_no = old.journey_no and n.news_no = old.news_no`);
}
