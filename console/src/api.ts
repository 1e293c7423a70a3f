// The one way to the service: the public API, with the token of the person who signed in.
import { type Client, createClient } from '@rapport/client';

export function createApi(token: string, onUnauthorized: () => void): Client {
  return createClient({ baseUrl: '', token, onUnauthorized });
}

// More than a person looks through in a list of choices.
const atMostRows = 2000;

/** Every row of a collection that is small by nature: folders, variables. */
export async function allOf<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const all: Row[] = [];
  for await (const row of rows) if (all.push(row) >= atMostRows) break;
  return all;
}
