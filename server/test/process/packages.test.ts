// The contract, the client and the command line as packages: packed, installed in an empty project, compiled against, run and bundled.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { cleanUp, makeDataDir, projectDir } from './service.js';

const run = promisify(execFile);
// TypeBox comes from the registry, or from npm's cache.
const away = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|ERR_SOCKET_TIMEOUT/;
interface Packed {
  name: string;
  filename: string;
  /** Bytes, compressed. */
  size: number;
}
let packages: Packed[];
let project: string;
let noRegistry: string | undefined;

beforeAll(async () => {
  const packed = await makeDataDir();
  const args = ['pack', '--json', '--pack-destination', packed, '-w', 'contract', '-w', 'client', '-w', 'cli'];
  const { stdout } = await run('npm', args, { cwd: projectDir });
  packages = JSON.parse(stdout);
  const files = packages.map(({ filename }) => join(packed, filename));
  project = await makeDataDir();
  await writeFile(join(project, 'package.json'), '{"type": "module"}');
  const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', '--fetch-retries=0', ...files];
  await run('npm', install, { cwd: project }).catch((error: { stderr: string }) => {
    if (!away.test(error.stderr)) throw error;
    noRegistry = 'npm reaches no registry, and has not kept TypeBox';
  });
});
afterAll(cleanUp);

const program = `
import { createClient } from '@rapport/client';
import { createContact, getContactByEmail } from '@rapport/contract';

const asked: string[] = [];
const fetch = async (url: string) => {
  asked.push(url);
  const data = { id: '1', email: 'ada@example.com', properties: {}, createdAt: '', updatedAt: '' };
  return Response.json({ data, errors: [], meta: { status: 'SUCCESS', timestamp: '' } });
};
const client = createClient({ baseUrl: 'http://rapport.test', token: 'x', fetch: fetch as never });
const { data } = await client.call(getContactByEmail, { params: { email: 'ada@example.com' } });
const email: string = data.email;
// @ts-expect-error: a contact has no such field
data.nothing;
// @ts-expect-error: a contact needs an email address
const isRefused = () => client.call(createContact, { body: {} });
console.log(email, typeof isRefused, asked);
`;

it('can be installed in an empty project, with types, and run', async ({ skip }) => {
  skip(noRegistry !== undefined, noRegistry);
  await writeFile(join(project, 'index.ts'), program);
  const compilerOptions = {
    ...{ module: 'nodenext', target: 'es2023', lib: ['es2023', 'dom', 'dom.iterable'], types: [] },
    ...{ strict: true, outDir: 'out', rootDir: '.' },
  };
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['index.ts'] }));
  const tsc = join(projectDir, 'node_modules/typescript/bin/tsc');
  const compiled = await run(process.execPath, [tsc, '-p', project]).catch((error) => error);
  expect(compiled.stdout).toBe('');
  const { stdout } = await run(process.execPath, ['out/index.js'], { cwd: project });
  expect(stdout).toBe("ada@example.com function [ 'http://rapport.test/v2/contacts/by-email/ada%40example.com' ]\n");
});

const rapport = (...args: string[]) =>
  run(process.execPath, [join(project, 'node_modules/.bin/rapport'), ...args], { cwd: project }).catch(
    (error) => error,
  );

it('has a command line that goes without the service, and says what does not', async ({ skip }) => {
  skip(noRegistry !== undefined, noRegistry);
  expect((await rapport('--version')).stdout).toBe('0.1.0\n');
  expect((await rapport('--help')).stdout).toContain('Usage: rapport <command>');
  expect((await rapport('mcp', '--help')).stdout).toContain('Usage: rapport mcp [options]');
  expect((await rapport('import', '--nonsense')).stderr).toContain('More: rapport import --help');
  const refused = await rapport('email', 'push', 'nothing.json', '--token', 'x', '--url', 'http://127.0.0.1:1');
  expect(refused.stderr).toContain('There is no file');
  for (const name of ['backup', 'audit'])
    expect((await rapport(name, '--help')).stderr).toContain(`npm run rapport -- ${name}`);
});

it('has its licence and a readme, and no test', async ({ skip }) => {
  skip(noRegistry !== undefined, noRegistry);
  for (const name of ['contract', 'client', 'cli'])
    for (const file of [
      'LICENSE',
      'README.md',
      ...(name === 'cli' ? ['dist/main.js'] : ['src/index.ts', 'dist/index.d.ts']),
    ])
      expect(await readFile(join(project, 'node_modules/@rapport', name, file), 'utf8')).not.toBe('');
  await expect(readFile(join(project, 'node_modules/@rapport/client/src/call.test.ts'))).rejects.toThrow('ENOENT');
});

it('is as small as it needs to be to be downloaded', () => {
  const sizes = Object.fromEntries(packages.map(({ name, size }) => [name, Math.ceil(size / 1000)]));
  console.log(`Packages, in KB: ${JSON.stringify(sizes)}`);
  expect(Object.keys(sizes).sort()).toEqual(['@rapport/cli', '@rapport/client', '@rapport/contract']);
  // The contract has sources, types, maps and the designs to begin with.
  expect(sizes['@rapport/contract']).toBeLessThan(500);
  expect(sizes['@rapport/client']).toBeLessThan(60);
  expect(sizes['@rapport/cli']).toBeLessThan(90);
});

it('adds to a web page what docs/client.md says, and not the whole contract', async ({ skip }) => {
  skip(noRegistry !== undefined, noRegistry);
  const docs = await readFile(join(projectDir, 'docs/client.md'), 'utf8');
  const [, said = ''] = /client, two routes and what they need from TypeBox take (\d+) KB compressed/.exec(docs) ?? [];
  await writeFile(
    join(project, 'page.js'),
    `import { createClient } from '@rapport/client';
import { getContactByEmail, listLists } from '@rapport/contract';
globalThis.page = [createClient, getContactByEmail, listLists];`,
  );
  const built = await rolldown({ input: join(project, 'page.js'), platform: 'browser', logLevel: 'silent' });
  const { output } = await built.generate({ minify: true });
  await built.close();
  const kilobytes = gzipSync(output[0].code, { level: 9 }).length / 1000;
  expect(output).toHaveLength(1);
  await writeFile(join(project, 'bundle.mjs'), output[0].code);
  const inPage = 'await import("./bundle.mjs"); console.log(JSON.stringify(globalThis.page))';
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', inPage], { cwd: project });
  const { getContactByEmail, listLists } = await import('@rapport/contract');
  expect(JSON.parse(stdout).slice(1)).toEqual(JSON.parse(JSON.stringify([getContactByEmail, listLists])));
  // A route grows by a sentence now and then.
  expect(Math.abs(kilobytes - Number(said)), `${kilobytes} KB, not ${said}`).toBeLessThan(1.5);
});
