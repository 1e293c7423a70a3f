// The person who is signed in with this browser, if someone is: they can try an operation without a token of their own.

export interface Reader {
  name: string;
  email: string;
  workspace: { tenantId: number; name: string; role: string };
}

interface Given {
  token: string;
  expiresAt: string;
  person: { email: string };
}

// The service may be served below a path of its host: this file is in `docs/`.
const root = new URL('..', import.meta.url);
/** Milliseconds before its end at which a token is no longer used. */
const margin = 60_000;

/** In the memory of this page, by workspace. */
const given = new Map<number, Given>();

export async function findReader(): Promise<Reader | undefined> {
  try {
    const answer = await fetch(new URL('oauth/session', root), { credentials: 'same-origin', cache: 'no-store' });
    const { person, workspace } = await answer.json();
    return person && workspace ? { name: person.name, email: person.email, workspace } : undefined;
  } catch {
    return undefined;
  }
}

/** A token for a quarter of an hour. Asking for one needs the cookie, and to be a page of this service: no other site can. */
export async function tokenOf(reader: Reader, isRefused = false): Promise<string> {
  const { tenantId } = reader.workspace;
  const kept = isRefused ? undefined : given.get(tenantId);
  const fresh = kept && Date.parse(kept.expiresAt) - margin > Date.now() ? kept : await issue(tenantId);
  if (fresh.person.email !== reader.email)
    throw new Error(`You are now signed in as ${fresh.person.email}. Close this form and open it again.`);
  given.set(tenantId, fresh);
  return fresh.token;
}

async function issue(tenantId: number): Promise<Given> {
  given.delete(tenantId);
  const answer = await fetch(new URL('oauth/session/token', root), {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ tenantId }),
  });
  if (answer.status === 401) throw new Error('Your session has ended. Sign in again, or use a token.');
  if (!answer.ok) throw new Error(`The service gave no token (${answer.status}). Try again, or use a token.`);
  return answer.json();
}
