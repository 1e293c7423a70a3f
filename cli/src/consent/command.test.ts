import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Complaint } from '../complaint.js';
import { consentCommand } from './command.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rapport-consent-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true });
});

async function run(...args: string[]) {
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const asked: (number | undefined)[] = [];
  const command = consentCommand(async (_env, tenantId, write) => {
    asked.push(tenantId);
    await write(
      (async function* () {
        yield* ['email\r\n', 'a@example.com\r\n'];
      })(),
    );
  });
  return { code: await command({ args, env: {} }), told: log.mock.calls.flat(), asked };
}

it('writes the lines into a file of its owner, and says how many', async () => {
  const file = join(folder, 'consent.csv');
  const { code, told, asked } = await run('export', file, '--tenant', '7');
  expect([code, told, asked]).toEqual([0, [`1 line in ${file}`], [7]]);
  expect(await readFile(file, 'utf8')).toBe('email\r\na@example.com\r\n');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await expect(run('export', file)).rejects.toThrow('EEXIST');
});

it('says how it is called', async () => {
  expect((await run('--help')).told[0]).toContain('Usage: npm run rapport -- consent export');
  for (const args of [[], ['export'], ['import', 'x'], ['export', 'x', '--tenant', 'me']])
    await expect(run(...args)).rejects.toThrow(Complaint);
});
