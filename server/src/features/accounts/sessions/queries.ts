import type { Role } from '@rapport/contract';
import type { Runner, Transaction } from '../../../db/database.js';
import { bytes, sql } from '../../../db/sql.js';
import { activeAccounts, members, revokeTokens, tenantTable } from '../../tenants/index.js';

/** Features above may read it; only this one writes it. */
export const sessionTable = sql`session`;

export interface SessionRow {
  sessionId: number;
  personId: number;
  email: string;
  name: string;
  hasPassword: boolean;
  /** The workspace they are in. Null: in none yet. */
  tenantId: number | null;
  /** They signed in through this workspace's identity provider, which speaks only for it. */
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
    select s.session_id as "sessionId", s.person_id as "personId", p.email, p.name,
      p.password_hash is not null as "hasPassword", s.in_tenant_id as "tenantId",
      s.sso_tenant_id as "ssoTenantId", s.sso_provider_id as "ssoProviderId", s.is_strong as "isStrong",
      s.created_at as "createdAt", s.seen_at as "seenAt", s.expires_at as "expiresAt"
    from session s join person p using (person_id)
    where s.session_hash = ${bytes(sessionHash)} and s.ended_at is null and s.expires_at > ${now}::timestamptz`);
}

export interface NewSession {
  personId: number;
  /** Their first workspace. Null: they choose first. */
  tenantId: number | null;
  sso?: { tenantId: number; providerId: number } | undefined;
  /** A second factor was used. */
  isStrong: boolean;
  address: string;
  agent: string | null;
}

export async function insertSession(
  db: Runner,
  sessionHash: string,
  { personId, tenantId, sso, isStrong, address, agent }: NewSession,
  { now, expiresAt }: { now: string; expiresAt: string },
): Promise<void> {
  await db.run(sql`
    insert into session (session_hash, person_id, in_tenant_id, sso_tenant_id, sso_provider_id, is_strong, address, agent,
      created_at, seen_at, expires_at)
    values (${bytes(sessionHash)}, ${personId}, ${tenantId}::bigint, ${sso?.tenantId ?? null}::bigint, ${sso?.providerId ?? null}::bigint,
      ${isStrong}, ${address}, ${agent}, ${now}::timestamptz, ${now}::timestamptz, ${expiresAt}::timestamptz)`);
}

/** Whether it was time: often enough to know who is still there, seldom enough to cost nothing. */
export async function touchSession(
  db: Runner,
  sessionId: number,
  now: string,
  { pauseSeconds, idleSeconds, longestSeconds }: { pauseSeconds: number; idleSeconds: number; longestSeconds: number },
): Promise<boolean> {
  const touched = await db.run(sql`
    update session set seen_at = ${now}::timestamptz,
      expires_at = least(created_at + make_interval(secs => ${longestSeconds}), ${now}::timestamptz + make_interval(secs => ${idleSeconds}))
    where session_id = ${sessionId} and ended_at is null and seen_at < ${now}::timestamptz - make_interval(secs => ${pauseSeconds})`);
  return touched === 1;
}

/**
 * Ends sessions of a person, with the tokens that their browsers hold: all, or those that `which` names. Two statements: only the second sees a
 * token that was being made while the session was locked.
 */
export async function endSessionRows(
  tx: Transaction,
  personId: number,
  which: { only?: number | undefined; allBut?: number | undefined; bySsoOf?: number | undefined } = {},
): Promise<void> {
  const ended = await tx.rows(sql<{ sessionId: number }>`
    update session set ended_at = now()
    where person_id = ${personId} and ended_at is null
      and (${which.only ?? null}::bigint is null or session_id = ${which.only ?? null}::bigint)
      and (${which.allBut ?? null}::bigint is null or session_id <> ${which.allBut ?? null}::bigint)
      and (${which.bySsoOf ?? null}::bigint is null or sso_tenant_id = ${which.bySsoOf ?? null}::bigint)
    returning session_id as "sessionId"`);
  await revokeTokens(tx, sql`a.session_id = any(${ended.map(({ sessionId }) => sessionId)}::bigint[])`);
}

/** Locks a live session until the transaction ends: it keeps its workspace, and cannot end. */
export async function holdSession(
  tx: Transaction,
  sessionId: number,
  now: string,
): Promise<{ tenantId: number | null } | undefined> {
  return tx.row(sql<{ tenantId: number | null }>`
    select in_tenant_id as "tenantId" from session
    where session_id = ${sessionId} and ended_at is null and expires_at > ${now}::timestamptz for update`);
}

/** Moves a locked session to a workspace. Its tokens for others end. */
export async function moveSession(tx: Transaction, sessionId: number, tenantId: number): Promise<void> {
  await tx.run(sql`update session set in_tenant_id = ${tenantId} where session_id = ${sessionId}`);
  await revokeTokens(tx, sql`a.session_id = ${sessionId} and a.tenant_id <> ${tenantId}`);
}

/**
 * The workspace that a person was in last, in any browser. Sessions through an identity provider do not count: its owner can take people into
 * their own workspace, and they would land there the next time.
 */
export async function findLastWorkspace(db: Runner, personId: number): Promise<number | undefined> {
  const row = await db.row(sql<{ tenantId: number }>`
    select in_tenant_id as "tenantId" from session
    where person_id = ${personId} and in_tenant_id is not null and sso_tenant_id is null order by seen_at desc, session_id desc limit 1`);
  return row?.tenantId;
}

/** Browsers in which a person is signed in, the last seen first. */
export function selectSessions(db: Runner, personId: number, now: string): Promise<BrowserRow[]> {
  return db.rows(sql<BrowserRow>`
    select session_id as "sessionId", address, agent, created_at as "createdAt", seen_at as "seenAt", sso_tenant_id is not null as "isSso"
    from session where person_id = ${personId} and ended_at is null and expires_at > ${now}::timestamptz
    order by seen_at desc, session_id desc`);
}

export interface BrowserRow {
  sessionId: number;
  address: string | null;
  agent: string | null;
  createdAt: string;
  seenAt: string;
  isSso: boolean;
}

/** Deletes expired sessions. */
export function sweepSessions(db: Runner, atMost: number): Promise<number> {
  return db.run(sql`
    delete from session where session_hash in (select session_hash from session where expires_at < now() limit ${atMost})`);
}

export interface WorkspaceRow {
  tenantId: number;
  name: string;
  accountId: number;
  role: Role;
  /** It lets in people of this address only through its identity provider; or this person, who came through it and has not proven the address. */
  requiresSso: boolean;
  /** That one. Null: it was removed. */
  ssoProviderId: number | null;
}

/** The workspaces that a person belongs to and is not deactivated in. */
export function selectWorkspaces(db: Runner, personId: number): Promise<WorkspaceRow[]> {
  return db.rows(sql<WorkspaceRow>`
    select a.tenant_id as "tenantId", t.name, a.account_id as "accountId", a.role,
      i.provider_id is not null or u.is_unproven as "requiresSso", i.provider_id as "ssoProviderId"
    from ${activeAccounts} a join ${tenantTable} t using (tenant_id) join person p using (person_id)
    cross join lateral (select a.is_by_sso and p.proven_at is null as is_unproven) u
    left join lateral (
      select provider_id from identity_provider i where i.tenant_id = a.tenant_id and (i.is_required or u.is_unproven)
        and split_part(p.email_folded, '@', 2) = any(i.domains) order by is_required desc, provider_id limit 1) i on true
    where a.person_id = ${personId}
    order by t.name, a.tenant_id`);
}

/** Takes the person's browsers out of the workspace. Those that have no other are signed out. */
export async function leaveSessions(tx: Transaction, tenantId: number, accountId: number): Promise<void> {
  await tx.run(sql`
    update session s set ended_at = now() from ${members} a
    where a.tenant_id = ${tenantId} and a.account_id = ${accountId} and s.person_id = a.person_id and s.ended_at is null
      and (s.sso_tenant_id = a.tenant_id
        or not exists (select from ${activeAccounts} o where o.person_id = a.person_id))`);
  await tx.run(sql`
    update session s set in_tenant_id = null from ${members} a
    where a.tenant_id = ${tenantId} and a.account_id = ${accountId} and s.person_id = a.person_id
      and s.in_tenant_id = a.tenant_id`);
}
