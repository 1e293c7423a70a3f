// Who is signed in, and where they may go.
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../../db/database.js';
import type { Clock } from '../../../lib/clock.js';
import { randomToken } from '../../../lib/random.js';
import type { Cookies } from './cookies.js';
import {
  endSessionRows,
  findSessionRow,
  insertSession,
  type NewSession,
  type SessionRow,
  selectWorkspaces,
  type WorkspaceRow,
} from './queries.js';

/** Two weeks. */
const sessionSeconds = 14 * 86_400;

export type Session = SessionRow;
export type Workspace = WorkspaceRow;

export class Sessions {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    readonly cookies: Cookies,
    private readonly forgetTokens: () => void,
  ) {}

  /** Who sent this request, if somebody is signed in there. */
  async find(request: FastifyRequest): Promise<Session | undefined> {
    const cookie = this.cookies.read(request, 'session');
    if (cookie === undefined) return undefined;
    return findSessionRow(this.db, hash('sha256', cookie), this.clock.now().toISOString());
  }

  /** Signs somebody in: a new session, whose cookie the answer carries. */
  async start(reply: FastifyReply, session: NewSession): Promise<void> {
    const cookie = randomToken('');
    const expiresAt = new Date(this.clock.now().getTime() + sessionSeconds * 1000).toISOString();
    await insertSession(this.db, hash('sha256', cookie), session, expiresAt);
    this.cookies.set(reply, 'session', cookie, sessionSeconds);
  }

  /** Ends sessions of a person, with the tokens that their browsers hold. Felt here at once. */
  async end(personId: number, which: { only?: number; allBut?: number } = {}): Promise<void> {
    await endSessionRows(this.db, personId, which);
    this.forgetTokens();
  }

  /** The workspaces that this session may enter: an identity provider speaks for its own, and some take no other word. */
  async workspaces(session: Session): Promise<Workspace[]> {
    const all = await selectWorkspaces(this.db, session.personId);
    return all.filter((each) =>
      session.ssoTenantId === null ? !each.requiresSso : each.tenantId === session.ssoTenantId,
    );
  }
}
