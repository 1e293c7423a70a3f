// Who is signed in, and where they may go.
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database, Runner, Transaction } from '../../../db/database.js';
import type { Clock } from '../../../lib/clock.js';
import { instantOf } from '../../../lib/instant.js';
import { randomToken } from '../../../lib/random.js';
import { recordAudit } from '../../audit/index.js';
import { home, withNext } from '../next.js';
import { isWelcome } from '../people/queries.js';
import type { Cookies } from './cookies.js';
import {
  endSessionRows,
  findLastWorkspace,
  findSessionRow,
  insertSession,
  type NewSession,
  type SessionRow,
  selectWorkspaces,
  touchSession,
  type WorkspaceRow,
} from './queries.js';

const day = 86_400;
/** A browser is signed out after two weeks without use, and in any case after three months. */
const life = { pauseSeconds: 300, idleSeconds: 14 * day, longestSeconds: 90 * day };

export type Session = SessionRow;
export type Workspace = WorkspaceRow;
/** All sessions of a person, one, all but one, or those through the identity provider of one workspace. */
type Which = { only?: number | undefined; allBut?: number | undefined; bySsoOf?: number | undefined };

/** A person who has proven who they are. */
export interface Arrival {
  personId: number;
  /** How, for the audit log. */
  by: 'password' | 'link' | 'sso' | 'invitation' | 'reset';
  /** A second factor was used. */
  isStrong: boolean;
  sso?: { tenantId: number; providerId: number } | undefined;
  /** The workspace to enter, if it is known; else the last one they were in. */
  tenantId?: number | undefined;
  /** Runs first in the transaction that signs them in. If it returns false, nothing is done. */
  also?(tx: Transaction): Promise<boolean>;
}

export class Sessions {
  constructor(
    private readonly db: Database,
    private readonly clock: Clock,
    readonly cookies: Cookies,
    private readonly forgetTokens: () => void,
  ) {}

  /** Who sent this request, if its browser is signed in. */
  async find(request: FastifyRequest): Promise<Session | undefined> {
    const cookie = this.cookies.read(request, 'session');
    if (cookie === undefined) return undefined;
    const now = this.clock.now();
    const session = await findSessionRow(this.db, hash('sha256', cookie), now.toISOString());
    if (session && Date.parse(session.seenAt) < now.getTime() - life.pauseSeconds * 1000)
      await touchSession(this.db, session.sessionId, now.toISOString(), life);
    return session;
  }

  /** For a request without a session: whether its browser had one. Signing out takes the cookie away, so this one ended by itself or elsewhere. */
  hasEnded(request: FastifyRequest): boolean {
    return this.cookies.read(request, 'session') !== undefined;
  }

  /** Signs a person in: a new session, whose cookie the answer sets. `enter` does the rest of what that takes. */
  async start(reply: FastifyReply, session: NewSession): Promise<void> {
    this.cookies.set(reply, 'session', await this.insert(this.db, session), life.longestSeconds);
  }

  /**
   * Signs a person in to their workspace: the only one, or the last one they were in. Another person who was signed in in this browser is signed
   * out. Returns where to go next; undefined if they are active nowhere, or `also` said no.
   */
  async enter(
    request: FastifyRequest,
    reply: FastifyReply,
    arrival: Arrival,
    next: string | undefined,
  ): Promise<string | undefined> {
    const { personId, by, isStrong, sso } = arrival;
    const before = await this.find(request);
    const agent = request.headers['user-agent']?.slice(0, 400) ?? null;
    const entered = await this.db.transaction(async (tx) => {
      const all = await selectWorkspaces(tx, personId);
      if (!(await isWelcome(tx, personId)) || (arrival.also && !(await arrival.also(tx)))) return undefined;
      const workspace = await chooseWorkspace(tx, arrival, enterable(all, sso?.tenantId ?? null));
      if (before) await endSessionRows(tx, before.personId, { only: before.sessionId });
      const tenantId = workspace?.tenantId ?? null;
      const cookie = await this.insert(tx, { personId, tenantId, sso, isStrong, address: request.ip, agent });
      if (workspace) await recordAudit(tx, { ...workspace, address: request.ip }, 'sign-in.succeeded', null, { by });
      return { workspace, cookie };
    });
    if (!entered) return undefined;
    this.cookies.set(reply, 'session', entered.cookie, life.longestSeconds);
    if (before) this.forgetTokens();
    // A person who is about to join a workspace need not choose another one first.
    if (next?.startsWith('/oauth/invitation?')) return next;
    return entered.workspace ? (next ?? home) : withNext('/oauth/workspace', next);
  }

  /** Ends sessions of a person, with the tokens that their browsers hold. Takes effect on this node at once. */
  async end(personId: number, which: Which = {}): Promise<void> {
    await this.db.transaction((tx) => this.endIn(tx, personId, which));
  }

  /** The same inside a transaction. */
  async endIn(tx: Transaction, personId: number, which: Which = {}): Promise<void> {
    await endSessionRows(tx, personId, which);
    this.changeIn(tx);
  }

  /** Tokens ended in this transaction: this node knows as soon as it commits. */
  changeIn(tx: Transaction): void {
    tx.afterCommit(this.forgetTokens);
  }

  /** The workspaces that this session may enter: an identity provider speaks for its own, and some workspaces accept nothing else. */
  async workspaces(session: Session, db: Runner = this.db): Promise<Workspace[]> {
    return enterable(await selectWorkspaces(db, session.personId), session.ssoTenantId);
  }

  /** Returns the value of its cookie. */
  private async insert(db: Runner, session: NewSession): Promise<string> {
    const cookie = randomToken('');
    const now = this.clock.now().getTime();
    const expiresAt = instantOf(now + life.idleSeconds * 1000);
    await insertSession(db, hash('sha256', cookie), session, { now: instantOf(now), expiresAt });
    return cookie;
  }
}

function enterable(all: readonly Workspace[], ssoTenantId: number | null): Workspace[] {
  return all.filter((each) => (ssoTenantId === null ? !each.requiresSso : each.tenantId === ssoTenantId));
}

async function chooseWorkspace(
  tx: Transaction,
  { personId, tenantId }: Arrival,
  mayEnter: readonly Workspace[],
): Promise<Workspace | undefined> {
  const wanted = mayEnter.find((each) => each.tenantId === tenantId);
  if (wanted || mayEnter.length <= 1) return wanted ?? mayEnter[0];
  const last = await findLastWorkspace(tx, personId);
  return mayEnter.find((each) => each.tenantId === last);
}
