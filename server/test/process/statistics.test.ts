// Statistics of the built service, and the command that recounts everything. The examples of docs/statistics.md: docs.test.ts.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, expect, it } from 'vitest';
import { connectionOf } from './postgres-processes.js';
import { cleanUp, makeDataDir, projectDir, startService } from './service.js';
import { callJson } from './tenant.js';

afterAll(cleanUp);

/** `npm run rapport -- stats …`, without npm. */
function stats(args: string[], dataDir: string): Promise<{ code: number; output: string }> {
  const { PATH, HOME } = process.env;
  return new Promise((resolve) => {
    const options = { cwd: projectDir, env: { PATH, HOME, DATA_DIR: dataDir } };
    execFile(process.execPath, ['scripts/rapport.js', 'stats', ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    );
  });
}

it('counts right on the demo tenant, and says where it does not', async () => {
  const dataDir = await makeDataDir();
  const service = await startService({ dataDir, env: { DEMO: 'on' } });
  const token = (await readFile(join(dataDir, 'demo-token'), 'utf8')).trim();
  const { body } = await callJson(`${service.url}/v2/stats/overview`, { token });
  expect(body.data.sent).toBeGreaterThan(5);

  const fine = await stats(['verify'], dataDir);
  expect(fine).toEqual({
    code: 0,
    output: expect.stringMatching(
      /^Tenant \d+ \(Demo\): [1-9]\d* of messages, [1-9]\d* of journeys, no difference\nCounted again: .* of 1 tenant\. There is no difference\.\n$/,
    ),
  });

  const client = new pg.Client(await connectionOf(dataDir));
  await client.connect();
  await client.query(
    `insert into message_tally_delta (tenant_id, subject, hour, sent) select tenant_id, 't', '2020-01-01', 3 from tenant limit 1`,
  );
  await client.query(
    `insert into journey_tally_delta (tenant_id, journey_no, step_id, part, what, hour, n)
     select tenant_id, journey_no, 'welcome', '', 'left', '2020-01-01', -1 from journey limit 1`,
  );
  await client.end();
  const wrong = await stats(['verify'], dataDir);
  expect(wrong.code).toBe(1);
  expect(wrong.output).toContain('  t, in the hour of 2020-01-01T00:00:00.000Z: sent 3 too many\n');
  expect(wrong.output).toMatch(
    / {2}journey \d+, step welcome, in the hour of 2020-01-01T00:00:00.000Z: left 1 too few\n/,
  );
  expect(wrong.output).toContain('Differences: 2.');
  expect(await service.stop()).toBe(0);

  // The database is started for it if no service runs.
  expect((await stats(['verify'], dataDir)).code).toBe(1);
  expect(await stats(['--help'], dataDir)).toEqual({ code: 0, output: expect.stringContaining('Usage: ') });
});
