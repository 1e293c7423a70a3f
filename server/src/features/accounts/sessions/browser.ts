// What the console in a signed-in browser asks for: a token for its current workspace, and a switch to another.
import { hash } from 'node:crypto';
import type { Database } from '../../../db/database.js';
import { ApiError, notFound } from '../../../http/api-error.js';
import type { Clock } from '../../../lib/clock.js';
import { instantOf } from '../../../lib/instant.js';
import { randomToken } from '../../../lib/random.js';
import { recordAudit } from '../../audit/index.js';
import { insertSessionToken } from '../../tenants/index.js';
import { holdSession, moveSession } from './queries.js';
import type { Session, Sessions, Workspace } from './sessions.js';

const tokenMs = 15 * 60_000;

export interface BrowserNeeds {
  db: Database;
  clock: Clock;
  sessions: Sessions;
}

interface BrowserToken {
  /** `rpt_web_…` */
  token: string;
  expiresAt: string;
  scopes: string[];
  workspace: Workspace;
  /** Where else they may go. */
  workspaces: Workspace[];
}

/**
 * A token for the session's workspace; or for the one that a tab still shows after another tab has switched: what a person does there must
 * not happen elsewhere. Undefined if the session has ended meanwhile.
 */
export function issueToken(
  { db, clock, sessions }: BrowserNeeds,
  session: Session,
  shown?: number,
): Promise<BrowserToken | undefined> {
  return db.transaction(async (tx) => {
    const now = clock.now();
    const held = await holdSession(tx, session.sessionId, now.toISOString());
    if (!held) return undefined;
    const workspaces = await sessions.workspaces(session, tx);
    const workspace = workspaces.find((each) => each.tenantId === (shown ?? held.tenantId));
    if (!workspace)
      throw new ApiError('INVALID_STATE', { reason: 'You are in no workspace. Choose one at /oauth/workspace.' });
    const token = randomToken('rpt_web_');
    const expiresAt = instantOf(now.getTime() + tokenMs);
    const scopes = workspace.role === 'viewer' ? ['READ'] : ['READ', 'WRITE'];
    const { tenantId, accountId } = workspace;
    const { sessionId } = session;
    await insertSessionToken(tx, {
      ...{ tokenHash: hash('sha256', token), tenantId, accountId, sessionId, scopes, expiresAt },
    });
    return { token, expiresAt, scopes, workspace, workspaces };
  });
}

/** Switches to another workspace. The tokens for the previous one end. */
export async function switchWorkspace(
  { db, clock, sessions }: BrowserNeeds,
  session: Session,
  tenantId: number,
  address: string,
): Promise<Workspace> {
  const workspace = await db.transaction(async (tx) => {
    const held = await holdSession(tx, session.sessionId, clock.now().toISOString());
    const mayEnter = await sessions.workspaces(session, tx);
    const found = held && mayEnter.find((each) => each.tenantId === tenantId);
    if (!found || held.tenantId === tenantId) return found;
    await moveSession(tx, session.sessionId, tenantId);
    sessions.changeIn(tx);
    await recordAudit(tx, { ...found, address }, 'sign-in.succeeded', null, { by: 'switch' });
    return found;
  });
  if (!workspace) throw notFound('workspace');
  return workspace;
}
