// Runs the tests of `npm test`, or with the names of other sets (`rest`, `alone`, `browser-rest`) those that only CI runs on every commit:
// CONTRIBUTING.md says which and why. Other arguments are passed to vitest.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));

// Streams run in parallel, the runs of a stream one after the other. The last run has the machine to itself, because it measures time.
const sets = {
  main: {
    streams: [[of('database', 'client', 'console')], [of('process'), twoAtATime(of('browser'))]],
    alone: [],
  },
  rest: { streams: [[of('endurance'), of('delivery')], [of('document')]], alone: [] },
  alone: { streams: [], alone: [of('hostile')] },
  'browser-rest': { streams: [[twoAtATime(of('browser-rest'))]], alone: [] },
};

// A project that is in no run would never be tested.
const config = readFileSync(new URL('../vitest.config.ts', import.meta.url), 'utf8');
const inRuns = JSON.stringify(sets);
for (const [, name] of config.matchAll(/name: '([^']+)'/g))
  if (!inRuns.includes(`"${name}"`)) throw new Error(`scripts/test.js has no run for the project ${name}.`);

const args = process.argv.slice(2);
let failed = 0;
const named = args.filter((arg) => Object.hasOwn(sets, arg));
if (named.length < args.length) await run(args, 'inherit');
else for (const name of named.length > 0 ? named : ['main']) await runSet(sets[name]);
process.exitCode = failed;

/** @param {{ streams: string[][][], alone: string[][] }} set */
async function runSet({ streams, alone }) {
  // One stream writes to the terminal. The output of the others is shown when one of their runs ends.
  await Promise.all(streams.map((runs, at) => inTurn(runs, at === 0 ? 'inherit' : 'pipe')));
  await inTurn(alone, 'inherit');
}

/**
 * @param {string[][]} runs
 * @param {'inherit' | 'pipe'} output
 */
async function inTurn(runs, output) {
  for (const options of runs) await run(options, output);
}

/** @param {string[]} projects */
function of(...projects) {
  return projects.flatMap((project) => ['--project', project]);
}

/** @param {string[]} options */
function twoAtATime(options) {
  return [...options, '--maxWorkers', '2'];
}

/**
 * @param {string[]} options
 * @param {'inherit' | 'pipe'} output
 */
async function run(options, output) {
  /** @type {Buffer[]} */
  const said = [];
  const child = spawn(process.execPath, [vitest, 'run', ...options], { stdio: ['ignore', output, output] });
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => said.push(chunk));
  // Ctrl+C reaches them all by itself: they are in one process group.
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  /** @type {number} */
  const code = await new Promise((resolve) => {
    child.on('error', () => resolve(1));
    child.on('close', (code) => resolve(code ?? 1));
  });
  for (const chunk of said) process.stdout.write(chunk);
  failed ||= code;
}
