// Builds what changed since the last time: 10 ms if nothing did, 3 s on a fresh clone. Types are not checked here, which
// would take 8 s: `npm run build` and `npm run check` do that. Run as a program, it bundles the output of an earlier compiler run.
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, isBundled } from './bundle.js';
import { step } from './say-steps.js';
import { root, sourcesHash } from './sources.js';

const projects = ['contract', 'client', 'server', 'cli'];
const inputs = [
  ...projects.flatMap((project) => [`${project}/src`, `${project}/tsconfig.json`]),
  'tsconfig.base.json',
  'package-lock.json',
  'scripts/bundle.js',
  'scripts/launch.js',
];
// The last output of the compiler, whichever script called it.
const outputs = projects.map((project) => `${project}/dist/.tsbuildinfo`);
const stamp = join(root, 'server/dist/.sources');

/** @param {string} sources */
function stateOf(sources) {
  return `${sources} ${sourcesHash(outputs)}`;
}

/**
 * Returns the exit code of the compiler, which has reported any errors. A tree that this user may not write to runs as it was built: in a container
 * it belongs to root.
 */
export async function build() {
  const sources = sourcesHash(inputs);
  if (isBuilt(sources)) return 0;
  if (!isWritable()) {
    if (existsSync(join(root, 'server/dist/main.js')) && existsSync(join(root, 'cli/dist/main.js'))) return 0;
    console.error(
      `Rapport is not built, and this user may not write to ${root}. Run \`npm run build\` there as its owner.`,
    );
    return 1;
  }
  console.error('Building Rapport, once for these sources: about 15 seconds.');
  const code = await step('compiling', compile);
  if (code !== 0) return code;
  if (!isBundled(sources)) await step('bundling the service', () => bundle(sources));
  remember(sources);
  return 0;
}

/** @param {string} sources */
function isBuilt(sources) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === stateOf(sources) && isBundled(sources);
}

/** Whether the compiler could write its output. */
function isWritable() {
  try {
    for (const project of projects) {
      const dist = join(root, project, 'dist');
      accessSync(existsSync(dist) ? dist : join(root, project), constants.W_OK);
    }
    return true;
  } catch {
    return false;
  }
}

/** @returns {Promise<number>} */
function compile() {
  const tsc = createRequire(import.meta.url)
    .resolve('typescript/package.json')
    .replace(/package\.json$/, 'bin/tsc');
  const child = spawn(process.execPath, [tsc, '-b', '--noCheck', ...projects], { cwd: root, stdio: 'inherit' });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** @param {string} sources */
function remember(sources) {
  writeFileSync(stamp, stateOf(sources));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sources = sourcesHash(inputs);
  if (!isBundled(sources)) await bundle(sources);
  remember(sources);
}
