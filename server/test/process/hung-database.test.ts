// A database that stops responding but does not go away: SIGSTOP to all its processes.

import { setTimeout as sleep } from 'node:timers/promises';
import { pathsOf, type Route, routes } from '@rapport/contract';
import { afterAll, expect, it } from 'vitest';
import { postgresPids } from './postgres-processes.js';
import { cleanUp, makeDataDir, type Service, startService } from './service.js';
import { beginSlowly, sentOfBody, slowBody } from './slow-request.js';
import { callJson, makeTenant, readAdminToken } from './tenant.js';

const frozen = new Set<number>();

function signal(pids: Iterable<number>, name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // It has already ended.
    }
  }
}

afterAll(async () => {
  signal(frozen, 'SIGCONT');
  await cleanUp();
});

async function freeze(dataDir: string): Promise<number[]> {
  const pids = await postgresPids(dataDir);
  for (const pid of pids) frozen.add(pid);
  signal(pids, 'SIGSTOP');
  return pids;
}

interface Attempt {
  what: string;
  status: number;
  retryAfter: string | null;
  errorCode: string | undefined;
  ms: number;
}

async function attempt(
  service: Service,
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<Attempt> {
  const startedAt = performance.now();
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  });
  const text = await response.text();
  return {
    what: `${method} ${path}`,
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    errorCode: text ? JSON.parse(text).errors?.[0]?.errorCode : undefined,
    ms: performance.now() - startedAt,
  };
}

function pathOf(route: Route, tenantId: number): string {
  const values: Record<string, string> = { ...route.example.path, tenantId: String(tenantId) };
  const path = (pathsOf(route).at(-1) as string).replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(values[name] ?? '0123456789abcdef01234567'),
  );
  // Some routes require theirs.
  return `${path}?${new URLSearchParams((route.example.query ?? {}) as Record<string, string>)}`;
}

/** Every GET of the contract, and writes of each kind: acknowledged, in a transaction, in one statement, with a key. */
function tries(service: Service, token: string, adminToken: string, tenantId: number): (() => Promise<Attempt>)[] {
  const reads = routes
    .filter((route) => route.method === 'GET')
    // A transaction's id names its tenant.
    .map((route) => {
      const path = pathOf(route, tenantId).replace(/transactions\/\d+-/, `transactions/${tenantId}-`);
      return () => attempt(service, route.area === 'admin' ? adminToken : token, 'GET', path);
    });
  const writes = [
    ['POST', '/v2/contacts', { email: 'a@example.com', properties: {} }],
    ['POST', '/v2/contacts/batch', { contacts: [{ email: 'a@example.com', properties: {} }] }],
    ['POST', '/v2/lists', { name: 'never' }],
    ['POST', '/v2/dynamic-lists', { name: 'never', filter: { all: [] } }],
    ['POST', '/v2/dynamic-lists/preview', { filter: { all: [] } }],
    ['POST', '/v2/folders', { name: 'never' }],
    ['POST', '/v2/organizations', { orgId: 'never', name: 'never' }],
    ['PATCH', '/v2/lists/0123456789abcdef01234567', { name: 'never' }],
    ['DELETE', '/v2/lists/0123456789abcdef01234567', undefined],
    ['GET', '/v2/lists?search=never', undefined],
    ['GET', '/v2/contacts?search=never', undefined],
    ['GET', '/v2/contacts?pageNumber=1000', undefined],
  ] as const;
  return [
    ...reads,
    ...writes.map(
      ([method, path, body]) =>
        () =>
          attempt(service, token, method, path, body),
    ),
  ];
}

async function untilReady(url: string): Promise<void> {
  while ((await fetch(`${url}/readyz`)).status !== 200) await sleep(50);
}

it('answers 503 within seconds on every route while the database hangs, and goes on when it does', async () => {
  const dataDir = await makeDataDir();
  const service = await startService({ dataDir, env: { DEMO: 'off' } });
  const { token, tenantId } = await makeTenant(service);
  const all = tries(service, token, await readAdminToken(dataDir), tenantId);
  // Every kind of connection is open: each must notice by itself.
  await Promise.all(all.slice(0, 20).map((one) => one()));

  const pids = await freeze(dataDir);
  for (const round of ['while it is noticed', 'once it is known']) {
    const attempts = await Promise.all(all.map((one) => one()));
    const wrong = attempts.filter(
      ({ status, retryAfter, errorCode, ms }) =>
        status !== 503 || !/^\d+$/.test(retryAfter ?? '') || errorCode !== 'NOT_READY' || ms > 12_000,
    );
    expect({ round, wrong }).toEqual({ round, wrong: [] });
  }
  const ready = await attempt(service, token, 'GET', '/readyz');
  expect(ready).toMatchObject({ status: 503, errorCode: 'NOT_READY', retryAfter: expect.stringMatching(/^\d+$/) });
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);

  signal(pids, 'SIGCONT');
  const goesOnAt = performance.now();
  await untilReady(service.url);
  expect(performance.now() - goesOnAt).toBeLessThan(10_000);
  for (const path of ['/v2/lists', '/v2/lists?search=never', '/v2/contacts', '/v2/organizations'])
    expect((await callJson(`${service.url}${path}`, { token })).status).toBe(200);
  expect((await callJson(`${service.url}/v2/lists`, { token, method: 'POST', body: { name: 'After' } })).status).toBe(
    200,
  );
  const body = { email: 'after@example.com', properties: {} };
  const { body: acknowledged } = await callJson(`${service.url}/v2/contacts`, { token, method: 'POST', body });
  const { transactionId } = acknowledged.data;
  for (;;) {
    const found = await callJson(`${service.url}/v2/contacts/transactions/${transactionId}`, { token });
    if (found.body.data.status === 'DONE') break;
    await sleep(50);
  }
  expect(await service.stop()).toBe(0);
});

it('ends within 25 s of SIGTERM while the database hangs, and the next start has what was acknowledged', async () => {
  const dataDir = await makeDataDir();
  const service = await startService({ dataDir, env: { DEMO: 'off' } });
  const { token } = await makeTenant(service);
  await callJson(`${service.url}/v2/lists`, { token, method: 'POST', body: { name: 'Kept' } });
  const body = { email: 'kept@example.com', properties: {} };
  const { body: acknowledged } = await callJson(`${service.url}/v2/contacts`, { token, method: 'POST', body });

  const pids = await freeze(dataDir);
  const startedAt = performance.now();
  const { socket, received, closed } = await beginSlowly(service.url, token);
  socket.write(slowBody.slice(sentOfBody));
  service.signal('SIGTERM');
  await closed;
  expect(received()).toMatch(/^HTTP\/1\.1 503 /);
  expect(await service.exited).toEqual({ code: 0, signal: null });
  expect(performance.now() - startedAt).toBeLessThan(26_000);
  expect((await postgresPids(dataDir)).filter((pid) => pids.includes(pid))).toEqual([]);

  const again = await startService({ dataDir, env: { DEMO: 'off' } });
  const lists = await callJson(`${again.url}/v2/lists`, { token });
  expect(lists.body.data.map((list: { name: string }) => list.name)).toEqual(['Kept']);
  const { transactionId } = acknowledged.data;
  const found = await callJson(`${again.url}/v2/contacts/transactions/${transactionId}`, { token });
  expect(found.status).toBe(200);
  expect(await again.stop()).toBe(0);
});
