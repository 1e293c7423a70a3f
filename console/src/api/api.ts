// The only access to the service: the public API, with the token of the signed-in user.
import { type Client, createClient, type Fetch } from '@rapport/client';

interface Tokens {
  /** Undefined once the session has ended. */
  current(): Promise<string | undefined>;
  /** Gets a new token after the last one was refused; missing if there is no other. */
  renew?(): Promise<string | undefined>;
}

export function createApi(tokens: Tokens, onUnauthorized: () => void): Client {
  // The client requires one; the current token is what is sent.
  return createClient({ baseUrl: '', token: 'set-at-each-request', onUnauthorized, fetch: withToken(tokens) });
}

/** Each request carries the current token. If it is refused, it is sent once more with a new token, because nothing was done yet. */
export function withToken(tokens: Tokens, fetchFrom: Fetch = (url, init) => fetch(url, init)): Fetch {
  return async (url, init) => {
    const send = (token: string | undefined) =>
      fetchFrom(url, { ...init, headers: { ...init.headers, authorization: `Bearer ${token ?? ''}` } });
    const answer = await send(await tokens.current());
    // A stream can be read once.
    if (answer.status !== 401 || !tokens.renew || init.body instanceof ReadableStream) return answer;
    const renewed = await tokens.renew();
    return renewed === undefined ? answer : send(renewed);
  };
}

// More than anyone would look through in a select.
const atMostRows = 2000;

/** Every row of a collection that is small by nature: folders, variables. */
export async function allOf<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const row of rows) if (all.push(row) >= atMostRows) break;
  return all;
}
