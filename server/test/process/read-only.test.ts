// What a command builds before it runs: what changed, and it says so; nothing if it may not write, as in a container whose files belong to root.
import { execFile } from 'node:child_process';
import { cp, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cleanUp, makeDataDir, projectDir } from './service.js';

// Root may write anywhere, so the user `nobody` runs the command.
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
let tree: string;

beforeAll(async () => {
  tree = await makeDataDir();
  const isLeftOut = (path: string) => /(^|\/)(node_modules|test|\.sources)$/.test(path);
  for (const name of ['contract', 'client', 'server', 'cli', 'scripts', 'package.json', 'package-lock.json'])
    await cp(join(projectDir, name), join(tree, name), { recursive: true, filter: (path) => !isLeftOut(path) });
  await cp(join(projectDir, 'tsconfig.base.json'), join(tree, 'tsconfig.base.json'));
  await symlink(join(projectDir, 'node_modules'), join(tree, 'node_modules'));
});
afterAll(async () => {
  // Otherwise only root could remove it.
  await allow('755');
  await cleanUp();
});

/** Of the whole tree; links are not followed. */
async function allow(mode: string): Promise<void> {
  await promisify(execFile)('chmod', ['-R', mode, tree]);
}

/** As the user who runs the test, unless another is given. */
function rapport(args: string[], user: { uid?: number; gid?: number } = {}) {
  const { PATH } = process.env;
  const options = { cwd: tree, env: { PATH, HOME: '/nonexistent', DATA_DIR: join(tree, 'no-data') }, ...user };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, ['scripts/rapport.js', ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

it('says that it builds while it does, even without a terminal, and only then', async () => {
  const first = await rapport(['--version']);
  expect(first).toMatchObject({ code: 0, stdout: '0.1.0\n' });
  expect(first.stderr).toMatch(
    /^Building Rapport, once for these sources: about 15 seconds\.\n {2}compiling …\n[\s\S]* {2}compiling: done in [\d.]+ s\n {2}bundling/,
  );
  expect(await rapport(['--version'])).toEqual({ code: 0, stdout: '0.1.0\n', stderr: '' });
});

it('runs the command line as it was built where it may not write, and compiles nothing', async () => {
  await rm(join(tree, 'server/dist/.sources'));
  await allow('555');
  expect(await rapport(['--version'], nobody)).toEqual({ code: 0, stdout: '0.1.0\n', stderr: '' });
  for (const help of ['-h', '--help', 'help'])
    expect(await rapport([help], nobody)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('backup'),
      stderr: '',
    });
  expect(await rapport(['audit', 'verify'], nobody)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^There is no database in \S+no-data\. Set DATA_DIR or DATABASE_URL/),
  });
  expect(await rapport(['--verbose'], nobody)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^There is no option "--verbose"\.\n\nUsage: npm run rapport/),
  });
});
