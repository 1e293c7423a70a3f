import type { Role } from '@rapport/contract';
import type { Database, Runner, Transaction } from '../../../db/database.js';
import { type Page, type PageOf, paged } from '../../../db/paged.js';
import { bytes, sql } from '../../../db/sql.js';
import type { Drawer } from '../../sending/index.js';
import { members, revokeTokens, tenantTable } from '../../tenants/index.js';

export interface ProviderRow {
  providerId: number;
  name: string;
  issuer: string;
  clientId: string;
  /** Sealed, hex. Null: a public client. */
  clientSecret: string | null;
  domains: string[];
  isRequired: boolean;
  joinsAs: Role | null;
  createdAt: string;
}
const columns = sql`
  provider_id as "providerId", name, issuer, client_id as "clientId", client_secret as "clientSecret", domains,
  is_required as "isRequired", joins_as as "joinsAs", created_at as "createdAt"`;

/** Where secrets of identity providers are, so that all of them can move to a new key. */
export const providerDrawers: readonly Drawer[] = [
  {
    ...{ kind: 'identity-provider', table: sql`identity_provider` },
    ...{ name: sql`provider_id::text`, column: sql`client_secret` },
  },
];

export function selectProviders(db: Database, tenantId: number, page: PageOf): Promise<Page<ProviderRow>> {
  const total = sql`(select count(*) from identity_provider where tenant_id = ${tenantId})`;
  const rows = sql<ProviderRow>`
    select ${columns} from identity_provider where tenant_id = ${tenantId}
    order by provider_id desc limit ${page.limit} offset ${page.offset}`;
  return paged(db, tenantId, page, { total, rows });
}

export function findProvider(db: Runner, tenantId: number, providerId: number): Promise<ProviderRow | undefined> {
  return db.row(sql<ProviderRow>`
    select ${columns} from identity_provider where tenant_id = ${tenantId} and provider_id = ${providerId}`);
}

/** Locks it: until the transaction ends, nothing else can change it or sign in with it. */
export function lockProvider(tx: Transaction, tenantId: number, providerId: number): Promise<ProviderRow | undefined> {
  return tx.row(sql<ProviderRow>`
    select ${columns} from identity_provider where tenant_id = ${tenantId} and provider_id = ${providerId} for update`);
}

type ProviderFields = Omit<ProviderRow, 'providerId' | 'clientSecret' | 'createdAt'>;

/** Undefined if there are `most` already. */
export function insertProvider(
  tx: Transaction,
  tenantId: number,
  { name, issuer, clientId, domains, isRequired, joinsAs }: ProviderFields,
  most: number,
): Promise<ProviderRow | undefined> {
  return tx.row(sql<ProviderRow>`
    insert into identity_provider (tenant_id, name, issuer, client_id, domains, is_required, joins_as)
    select ${tenantId}, ${name}, ${issuer}, ${clientId}, ${domains}::text[], ${isRequired}::boolean, ${joinsAs}::text
    where (select count(*) from identity_provider where tenant_id = ${tenantId}) < ${most}
    returning ${columns}`);
}

export async function updateProvider(
  tx: Transaction,
  tenantId: number,
  { providerId, name, issuer, clientId, clientSecret, domains, isRequired, joinsAs }: ProviderRow,
): Promise<void> {
  await tx.run(sql`
    update identity_provider set name = ${name}, issuer = ${issuer}, client_id = ${clientId}, domains = ${domains}::text[],
      client_secret = ${clientSecret === null ? null : bytes(clientSecret)}::bytea, is_required = ${isRequired}, joins_as = ${joinsAs}
    where tenant_id = ${tenantId} and provider_id = ${providerId}`);
}

export async function deleteProvider(tx: Transaction, tenantId: number, providerId: number): Promise<boolean> {
  const touched = await tx.run(sql`
    delete from identity_provider where tenant_id = ${tenantId} and provider_id = ${providerId}`);
  return touched === 1;
}

/** Ends sessions that came through a provider, with the tokens that their browsers hold. */
export async function endSessionsBy(tx: Transaction, tenantId: number, providerId: number): Promise<void> {
  const ended = await tx.rows(sql<{ sessionId: number }>`
    update session set ended_at = now()
    where sso_tenant_id = ${tenantId} and sso_provider_id = ${providerId} and ended_at is null
    returning session_id as "sessionId"`);
  await revokeTokens(tx, sql`a.session_id = any(${ended.map(({ sessionId }) => sessionId)}::bigint[])`);
}

/** Ends tokens of browsers in which people of these domains signed in another way: that is no longer accepted here. */
export async function revokeOtherWays(tx: Transaction, tenantId: number, domains: readonly string[]): Promise<void> {
  const cameOtherwise = sql`exists (select from session s join person p using (person_id)
    where s.session_id = a.session_id and s.sso_tenant_id is null and split_part(p.email_folded, '@', 2) = any(${[...domains]}::text[]))`;
  await revokeTokens(tx, sql`a.tenant_id = ${tenantId} and a.kind = 'session' and ${cameOtherwise}`);
}

export interface OfferRow {
  tenantId: number;
  providerId: number;
  name: string;
  workspace: string;
  issuer: string;
  isRequired: boolean;
}

/** Which providers speak for a domain: one per workspace that has proven it, in the order of the proofs. */
export function selectByDomain(db: Runner, domain: string, limit: number): Promise<OfferRow[]> {
  return db.rows(sql<OfferRow>`
    select i.tenant_id as "tenantId", i.provider_id as "providerId", i.name, t.name as workspace, i.issuer,
      i.is_required as "isRequired"
    from sso_domain d join ${tenantTable} t using (tenant_id) cross join lateral (
      select * from identity_provider p where p.tenant_id = d.tenant_id and d.domain = any(p.domains)
      order by p.is_required desc, p.provider_id limit 1) i
    where d.domain = ${domain} and d.proven_at is not null
    order by d.proven_at, d.tenant_id limit ${limit}`);
}

interface AttemptRow {
  tenantId: number;
  providerId: number;
  /** Hex. */
  sealed: string;
}

export async function insertAttempt(
  db: Runner,
  stateHash: string,
  { tenantId, providerId, sealed }: AttemptRow,
  expiresAt: string,
): Promise<void> {
  await db.run(sql`
    insert into sso_attempt (state_hash, tenant_id, provider_id, sealed, expires_at)
    values (${bytes(stateHash)}, ${tenantId}, ${providerId}, ${bytes(sealed)}, ${expiresAt}::timestamptz)`);
}

/** Uses an attempt up. */
export function takeAttemptRow(db: Runner, stateHash: string, now: string): Promise<AttemptRow | undefined> {
  return db.row(sql<AttemptRow>`
    delete from sso_attempt where state_hash = ${bytes(stateHash)} and expires_at > ${now}::timestamptz
    returning tenant_id as "tenantId", provider_id as "providerId", sealed`);
}

export function sweepAttempts(db: Runner, atMost: number): Promise<number> {
  return db.run(sql`
    delete from sso_attempt where state_hash in (select state_hash from sso_attempt where expires_at < now() limit ${atMost})`);
}

export interface MemberRow {
  accountId: number;
  personId: number;
  isActive: boolean;
}
const memberColumns = sql`
  a.account_id as "accountId", a.person_id as "personId", a.is_active as "isActive"`;

/** Who came through this provider under this name before. */
export function findBySubject(
  db: Runner,
  tenantId: number,
  providerId: number,
  subject: string,
): Promise<MemberRow | undefined> {
  return db.row(sql<MemberRow>`
    select ${memberColumns} from identity i join ${members} a using (tenant_id, account_id)
    where i.tenant_id = ${tenantId} and i.provider_id = ${providerId} and i.subject = ${subject}`);
}

export function findByEmail(db: Runner, tenantId: number, email: string): Promise<MemberRow | undefined> {
  return db.row(sql<MemberRow>`
    select ${memberColumns} from person p join ${members} a using (person_id)
    where p.email_folded = ${email} and a.tenant_id = ${tenantId}`);
}

/** Whether an account is known to a provider. */
export async function hasIdentity(
  db: Runner,
  tenantId: number,
  providerId: number,
  accountId: number,
): Promise<boolean> {
  const row = await db.row(sql`
    select from identity where tenant_id = ${tenantId} and provider_id = ${providerId} and account_id = ${accountId} limit 1`);
  return row !== undefined;
}

export async function insertIdentity(
  tx: Transaction,
  tenantId: number,
  providerId: number,
  subject: string,
  accountId: number,
): Promise<void> {
  await tx.run(sql`
    insert into identity (tenant_id, provider_id, subject, account_id)
    values (${tenantId}, ${providerId}, ${subject}, ${accountId})`);
}

export async function deleteIdentities(tx: Transaction, tenantId: number, providerId: number): Promise<void> {
  await tx.run(sql`delete from identity where tenant_id = ${tenantId} and provider_id = ${providerId}`);
}
