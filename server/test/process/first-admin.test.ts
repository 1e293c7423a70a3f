// A service without the demo says how to create its first admin, and its instructions work.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fieldsOf } from '../oauth.js';
import { cleanUp, makeDataDir, projectDir, type Service, startService } from './service.js';

let service: Service;

beforeAll(async () => {
  service = await startService({ dataDir: await makeDataDir(), env: { DEMO: 'off' } });
});
afterAll(cleanUp);

const says = 'No one can sign in yet.';
/** The lines to paste: those that are indented more than the rest. */
const toPaste = (banner: string) => [...banner.matchAll(/^ {4}(\S.*)$/gm)].map(([, line = '']) => line);

async function sessionOf(cookie = ''): Promise<{ firstAdmin?: string[]; person: object | null; workspace: object }> {
  return (await fetch(`${service.url}/oauth/session`, { headers: { cookie } })).json() as never;
}

it('says on the sign-in page what to do, as it tells the console', async () => {
  const { firstAdmin = [], person } = await sessionOf();
  expect(person).toBeNull();
  expect(firstAdmin.join('\n')).toContain(`${service.url}/admin/tenants/1/invitations`);
  const page = await (await fetch(`${service.url}/oauth/sign-in`)).text();
  expect(page).toContain(says);
  for (const line of firstAdmin) expect(page.replaceAll('&quot;', '"').replaceAll('&#39;', "'")).toContain(line);
});

it('prints lines in its banner that make a workspace and a link which lets its first admin in', async () => {
  const banner = service.stdout();
  expect(banner).toContain(says);
  expect(banner).toContain('Then open the link in the last response in a browser to sign in.');
  const lines = toPaste(banner);
  expect(lines).toHaveLength(3);
  const script = lines.join('\n').replaceAll('curl', 'curl -sSf');
  const { stdout } = await promisify(execFile)('sh', ['-euc', script], { cwd: projectDir });
  const link = /"link":"([^"]+)"/.exec(stdout)?.[1] ?? '';
  const page = await fetch(link);
  const body = new URLSearchParams({
    ...fieldsOf(await page.text()),
    ...{ name: 'Ada', password: 'an engine that weaves patterns' },
  });
  const headers = { cookie: page.headers.getSetCookie().join('; '), origin: service.url };
  const joined = await fetch(link.split('?')[0] ?? '', { method: 'POST', body, headers, redirect: 'manual' });
  expect(joined.status, await joined.text()).toBe(303);
  const cookie = joined.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ');
  expect(await sessionOf(cookie)).toMatchObject({
    person: { email: 'you@example.com' },
    workspace: { name: 'My company', role: 'admin' },
  });
});

it('says nothing of it once somebody can sign in', async () => {
  const session = await sessionOf();
  expect(session).toMatchObject({ person: null, workspace: null, workspaces: [] });
  expect(session).not.toHaveProperty('firstAdmin');
  expect(await (await fetch(`${service.url}/oauth/sign-in`)).text()).not.toContain(says);
  await service.stop();
  service = await startService({ dataDir: service.dataDir, env: { DEMO: 'off' } });
  expect(service.stdout()).not.toContain(says);
  expect(service.stdout()).toContain(`Console   ${service.url}/console`);
});

it('names the token of the environment, and invites to a workspace that is there', async () => {
  const dataDir = await makeDataDir();
  const env = { DEMO: 'off', ADMIN_TOKEN: 'given-by-the-operator' };
  const first = await startService({ dataDir, env });
  expect(toPaste(first.stdout())[0]).toBe('ADMIN="Authorization: Bearer $ADMIN_TOKEN"');
  const headers = { authorization: 'Bearer given-by-the-operator', 'content-type': 'application/json' };
  await fetch(`${first.url}/admin/tenants`, { method: 'POST', headers, body: '{"name":"Acme"}' });
  await first.stop();
  const second = await startService({ dataDir, env });
  expect(toPaste(second.stdout()).at(-1)).toContain(`${second.url}/admin/tenants/1/invitations`);
  expect(toPaste(second.stdout())).toHaveLength(2);
  await second.stop();
});

it('shows a worker no console: what it answers, and what it is for', async () => {
  const worker = await startService({
    dataDir: await makeDataDir(),
    env: { ROLE: 'worker', BASE_URL: 'https://rapport.example' },
  });
  const banner = worker
    .stdout()
    .split('\n')
    .filter((line) => !line.startsWith('{'))
    .join('\n');
  expect(banner).toMatch(/Rapport is ready at http:\/\/127/);
  expect(banner).toContain(
    'Role      worker: does what the other nodes take in. It answers /healthz, /readyz and /metrics only.',
  );
  expect(banner).not.toMatch(/Console|Docs|Sign in|curl|rapport\.example/);
  await worker.stop();
});

it('tells a node that only answers which other it needs', async () => {
  const api = await startService({ dataDir: await makeDataDir(), env: { ROLE: 'api' } });
  expect(api.stdout()).toContain(
    'Role      api: writes wait until a node with ROLE=worker or ROLE=all runs on the same database.',
  );
  await api.stop();
});
