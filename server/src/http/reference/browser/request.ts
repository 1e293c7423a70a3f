// Sends what was entered to the service that the page came from, and reads as much of the response as a page can show.
import type { Entered } from './form.js';
import type { Operation } from './operation.js';
import { tokenOf } from './session.js';

export interface TriedAnswer {
  status: number;
  statusText: string;
  /** Milliseconds until everything was read. */
  took: number;
  headers: [string, string][];
  text: string;
  /** Whether there was more, which was not read. */
  isCut: boolean;
}

// The service may be served below a path of its host: this file is in `docs/`.
const root = new URL('..', import.meta.url);
// Exports can be of any size.
const longest = 512 * 1024;

export function addressOf({ path }: Operation, { params, query }: Pick<Entered, 'params' | 'query'>): URL {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const url = new URL(filled.slice(1), root);
  for (const [name, value] of query) url.searchParams.append(name, value);
  return url;
}

export async function send(operation: Operation, entered: Entered, signal: AbortSignal): Promise<TriedAnswer> {
  const { caller } = entered;
  if ('token' in caller) return sendWith(caller.token, operation, entered, signal);
  const answer = await sendWith(await tokenOf(caller.reader), operation, entered, signal);
  // Refused before anything was done: the token ended, for example because its owner went to another workspace.
  return answer.status === 401 ? sendWith(await tokenOf(caller.reader, true), operation, entered, signal) : answer;
}

async function sendWith(
  token: string,
  operation: Operation,
  { headers, body, contentType, ...entered }: Entered,
  signal: AbortSignal,
): Promise<TriedAnswer> {
  const start = performance.now();
  const response = await fetch(addressOf(operation, entered), {
    method: operation.method,
    headers: {
      ...headers,
      authorization: `Bearer ${token}`,
      ...(contentType ? { 'content-type': contentType } : {}),
    },
    body: body ?? null,
    signal,
    // Only what was entered is sent: no cookies, nothing from a cache, no other host.
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'error',
    referrerPolicy: 'no-referrer',
  });
  const { text, isCut } = await textOf(response);
  const took = performance.now() - start;
  const { status, statusText } = response;
  return { status, statusText, took, headers: [...response.headers], text, isCut };
}

async function textOf(response: Response): Promise<{ text: string; isCut: boolean }> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    text += value;
    if (text.length <= longest) continue;
    await reader.cancel();
    return { text: text.slice(0, longest), isCut: true };
  }
  return { text, isCut: false };
}
