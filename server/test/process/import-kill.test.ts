import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { killProcessesOf } from './postgres-processes.js';
import { cleanUp, makeDataDir, startService } from './service.js';
import { callJson, makeTenant } from './tenant.js';

afterAll(cleanUp);

const rows = 60_000;
const file = `email,n\n${Array.from({ length: rows }, (_, i) => `p${i}@example.com,${i}`).join('\n')}`;

it('an acknowledged import goes on after kill -9 of service and database, each row once', async () => {
  const dataDir = await makeDataDir();
  const env = { DEMO: 'off', LOG_LEVEL: 'warn' };
  let service = await startService({ dataDir, env });
  const { token } = await makeTenant(service);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/csv' };
  const answer = await fetch(`${service.url}/v2/contacts/import`, { method: 'POST', headers, body: file });
  expect(answer.status).toBe(200);
  const { data } = (await answer.json()) as { data: { transactionId: string } };
  const poll = async () => {
    const { body } = await callJson(`${service.url}/v2/contacts/transactions/${data.transactionId}`, { token });
    return body.data;
  };
  let before = 0;
  for (let round = 0; round < 3; round++) {
    for (let now = await poll(); now.progress.done === before && now.status === 'PENDING'; now = await poll())
      await sleep(1);
    before = (await poll()).progress.done;
    await service.kill();
    if (round % 2 === 0) await killProcessesOf(dataDir);
    service = await startService({ dataDir, env });
    expect((await poll()).progress.done).toBeGreaterThanOrEqual(before);
  }
  while ((await poll()).status !== 'DONE') await sleep(20);
  expect(await poll()).toMatchObject({ counts: { CREATED: rows, FAILED: 0 }, progress: { done: rows, total: rows } });
  const { body } = await callJson(`${service.url}/v2/contacts?pageSize=1`, { token });
  expect(body.pagination.totalElements).toBe(rows);
  await service.stop();
});
