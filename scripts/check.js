// `npm run check`: everything that can be checked without running the code. Stops at the first failure.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

const root = new URL('..', import.meta.url);
const { resolve } = createRequire(import.meta.url);
const tsc = resolve('typescript/package.json').replace(/package\.json$/, 'bin/tsc');
const biome = resolve('@biomejs/biome/package.json').replace(/package\.json$/, 'bin/biome');

const steps = [
  ['types', tsc, '-b', 'contract', 'client', 'server', 'cli'],
  ['types of console', tsc, '-p', 'console'],
  // The client again, with Node's types instead of a browser's: it must compile with either.
  ['types of tests', tsc, '-p', 'server/tsconfig.test.json'],
  ['zones', 'scripts/write-zones.js', '--check'],
  ['tables', 'scripts/check-tables.js'],
  ['exports', 'scripts/check-exports.js'],
  ['size of files', 'scripts/check-size.js'],
  [
    'lint and format',
    biome,
    'ci',
    '--diagnostic-level=error',
    `--colors=${process.stderr.isTTY ? 'force' : 'off'}`,
    '.',
  ],
  ['grammar', 'scripts/check-grammar.js'],
  ['openapi.json', 'scripts/write-openapi.js', '--check'],
];

for (const [name, ...command] of steps) {
  const start = performance.now();
  const { status, error, stdout, stderr } = spawnSync(process.execPath, command, { cwd: root, encoding: 'utf8' });
  const took = `${((performance.now() - start) / 1000).toFixed(1)} s`;
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name.padEnd(16)} ${took}`);
  if (status !== 0) {
    process.stderr.write(`${error ? `${error.message}\n` : ''}${stdout}${stderr}`);
    process.exit(1);
  }
}
