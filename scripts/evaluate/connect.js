// The official client, over HTTP or by way of `rapport mcp`, in either revision; and a service with the demo data to connect to.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { makeDataDir, projectDir, startService } from '../../server/test/process/service.js';

export async function demoService() {
  const dataDir = await makeDataDir();
  const { url } = await startService({ dataDir });
  const demo = { url, token: (await readFile(join(dataDir, 'demo-token'), 'utf8')).trim() };
  const client = await connect({ ...demo, over: 'http' });
  // Its journeys and lists are filled by workers, a moment after it is ready.
  for (const email of ['ada@example.com', 'katherine@example.com'])
    while (!(await hasArrived(client, email))) await sleep(50);
  await client.close();
  return demo;
}

/** @param {Client} client @param {string} email */
async function hasArrived(client, email) {
  const { structuredContent } = await client.callTool({ name: 'get_contact', arguments: { email } });
  const { lists, journeys } = /** @type {{ lists: { name: string }[], journeys: { stepId: string }[] }} */ (
    structuredContent
  );
  const isListed = lists.some(({ name }) => name === 'Reporting regulars');
  return isListed && journeys.some(({ stepId }) => ['imports', 'power'].includes(stepId));
}

/**
 * @param {{ url: string, token: string, over: 'http' | 'stdio', revision?: '2025' | '2026', readOnly?: boolean }} how
 */
export async function connect({ url, token, over, revision = '2026', readOnly = false }) {
  const client = new Client(
    { name: 'rapport evaluation', version: '1' },
    revision === '2026' ? { versionNegotiation: { mode: 'auto' } } : {},
  );
  await client.connect(
    over === 'http'
      ? new StreamableHTTPClientTransport(new URL(`${url}/mcp${readOnly ? '?readOnly=1' : ''}`), {
          requestInit: { headers: { authorization: `Bearer ${token}` } },
        })
      : new StdioClientTransport({
          command: process.execPath,
          args: [join(projectDir, 'cli/dist/main.js'), 'mcp', '--url', url, ...(readOnly ? ['--read-only'] : [])],
          env: { RAPPORT_TOKEN: token },
        }),
  );
  return client;
}
