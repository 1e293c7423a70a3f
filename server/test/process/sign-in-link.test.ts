// Commands that an operator runs beside the built service: a link for a person who forgot the password, and the check of the audit log.
import { execFile } from 'node:child_process';
import { afterAll, expect, it } from 'vitest';
import { cleanUp, makeDataDir, projectDir, startService } from './service.js';

afterAll(cleanUp);

/** `npm run rapport -- …`, without npm. */
function rapport(args: string[], env: Record<string, string>) {
  const { PATH, HOME } = process.env;
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const options = { cwd: projectDir, env: { PATH, HOME, ...env } };
    execFile(process.execPath, ['scripts/rapport.js', ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

it('prints a link that the running service knows, and names no person', async () => {
  const dataDir = await makeDataDir();
  const service = await startService({ dataDir, env: { DEMO: 'on' } });
  const env = { DATA_DIR: dataDir, BASE_URL: service.url };
  const made = await rapport(['sign-in-link', 'Admin@Example.com'], env);
  expect(made).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^http\S+\/oauth\/link\?token=[\w-]{43}\n$/),
    stderr: 'Signs Demo Admin in, once, within 24 hours.\n',
  });
  const page = await fetch(made.stdout.trim());
  expect([page.status, (await page.text()).includes('admin@example.com')]).toEqual([200, true]);
  const none = await rapport(['sign-in-link', 'nobody@example.com'], env);
  expect([none.code, none.stdout]).toEqual([1, '']);
  expect(none.stderr).toContain('No one who can sign in has the address nobody@example.com.');

  // The link is in the log of the demo tenant.
  const walked = await rapport(['audit', 'verify', '--tenant', '1'], env);
  expect([walked.code, walked.stdout]).toEqual([0, expect.stringMatching(/^Tenant 1: [1-9]\d* entr.* whole\n/)]);
  expect(await rapport(['audit', 'verify', '--tenant', '77'], env)).toEqual({
    code: 1,
    stdout: '',
    stderr: 'There is no tenant 77. Name another, or leave --tenant out for all.\n',
  });
});
