import type { Role } from '@rapport/contract';
import type { Runner } from '../../../db/database.js';
import { bytes, sql } from '../../../db/sql.js';

export interface SessionRow {
  sessionId: number;
  personId: number;
  email: string;
  name: string;
  /** The workspace they are in. Null: in none yet. */
  tenantId: number | null;
  /** They signed in by this workspace's identity provider, which speaks for it alone. */
  ssoTenantId: number | null;
  ssoProviderId: number | null;
  isStrong: boolean;
  createdAt: string;
  seenAt: string;
  expiresAt: string;
}

/** A session that has not ended, by the SHA-256 of its cookie. */
export function findSessionRow(db: Runner, sessionHash: string, now: string): Promise<SessionRow | undefined> {
  return db.row(sql<SessionRow>`
    select s.session_id as "sessionId", s.person_id as "personId", p.email, p.name, s.in_tenant_id as "tenantId",
      s.sso_tenant_id as "ssoTenantId", s.sso_provider_id as "ssoProviderId", s.is_strong as "isStrong",
      s.created_at as "createdAt", s.seen_at as "seenAt", s.expires_at as "expiresAt"
    from session s join person p using (person_id)
    where s.session_hash = ${bytes(sessionHash)} and s.ended_at is null and s.expires_at > ${now}::timestamptz`);
}

export interface NewSession {
  personId: number;
  /** Where they begin. Null: they choose first. */
  tenantId: number | null;
  sso?: { tenantId: number; providerId: number } | undefined;
  /** A second factor was shown. */
  isStrong: boolean;
  address: string;
  agent: string | null;
}

export async function insertSession(
  db: Runner,
  sessionHash: string,
  { personId, tenantId, sso, isStrong, address, agent }: NewSession,
  expiresAt: string,
): Promise<void> {
  await db.run(sql`
    insert into session (session_hash, person_id, in_tenant_id, sso_tenant_id, sso_provider_id, is_strong, address, agent, expires_at)
    values (${bytes(sessionHash)}, ${personId}, ${tenantId}::bigint, ${sso?.tenantId ?? null}::bigint, ${sso?.providerId ?? null}::bigint,
      ${isStrong}, ${address}, ${agent}, ${expiresAt}::timestamptz)`);
}

/** Ends sessions of a person, with the tokens that their browsers hold: all, one, or all but one. */
export async function endSessionRows(
  db: Runner,
  personId: number,
  which: { only?: number; allBut?: number } = {},
): Promise<void> {
  await db.run(sql`
    with ended as (
      update session set ended_at = now()
      where person_id = ${personId} and ended_at is null
        and (${which.only ?? null}::bigint is null or session_id = ${which.only ?? null}::bigint)
        and (${which.allBut ?? null}::bigint is null or session_id <> ${which.allBut ?? null}::bigint)
      returning session_id)
    update access_token a set revoked_at = now() from ended e where a.session_id = e.session_id and a.revoked_at is null`);
}

export interface WorkspaceRow {
  tenantId: number;
  name: string;
  accountId: number;
  role: Role;
  /** It takes people of this address only by its identity provider. */
  requiresSso: boolean;
}

/** The workspaces that a person belongs to and is not deactivated in. */
export function selectWorkspaces(db: Runner, personId: number): Promise<WorkspaceRow[]> {
  return db.rows(sql<WorkspaceRow>`
    select a.tenant_id as "tenantId", t.name, a.account_id as "accountId", a.role,
      exists (select from identity_provider i where i.tenant_id = a.tenant_id and i.is_required
        and split_part(p.email_folded, '@', 2) = any(i.domains)) as "requiresSso"
    from account a join tenant t using (tenant_id) join person p using (person_id)
    where a.person_id = ${personId} and a.deactivated_at is null
    order by t.name, a.tenant_id`);
}
