// Clients generated from the document that the service serves, by two generators: they compile, and their calls work.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useApp } from '../app.js';
import { makeEmail, tenantWithDomain } from '../emails.js';

const here = createRequire(import.meta.url);
const generators = createRequire(new URL('../../../tools/generators/package.json', import.meta.url));
const folderOf = (require: NodeJS.Require, name: string) => dirname(require.resolve(`${name}/package.json`));
const tsc = join(folderOf(here, 'typescript'), 'bin/tsc');

const t = useApp({ work: true });
let baseUrl = '';
let root = '';

beforeAll(async () => {
  await t.app.http.listen({ host: '127.0.0.1', port: 0 });
  baseUrl = `http://127.0.0.1:${(t.app.http.server.address() as AddressInfo).port}`;
  root = await mkdtemp(join(tmpdir(), 'rapport-clients-'));
  const document = await fetch(`${baseUrl}/openapi/v2.json`);
  await writeFile(join(root, 'v2.json'), await document.text());
});
afterAll(() => rm(root, { recursive: true, force: true }));

const openapiTypescript = join(folderOf(generators, 'openapi-typescript'), 'bin/cli.js');
const heyApi = join(folderOf(generators, '@hey-api/openapi-ts'), 'bin/run.js');

describe.each([
  { name: 'openapi-fetch', generate: [openapiTypescript, '../v2.json', '-o', 'schema.ts'] },
  { name: 'hey-api', generate: [heyApi, '-i', '../v2.json', '-o', 'generated', '--no-log-file', '--silent'] },
])('a client generated for $name', ({ name, generate }) => {
  it('compiles, and its calls are answered with what their types promise', { timeout: 120_000 }, async () => {
    const folder = await makePackage(name);
    await node(folder, ...generate);
    await node(folder, tsc, '-p', '.');
    const tenant = await tenantWithDomain(t);
    const emailId = await makeEmail(tenant);
    const script = `import { run } from './out/calls.js';
      console.log(JSON.stringify(await run(...process.argv.slice(1))));`;
    const said = await node(folder, '--input-type=module', '-e', script, baseUrl, tenant.token, emailId);
    expect(JSON.parse(said)).toEqual(answers);
  });
});

const answers = {
  list: ['Beta testers', 'static', 0, 'SUCCESS'],
  taken: 'LIST_ALREADY_EXISTS',
  batch: ['PENDING', ['CREATED', 'FAILED']],
  added: [{ added: 1, alreadyMembers: 0 }, ['CONTACTS_NOT_FOUND']],
  events: [[{ eventId: 'e-1', status: 'STORED' }], ['signed_up'], 5],
  lists: [1, [1]],
  versions: ['stored', 'rejected'],
  arrivals: ['rejected'],
  deleted: true,
  gone: [404, 'NOT_FOUND', 'FAILURE'],
};

async function makePackage(name: string): Promise<string> {
  const folder = join(root, name);
  await mkdir(join(folder, 'node_modules'), { recursive: true });
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name, private: true, type: 'module' }));
  const compilerOptions = {
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.iterable'],
    module: 'nodenext',
    strict: true,
    types: [],
    rootDir: '.',
    outDir: 'out',
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts', 'generated'] }));
  await cp(new URL(`calls/${name}.ts`, import.meta.url), join(folder, 'calls.ts'));
  const library = dirname(dirname(generators.resolve('openapi-fetch')));
  await symlink(library, join(folder, 'node_modules/openapi-fetch'), 'junction');
  return folder;
}

async function node(cwd: string, ...args: string[]): Promise<string> {
  try {
    return (await promisify(execFile)(process.execPath, args, { cwd })).stdout;
  } catch (error) {
    const { message, stdout = '' } = error as Error & { stdout?: string };
    throw new Error(`${message}\n${stdout}`);
  }
}
