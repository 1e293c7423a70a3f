import type { RecordState } from '@rapport/contract';
import type { Runner, Transaction } from '../../../../db/database.js';
import { sql } from '../../../../db/sql.js';

export interface ProofRow {
  domain: string;
  /** The word that DNS must have. */
  word: string;
  state: RecordState;
  detail: string | null;
  checkedAt: string | null;
  isProven: boolean;
}
const columns = sql`
  domain, word, state, detail, checked_at as "checkedAt", proven_at is not null as "isProven"`;

/** Existing domains keep their word. */
export async function insertDomains(
  tx: Transaction,
  tenantId: number,
  domains: readonly { domain: string; word: string }[],
): Promise<void> {
  await tx.run(sql`
    insert into sso_domain (tenant_id, domain, word)
    select ${tenantId}, d.domain, d.word from jsonb_to_recordset(${JSON.stringify(domains)}::jsonb) as d(domain text, word text)
    on conflict do nothing`);
}

export async function deleteUnnamedDomains(tx: Transaction, tenantId: number): Promise<void> {
  await tx.run(sql`
    delete from sso_domain s where s.tenant_id = ${tenantId} and not exists (
      select from identity_provider i where i.tenant_id = s.tenant_id and s.domain = any(i.domains))`);
}

export function selectProofs(db: Runner, tenantId: number, domains: readonly string[]): Promise<ProofRow[]> {
  return db.rows(sql<ProofRow>`
    select ${columns} from sso_domain where tenant_id = ${tenantId} and domain = any(${[...domains]}::text[]) order by domain`);
}

/** Proven domains that were not looked up for a day. */
export function selectDueDomains(db: Runner, limit: number): Promise<{ tenantId: number; domain: string }[]> {
  return db.rows(sql<{ tenantId: number; domain: string }>`
    select tenant_id as "tenantId", domain from sso_domain
    where proven_at is not null and checked_at < now() - interval '1 day' order by checked_at limit ${limit}`);
}

/** Returns what changed, as the audit log calls it. Without an answer from DNS, a proven domain stays proven. */
export async function updateProof(
  tx: Transaction,
  tenantId: number,
  { domain, word, state, detail }: ProofRow,
): Promise<'sso-domain.proven' | 'sso-domain.lost' | undefined> {
  const row = await tx.row(sql<{ wasProven: boolean; isProven: boolean }>`
    with before as (
      select proven_at from sso_domain
      where tenant_id = ${tenantId} and domain = ${domain} and word = ${word} for update)
    update sso_domain s set state = ${state}, detail = ${detail}, checked_at = now(),
      proven_at = case ${state}::text when 'found' then coalesce(s.proven_at, now()) when 'unknown' then s.proven_at end
    from before b where s.tenant_id = ${tenantId} and s.domain = ${domain} and s.word = ${word}
    returning b.proven_at is not null as "wasProven", s.proven_at is not null as "isProven"`);
  if (!row || row.wasProven === row.isProven) return undefined;
  return row.isProven ? 'sso-domain.proven' : 'sso-domain.lost';
}
