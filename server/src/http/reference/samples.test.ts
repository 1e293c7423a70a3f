// Examples are promises: each must be a valid program in its language, and must call the operation it belongs to.
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pathsOf, type Route, routes } from '@rapport/contract';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { literal, python, typescript } from './literal.js';
import { samplesOf } from './samples.js';

const baseUrl = 'https://rapport.example';
const all = routes.map((route) => ({ id: route.id, route, samples: samplesOf(route, { baseUrl }) }));
const hasPython = spawnSync('python3', ['--version']).status === 0;

function runPython<T>(program: string, input: unknown): T {
  const { status, stdout, stderr } = spawnSync('python3', ['-c', `import ast, json, sys\n${program}`], {
    input: JSON.stringify(input),
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(status).toBe(0);
  return JSON.parse(stdout) as T;
}

const newestPath = (route: Route) => (pathsOf(route).at(-1) ?? '').replace(/\{.*/, '');

describe('every example', () => {
  it.each(all)('of $id names the operation, its address and its token', ({ id, route, samples }) => {
    const token = route.area === 'admin' ? 'ADMIN_TOKEN' : 'TOKEN';
    expect(samples.curl).toContain(`${baseUrl}${newestPath(route)}`);
    expect(samples.curl).toContain(`Bearer $${token}"`);
    expect(samples.typescript).toContain(`(${id}`);
    expect(samples.typescript).toContain(`process.env.${token} `);
    expect(samples.python).toContain(`"${baseUrl}${newestPath(route)}`);
    expect(samples.python).toContain(`os.environ["${token}"]`);
  });
});

describe('TypeScript', () => {
  // Inside the project, so that the packages are found.
  const dir = fileURLToPath(new URL('../../../dist/samples/', import.meta.url));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  it('compiles against the client, every example of it', { timeout: 180_000 }, () => {
    mkdirSync(dir, { recursive: true });
    for (const { id, samples } of all) writeFileSync(join(dir, `${id}.ts`), samples.typescript);
    const project = {
      extends: '../../../tsconfig.base.json',
      compilerOptions: { noEmit: true, composite: false, declaration: false },
      include: ['*.ts'],
    };
    writeFileSync(join(dir, 'tsconfig.json'), JSON.stringify(project));
    const tsc = createRequire(import.meta.url)
      .resolve('typescript/package.json')
      .replace(/package\.json$/, 'bin/tsc');
    const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', dir], { encoding: 'utf8' });
    expect(stdout).toBe('');
    expect(status).toBe(0);
  });

  it('has values that read back as they were', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.stringify(new Function(`return ${literal(value, typescript)}`)())).toBe(JSON.stringify(value));
      }),
      { examples: [[JSON.parse('{"__proto__": {"a": 1}}')]] },
    );
  });
});

describe.skipIf(!hasPython)('Python', () => {
  it('takes every example', () => {
    const program = 'print(json.dumps([type(ast.parse(text)).__name__ for text in json.load(sys.stdin)]))';
    const parsed = runPython<string[]>(
      program,
      all.map(({ samples }) => samples.python),
    );
    expect(parsed).toHaveLength(all.length);
  });

  it('has values that read back as they were', () => {
    const values = fc.sample(fc.jsonValue(), 200);
    const program = 'print(json.dumps([ast.literal_eval(text) for text in json.load(sys.stdin)]))';
    const read = runPython<unknown[]>(
      program,
      values.map((value) => literal(value, python)),
    );
    // The same text again: JSON does not distinguish 1 and 1.0, and has no minus zero.
    expect(read).toEqual(JSON.parse(JSON.stringify(values)));
  });
});
