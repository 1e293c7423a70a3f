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
/** A browser that is not used for two weeks is signed out, and every one after three months. */
const life = { pauseSeconds: 300, idleSeconds: 14 * day, longestSeconds: 90 * day };

export type Session = SessionRow;
export type Workspace = WorkspaceRow;
/** All sessions of a person, one, all but one, or those that came by the identity provider of one workspace. */
type Which = { only?: number | undefined; allBut?: number | undefined; bySsoOf?: number | undefined };

/** Somebody who has shown who they are. */
export interface Arrival {
  personId: number;
  /** How, for the audit log. */
  by: 'password' | 'link' | 'sso' | 'invitation' | 'reset';
  /** A second factor was shown. */
  isStrong: boolean;
  sso?: { tenantId: number; providerId: number } | undefined;
  /** Where they go in, when that is known; else where they were last. */
  tenantId?: number | undefined;
  /** What else is done in the transaction that signs them in, first. Where it answers false, nothing is done. */
  also?(tx: Transaction): Promise<boolean>;
}

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
    const now = this.clock.now();
    const session = await findSessionRow(this.db, hash('sha256', cookie), now.toISOString());
    if (session && Date.parse(session.seenAt) < now.getTime() - life.pauseSeconds * 1000)
      await touchSession(this.db, session.sessionId, now.toISOString(), life);
    return session;
  }

  /** Signs somebody in: a new session, whose cookie the answer carries. `enter` does more of what that takes. */
  async start(reply: FastifyReply, session: NewSession): Promise<void> {
    this.cookies.set(reply, 'session', await this.insert(this.db, session), life.longestSeconds);
  }

  /**
   * Signs a person in, in their workspace: the only one, or the one where they were last. Another person who was signed in in
   * this browser is signed out. Answers where to go on; undefined where they are active nowhere, or `also` said no.
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

  /** Ends sessions of a person, with the tokens that their browsers hold. Felt here at once. */
  async end(personId: number, which: Which = {}): Promise<void> {
    await this.db.transaction((tx) => this.endIn(tx, personId, which));
  }

  /** The same, with what else a transaction does. */
  async endIn(tx: Transaction, personId: number, which: Which = {}): Promise<void> {
    await endSessionRows(tx, personId, which);
    this.changeIn(tx);
  }

  /** Tokens ended in this transaction: felt here at once when it is done. */
  changeIn(tx: Transaction): void {
    tx.afterCommit(this.forgetTokens);
  }

  /** The workspaces that this session may enter: an identity provider speaks for its own, and some take no other word. */
  async workspaces(session: Session, db: Runner = this.db): Promise<Workspace[]> {
    return enterable(await selectWorkspaces(db, session.personId), session.ssoTenantId);
  }

  /** Answers what its cookie is to be. */
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
