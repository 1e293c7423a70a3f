import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { afterAll, expect, it } from 'vitest';
import { cleanUp, makeDataDir, startService } from './service.js';
import { callJson, makeTenant, readAdminToken } from './tenant.js';

afterAll(cleanUp);

/** Takes minutes in one step. */
const endless = `{% capture x %}${'ab'.repeat(200_000)}{% endcapture %}{% assign y = x | split: "" ${'| sort: "y" '.repeat(300)}%}`;

const hasProc = existsSync('/proc');

/** The rendering processes of a service. Without /proc, none are found. */
async function renderingPids(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      const [, stat = ''] = (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')).split(') ');
      return command.includes('rendering/process.js') && Number(stat.split(' ')[1]) === parent ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A service with a running preview that takes too long. */
async function serviceWithBomb() {
  const service = await startService({ dataDir: await makeDataDir(), env: { DEMO: 'off' } });
  const { tenantId, token } = await makeTenant(service);
  // Nothing has been rendered yet, so no process was started.
  expect(await renderingPids(service.pid)).toEqual([]);
  await callJson(`${service.url}/admin/tenants/${tenantId}/sending-domains`, {
    token: await readAdminToken(service.dataDir),
    method: 'POST',
    body: { domain: 'example.com' },
  });
  const email = { name: 'A', subject: 'S', html: '<p>{{email}}', fromEmail: { email: 'a@example.com' } };
  const made = await callJson(`${service.url}/v2/emails`, { token, method: 'POST', body: email });
  const preview = callJson(`${service.url}/v2/emails/${made.body.data.emailId}/preview`, {
    token,
    method: 'POST',
    body: { draft: { html: endless } },
  }).then(
    ({ status }) => status,
    () => 'lost',
  );
  let pids: number[] = [];
  while (hasProc && pids.length === 0) pids = await renderingPids(service.pid);
  return { service, preview, pids };
}

it('stops on SIGTERM while a template runs that never ends, and answers its request', async () => {
  const { service, preview, pids } = await serviceWithBomb();
  const startedAt = performance.now();
  expect(await service.stop()).toBe(0);
  expect(performance.now() - startedAt).toBeLessThan(15_000);
  expect(await preview).toBe(200);
  expect(service.stderr()).toBe('');
  await expect.poll(() => pids.filter(isRunning), { timeout: 60_000 }).toEqual([]);
});

it('leaves no template running when it is killed', async () => {
  const { service, preview, pids } = await serviceWithBomb();
  await service.kill();
  expect(await preview).toBe('lost');
  await expect.poll(() => pids.filter(isRunning), { timeout: 60_000 }).toEqual([]);
});
