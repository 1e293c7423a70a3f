// The command that lets somebody in who forgot the password, on the built service.
import { execFile } from 'node:child_process';
import { afterAll, expect, it } from 'vitest';
import { cleanUp, makeDataDir, projectDir, startService } from './service.js';

afterAll(cleanUp);

/** `npm run rapport -- sign-in-link …`, without npm. */
function signInLink(args: string[], env: Record<string, string>) {
  const { PATH, HOME } = process.env;
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const options = { cwd: projectDir, env: { PATH, HOME, ...env } };
    execFile(process.execPath, ['scripts/rapport.js', 'sign-in-link', ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

it('prints a link that the running service knows, and tells of nobody', async () => {
  const dataDir = await makeDataDir();
  const service = await startService({ dataDir, env: { DEMO: 'on' } });
  const env = { DATA_DIR: dataDir, BASE_URL: service.url };
  const made = await signInLink(['Admin@Example.com'], env);
  expect(made).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^http\S+\/oauth\/link\?token=[\w-]{43}\n$/),
    stderr: 'Signs Demo Admin in, once, within 24 hours.\n',
  });
  const page = await fetch(made.stdout.trim());
  expect([page.status, (await page.text()).includes('admin@example.com')]).toEqual([200, true]);
  const none = await signInLink(['nobody@example.com'], env);
  expect([none.code, none.stdout]).toEqual([1, '']);
  expect(none.stderr).toContain('Nobody who can sign in has the address nobody@example.com.');
});
