// The processor time of a `tools/call` of `search`, against the API read beneath it: at most 1.5 times as much. Both are asked the same, over 32
// connections, and the time of the process that serves them is taken; the row of every call in the audit log is part of the cost.
import { Agent, request } from 'node:http';
import pg from 'pg';
import { connectionOf } from '../server/test/process/postgres-processes.js';
import { makeDataDir, startService } from '../server/test/process/service.js';
import { makeTenant } from '../server/test/process/tenant.js';
import { freePort } from './free-port.js';
import { cpuSecondsOf, median } from './processes.js';
import { seedLists } from './seed-lists.js';

const goal = 1.5;
const rounds = 7;
const each = 2000;
const rows = 20;
const connections = 32;

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** @param {string} method @param {object} params @param {'2025' | '2026'} revision */
function message(method, params, revision) {
  const isNew = revision === '2026';
  const name = 'name' in params ? { 'mcp-name': String(params.name) } : {};
  return {
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: isNew ? { ...params, _meta: meta } : params }),
    headers: isNew ? { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, ...name } : {},
  };
}

/** @param {(line: string) => void} say */
export async function bench(say) {
  const dataDir = await makeDataDir();
  const PORT = String(await freePort());
  const service = await startService({ dataDir, env: { PORT, DEMO: 'off', LOG_LEVEL: 'warn' }, discardOutput: true });
  const tenant = await makeTenant(service);
  const client = new pg.Client(await connectionOf(dataDir));
  await client.connect();
  await seedLists(client, tenant, 10_000, (i) => `List number ${i}`);
  await client.end();
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const headers = { authorization: `Bearer ${tenant.token}` };
  /** @param {string} path @param {{ body: string, headers: object }} [sent] @returns {Promise<number>} */
  const ask = (path, sent) =>
    new Promise((resolve, reject) => {
      const type = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
      const options = {
        agent,
        method: sent ? 'POST' : 'GET',
        headers: { ...headers, ...(sent ? { ...type, ...sent.headers } : {}) },
      };
      const sending = request(service.url + path, options, (response) => {
        let bytes = 0;
        response.on('data', (chunk) => {
          bytes += chunk.length;
        });
        response.on('end', () =>
          response.statusCode === 200 ? resolve(bytes) : reject(new Error(`${path} ${response.statusCode}`)),
        );
      });
      sending.on('error', reject);
      sending.end(sent?.body);
    });
  const call = { name: 'search', arguments: { query: 'number 77', kinds: ['lists'], limit: rows } };
  const ways = {
    read: () => ask(`/v2/lists?search=number%2077&pageSize=${rows}`),
    ...{
      new: () => ask('/mcp', message('tools/call', call, '2026')),
      old: () => ask('/mcp', message('tools/call', call, '2025')),
    },
    list: () => ask('/mcp', message('tools/list', {}, '2026')),
  };
  const names = /** @type {(keyof typeof ways)[]} */ (Object.keys(ways));
  /** @type {Record<string, number[]>} */
  const costs = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = 0; round <= rounds; round++)
    for (const name of names) {
      const before = await cpuSecondsOf([service.pid]);
      let left = each;
      const one = async () => {
        while (left-- > 0) await ways[name]();
      };
      await Promise.all(Array.from({ length: connections }, one));
      const spent = await cpuSecondsOf([service.pid]);
      // The first round warms up.
      if (round > 0) costs[name]?.push(((spent - before) * 1000) / each);
    }
  agent.destroy();
  const [read = 0, now = 0, old = 0, list = 0] = names.map((name) => median(costs[name] ?? []));
  say(`${each} calls a round, ${rounds} rounds after one to warm up; medians of the service's processor time`);
  say(`GET /v2/lists?search=…: ${read.toFixed(2)} ms`);
  say(
    `tools/call of search, revision 2026: ${now.toFixed(2)} ms, ratio ${(now / read).toFixed(2)} (goal: at most ${goal})`,
  );
  say(`tools/call of search, revision 2025: ${old.toFixed(2)} ms, ratio ${(old / read).toFixed(2)}`);
  say(`tools/list: ${list.toFixed(2)} ms, ${await ways.list()} bytes`);
  await service.stop();
}
