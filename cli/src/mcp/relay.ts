// Between an assistant that speaks over standard input and output and the service: every message goes to /mcp as it is, every answer comes back.
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

interface Service {
  url: string;
  token: string;
  readOnly: boolean;
}

interface Message {
  id?: string | number;
  method?: string;
  params?: { name?: unknown; uri?: unknown; protocolVersion?: unknown; _meta?: Record<string, unknown> };
  result?: { protocolVersion?: unknown };
}

/** Ends when the input does, and every answer is written. */
export async function relay(input: Readable, output: Writable, service: Service): Promise<void> {
  const open = new Set<Promise<void>>();
  // As agreed with a client of 2025; newer ones name it in every message.
  let version: string | undefined;
  const write = (message: unknown) => output.write(`${JSON.stringify(message)}\n`);
  const pass = async (line: string) => {
    const message = parse(line);
    if (!message) return void write(failure(null, -32_700, 'The message is not valid JSON.'));
    const answers = await ask(service, line, message, version).catch((error: Error) => [
      failure(message.id ?? null, -32_000, `${service.url} does not answer: ${error.message}`),
    ]);
    for (const answer of answers) {
      const agreed = (answer as Message).result?.protocolVersion;
      if (message.method === 'initialize' && typeof agreed === 'string') version = agreed;
      write(answer);
    }
  };
  for await (const line of createInterface({ input })) {
    if (line.trim() === '') continue;
    const passed = pass(line);
    open.add(passed);
    passed.finally(() => open.delete(passed));
    // What was agreed counts for all that follows.
    if (version === undefined && line.includes('"initialize"')) await passed;
  }
  await Promise.all(open);
}

function parse(line: string): Message | undefined {
  try {
    return JSON.parse(line) ?? {};
  } catch {
    return undefined;
  }
}

async function ask(
  { url, token, readOnly }: Service,
  body: string,
  message: Message,
  version?: string,
): Promise<unknown[]> {
  const response = await fetch(`${url.replace(/\/$/, '')}/mcp${readOnly ? '?readOnly=1' : ''}`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...{ accept: 'application/json, text/event-stream', ...headersOf(message, version) },
    },
    body,
  });
  const text = await response.text();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream');
  const answers = isStream ? eventsIn(text) : text === '' ? [] : [parse(text)];
  if (response.ok) return answers;
  const [said] = answers as { error?: { code: number; message: string } }[];
  const words = said?.error?.message ?? `the service answered ${response.status}`;
  const advice = response.status === 401 ? ' Give a personal token: --token, or RAPPORT_TOKEN.' : '';
  return message.id === undefined ? [] : [failure(message.id, said?.error?.code ?? -32_000, words + advice)];
}

/** What a message of the newer revision says in headers, too. */
function headersOf({ method, params }: Message, agreed: string | undefined): Record<string, string> {
  const named = params?._meta?.['io.modelcontextprotocol/protocolVersion'];
  const version = typeof named === 'string' ? named : agreed;
  const name = params?.name ?? params?.uri;
  return {
    ...(version === undefined ? {} : { 'mcp-protocol-version': version }),
    ...(method === undefined ? {} : { 'mcp-method': method }),
    ...(typeof name === 'string' ? { 'mcp-name': headerText(name) } : {}),
  };
}

/** As the protocol writes what a header cannot hold. */
function headerText(text: string): string {
  return /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text)
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

function eventsIn(text: string): unknown[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data:') && line.length > 6)
    .map((line) => JSON.parse(line.slice(5)));
}

function failure(id: string | number | null, code: number, message: string) {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
