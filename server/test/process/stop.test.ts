import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { postgresPids } from './postgres-processes.js';
import { cleanUp, makeDataDir, projectDir, runService, startService } from './service.js';
import { beginSlowly, sentOfBody, slowBody } from './slow-request.js';
import { callJson, makeTenant } from './tenant.js';

afterAll(cleanUp);

async function untilRefused(url: string): Promise<void> {
  while (
    await fetch(`${url}/healthz`).then(
      () => true,
      () => false,
    )
  )
    await sleep(10);
}

it('finishes what is in flight after SIGTERM, says that it is not ready, and takes its database along', async () => {
  const dataDir = await makeDataDir();
  const service = await startService({ dataDir });
  const { token } = await makeTenant(service);
  const { socket, received, closed } = await beginSlowly(service.url, token);
  expect(await postgresPids(dataDir)).not.toEqual([]);

  service.signal('SIGTERM');
  await untilRefused(service.url);
  expect(service.isRunning()).toBe(true);
  // The rest of the first request, and a second one on the same connection.
  socket.write(`${slowBody.slice(sentOfBody)}GET /readyz HTTP/1.1\r\nHost: rapport\r\n\r\n`);
  await closed;
  const [first = '', second = ''] = received().split(/(?<=\})(?=HTTP\/1\.1)/);
  expect(first).toMatch(/^HTTP\/1\.1 200 [\s\S]*"name":"Sent slowly"/);
  // A server may close the connection instead of answering pipelined requests.
  if (second) expect(second).toMatch(/^HTTP\/1\.1 503 [\s\S]*"status":"FAILURE"/);
  expect(await service.exited).toEqual({ code: 0, signal: null });
  expect(service.stderr()).toBe('');
  expect(await postgresPids(dataDir)).toEqual([]);

  const again = await startService({ dataDir });
  const lists = await callJson(`${again.url}/v2/lists`, { token });
  expect(lists.body.data).toMatchObject([{ name: 'Sent slowly' }]);
  expect(await again.stop()).toBe(0);
});

it('stops even when the signal comes while it is still starting', async () => {
  const dataDir = await makeDataDir();
  const run = runService({ dataDir });
  while ((await postgresPids(dataDir)).length === 0) await sleep(5);
  run.signal('SIGTERM');
  expect(await run.exited).toEqual({ code: 0, signal: null });
  expect(await postgresPids(dataDir)).toEqual([]);
});

it('stops everything on a SIGTERM to the process that npm start made', async () => {
  const dataDir = await makeDataDir();
  const service = await startService({ dataDir, command: ['npm', 'start', '--prefix', projectDir] });
  expect(await postgresPids(dataDir)).not.toEqual([]);
  service.signal('SIGTERM');
  await service.exited;
  await untilRefused(service.url);
  while ((await postgresPids(dataDir)).length > 0) await sleep(20);
});
