// The relay between standard input and /mcp. What /mcp answers is tested with the service; here it is a server that notes what arrives.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { relay } from './relay.js';

const arrived: { headers: IncomingHttpHeaders; body: unknown; url: string | undefined }[] = [];
const server = createServer(async (request, response) => {
  const body = JSON.parse(await text(request));
  arrived.push({ headers: request.headers, body, url: request.url });
  if (request.headers.authorization !== 'Bearer good') return void response.writeHead(401).end();
  if (body.id === undefined) return void response.writeHead(202).end();
  const answer = JSON.stringify({
    jsonrpc: '2.0',
    id: body.id,
    result: { protocolVersion: '2025-11-25', said: body.method },
  });
  const isOld = body.params?._meta === undefined;
  response.writeHead(200, { 'content-type': isOld ? 'text/event-stream' : 'application/json' });
  response.end(isOld ? `event: message\ndata: ${answer}\n\n` : answer);
});
let url = '';
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((done) => server.close(done)));

async function say(messages: readonly (object | string)[], token = 'good', readOnly = false) {
  arrived.length = 0;
  const [input, output] = [new PassThrough(), new PassThrough()];
  for (const message of messages) input.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  input.end();
  await relay(input, output, { url, token, readOnly });
  output.end();
  return (await text(output))
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

it('passes messages of a client of 2025 on, with the version that was agreed', async () => {
  const answers = await say([
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25' } },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'search', arguments: { query: 'a' } } },
  ]);
  expect(answers.map(({ id, result }) => [id, result.said])).toEqual([
    [1, 'initialize'],
    [2, 'tools/call'],
  ]);
  const call = arrived.find(({ body }) => (body as { id?: number }).id === 2);
  expect(call?.headers).toMatchObject({ 'mcp-protocol-version': '2025-11-25', 'mcp-name': 'search' });
});

it('says in headers what a message of the newer revision says, and asks for fewer tools if told', async () => {
  const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
  const [answer] = await say([{ jsonrpc: '2.0', id: 'a', method: 'tools/list', params: { _meta } }], 'good', true);
  expect(answer).toMatchObject({ id: 'a', result: { said: 'tools/list' } });
  expect(arrived[0]).toMatchObject({
    url: '/mcp?readOnly=1',
    headers: { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' },
  });
});

it('answers for a service that refuses or is not there, and for what is no message', async () => {
  const asked = { jsonrpc: '2.0', id: 7, method: 'tools/list' };
  expect(await say([asked, 'nonsense'], 'bad')).toEqual(
    expect.arrayContaining([
      { jsonrpc: '2.0', id: 7, error: { code: -32_000, message: expect.stringContaining('--token') } },
      { jsonrpc: '2.0', id: null, error: { code: -32_700, message: expect.any(String) } },
    ]),
  );
});
