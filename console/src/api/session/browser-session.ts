// Somebody who signed in with this browser: the cookie is out of reach here, and gives out tokens of a quarter of an hour.
import type { Role } from '@rapport/contract';

interface Person {
  name: string;
  email: string;
}

interface Workspace {
  tenantId: number;
  name: string;
  role: Role;
}

/** Who is signed in, and where they may go. */
export interface SignedIn {
  person: Person;
  workspace: Workspace;
  workspaces: Workspace[];
}

/** A person whom this browser knows; null: in no workspace, or in several of which none was chosen. */
export interface Seen {
  person: Person;
  workspace: Workspace | null;
}

interface Given extends SignedIn {
  token: string;
  expiresAt: string;
}

/** Milliseconds before its end at which a token is no longer used: a request takes its time. */
const margin = 60_000;

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

async function ask(fetchFrom: Fetch, method: 'GET' | 'POST', path: string, body?: object): Promise<Response> {
  const json =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  return fetchFrom(path, { method, credentials: 'same-origin', ...json });
}

export class BrowserSession {
  /** By workspace: what was begun in one goes on there, after the tab has gone to another. */
  private readonly given = new Map<number, Given>();
  private readonly renewing = new Map<number, Promise<Given | undefined>>();
  /** While the session is being ended, who it is cannot be said: the service still knows them. */
  private ending: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly fetchFrom: Fetch = (url, init) => fetch(url, init),
    private readonly now: () => number = () => Date.now(),
  ) {}

  /** Whoever is signed in here, in the workspace they were in last. */
  async find(): Promise<SignedIn | undefined> {
    const seen = await this.look();
    return seen?.workspace ? this.fetchToken(undefined) : undefined;
  }

  /** Who it is, without asking for anything that lets them in. */
  async look(): Promise<Seen | undefined> {
    const answer = await this.askSession();
    if (!answer.ok) return undefined;
    const { person, workspace } = (await answer.json()) as { person: Person | null; workspace: Workspace | null };
    return person ? { person, workspace } : undefined;
  }

  /** How the first person who can sign in comes about, as lines for a shell. None once there is somebody. */
  async firstAdmin(): Promise<string[] | undefined> {
    const answer = await this.askSession();
    return answer.ok ? ((await answer.json()) as { firstAdmin?: string[] }).firstAdmin : undefined;
  }

  /** A token that is still good for a while; undefined once nobody is signed in any more. */
  async token(tenantId: number): Promise<string | undefined> {
    const given = this.given.get(tenantId);
    if (given && Date.parse(given.expiresAt) - margin > this.now()) return given.token;
    return this.renew(tenantId);
  }

  /**
   * A new token, whatever the last one was. For a workspace by its number, even when this tab or another one has gone elsewhere: what somebody
   * does in one must not happen in another.
   */
  async renew(tenantId: number): Promise<string | undefined> {
    const running =
      this.renewing.get(tenantId) ?? this.fetchToken(tenantId).finally(() => this.renewing.delete(tenantId));
    this.renewing.set(tenantId, running);
    return (await running)?.token;
  }

  /** Goes on in another workspace; undefined when nobody is signed in any more. */
  async enter(tenantId: number): Promise<SignedIn | undefined> {
    const answer = await ask(this.fetchFrom, 'POST', '/oauth/session/workspace', { tenantId });
    if (answer.status === 401) return undefined;
    if (!answer.ok) throw new Error(`The workspace cannot be entered now (${answer.status}).`);
    return this.fetchToken(tenantId);
  }

  async end(): Promise<void> {
    this.given.clear();
    const asked = ask(this.fetchFrom, 'POST', '/oauth/sign-out');
    // One that could not be ended goes on, and is told as such.
    this.ending = asked.catch(() => undefined);
    await asked;
  }

  /** Not before the one that is being ended has ended. */
  private async askSession(): Promise<Response> {
    await this.ending;
    return ask(this.fetchFrom, 'GET', '/oauth/session');
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
    // Not an answer about who it is: whoever asked is told that the service has a problem, not that they are signed out.
    if (!answer.ok) throw new Error(`The service cannot be reached for a token now (${answer.status}).`);
    const given = (await answer.json()) as Given;
    this.given.set(given.workspace.tenantId, given);
    return given;
  }
}
