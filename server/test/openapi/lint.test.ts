// Redocly's linter with its recommended rules, on the documents as the service serves them and on the committed one.
import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../app.js';

interface Report {
  totals: { errors: number; warnings: number };
  problems: { ruleId: string; severity: string; message: string }[];
}

const redocly = join(dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')), 'bin/cli.js');
const t = useApp();
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rapport-lint-'));
  for (const version of ['v1', 'v2']) {
    const { text } = await t.anonymous.get(`/openapi/${version}.json`);
    await writeFile(join(folder, `${version}.json`), text);
  }
  await cp(new URL('../../../openapi.json', import.meta.url), join(folder, 'openapi.json'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('redocly lint', () => {
  it.each(['v1.json', 'v2.json', 'openapi.json'])('has nothing to say about %s that can be helped', async (file) => {
    const { problems } = await lint(file);
    // The paths are from the specification: `/contacts/by-email/{email}` beside `/contacts/{id}/activity`.
    expect(problems.filter(({ ruleId }) => ruleId !== 'no-ambiguous-paths')).toEqual([]);
    expect(problems.filter(({ severity }) => severity === 'error')).toEqual([]);
  });

  it('finds what is wrong with a document', async () => {
    await writeFile(join(folder, 'broken.json'), JSON.stringify({ openapi: '3.1.0', info: { title: 'x' }, paths: {} }));
    expect((await lint('broken.json')).totals.errors).toBeGreaterThan(0);
  });
});

/** Offline: without telemetry and the check for a newer version. */
async function lint(file: string): Promise<Report> {
  const env = { ...process.env, CI: 'true', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
  const text = await new Promise<string>((resolve, reject) => {
    const args = [redocly, 'lint', '--format=json', file];
    execFile(process.execPath, args, { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) =>
      stdout === '' ? reject(error ?? new Error(stderr)) : resolve(stdout),
    );
  });
  return JSON.parse(text);
}
