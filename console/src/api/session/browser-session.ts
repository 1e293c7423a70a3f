// A person signed in with this browser: scripts cannot read the cookie, which is exchanged for tokens valid for a quarter of an hour.
import type { Role } from '@rapport/contract';

interface Person {
  name: string;
  email: string;
  /** They came by a link, and have none to come back with. */
  needsPassword: boolean;
}

interface Workspace {
  tenantId: number;
  name: string;
  role: Role;
}

/** Who is signed in, and their workspaces. */
export interface SignedIn {
  person: Person;
  workspace: Workspace;
  workspaces: Workspace[];
}

/** What the service knows about this browser. */
export interface Seen {
  /** Null: no one is signed in. */
  person: Person | null;
  /** Null if they have none, or have not chosen one of several. */
  workspace: Workspace | null;
  /** Goes with a form that signs in. */
  form: string;
  /** There was a session, and it has ended. */
  hasEnded?: boolean;
  /** How to create the first person who can sign in, as shell lines. Missing once there is one. */
  firstAdmin?: string[];
}

interface Given extends SignedIn {
  token: string;
  expiresAt: string;
}

/** Milliseconds before its end at which a token is no longer used, because a request takes time. */
const margin = 60_000;

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

async function ask(fetchFrom: Fetch, method: 'GET' | 'POST', path: string, body?: object): Promise<Response> {
  const json =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  return fetchFrom(path, { method, credentials: 'same-origin', ...json });
}

export class BrowserSession {
  /** By workspace: what was started in one continues there, even after the tab has switched to another. */
  private readonly given = new Map<number, Given>();
  private readonly renewing = new Map<number, Promise<Given | undefined>>();
  /** While the session is being ended, do not ask who it is: the service would still know them. */
  private ending: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly fetchFrom: Fetch = (url, init) => fetch(url, init),
    private readonly now: () => number = () => Date.now(),
  ) {}

  /** The person who is signed in here, in their last workspace. */
  async find(): Promise<SignedIn | undefined> {
    const { workspace } = await this.look();
    return workspace ? this.fetchToken(undefined) : undefined;
  }

  /** Who it is, without requesting a token. Not before the previous session has ended. */
  async look(): Promise<Seen> {
    await this.ending;
    const answer = await ask(this.fetchFrom, 'GET', '/oauth/session');
    if (!answer.ok) throw new Error(`The service isn’t responding right now (${answer.status}).`);
    return (await answer.json()) as Seen;
  }

  /** A token that is still valid for a while; undefined once the session has ended. */
  async token(tenantId: number): Promise<string | undefined> {
    const given = this.given.get(tenantId);
    if (given && Date.parse(given.expiresAt) - margin > this.now()) return given.token;
    return this.renew(tenantId);
  }

  /**
   * A new token, whatever the last one was. For a workspace by its number, even if this tab or another one has switched: what a user does in one
   * must not happen in another.
   */
  async renew(tenantId: number): Promise<string | undefined> {
    const running =
      this.renewing.get(tenantId) ?? this.fetchToken(tenantId).finally(() => this.renewing.delete(tenantId));
    this.renewing.set(tenantId, running);
    return (await running)?.token;
  }

  /** Who it is now, in the workspace that a tab shows: a name has changed, or a password was set. */
  refresh(tenantId: number): Promise<SignedIn | undefined> {
    return this.fetchToken(tenantId);
  }

  /** Switches to another workspace; undefined if the session has ended. */
  async enter(tenantId: number): Promise<SignedIn | undefined> {
    const answer = await ask(this.fetchFrom, 'POST', '/oauth/session/workspace', { tenantId });
    if (answer.status === 401) return undefined;
    if (!answer.ok) throw new Error(`The workspace can’t be opened right now (${answer.status}).`);
    return this.fetchToken(tenantId);
  }

  async end(): Promise<void> {
    this.given.clear();
    const asked = ask(this.fetchFrom, 'POST', '/oauth/sign-out');
    // A session that could not be ended continues, and that is reported.
    this.ending = asked.catch(() => undefined);
    await asked;
  }

  private async fetchToken(tenantId: number | undefined): Promise<Given | undefined> {
    const answer = await ask(
      this.fetchFrom,
      'POST',
      '/oauth/session/token',
      tenantId === undefined ? {} : { tenantId },
    );
    if (answer.status === 401 || answer.status === 403) {
      if (tenantId !== undefined) this.given.delete(tenantId);
      return undefined;
    }
    // Not an answer about who it is: the service has a problem, but they are not signed out.
    if (!answer.ok) throw new Error(`Signing in isn’t possible right now (${answer.status}).`);
    const given = (await answer.json()) as Given;
    this.given.set(given.workspace.tenantId, given);
    return given;
  }
}
