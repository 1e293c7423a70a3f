// Runs the tests. All of them: those of whole processes and of the browser go one at a time and often wait, so they run beside the others. What
// measures how long a neighbour waits comes last, alone: beside the others it would measure them.
// With arguments: what vitest makes of them.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url));
const others = ['database', 'client', 'console'];
// In the browser these take about as long as all others together.
const half = ['failing-pages', 'hostile-preview', 'pages', 'why'].map((name) => `${name}.test.ts`);
const folder = new URL('../server/test/browser/', import.meta.url);
const [ones, rest] = [true, false].map((isOne) =>
  readdirSync(folder).filter((name) => name.endsWith('.test.ts') && half.includes(name) === isOne),
);
// What is in one of these goes one after the other.
const beside = [
  [named(['process']), inBrowser(ones)],
  [named(['endurance']), inBrowser(rest)],
];
const alone = ['hostile'];

const args = process.argv.slice(2);
let failed = 0;
if (args.length > 0) await all([run(args, 'inherit')]);
else {
  await Promise.all([all([run(named(others), 'inherit')]), ...beside.map(inTurn)]);
  await all([run(named(alone), 'inherit')]);
}
process.exitCode = failed;

/** @param {string[][]} runs */
async function inTurn(runs) {
  for (const options of runs) await all([run(options, 'pipe')]);
}

/** @param {ReturnType<typeof run>[]} runs */
async function all(runs) {
  for (const { ended, said } of runs) {
    const code = await ended;
    for (const chunk of said) process.stdout.write(chunk);
    failed ||= code;
  }
}

/** @param {string[]} files Whatever of them is in the suite. */
function inBrowser(files) {
  return [...named(['browser']), ...files.map((name) => `server/test/browser/${name}`)];
}

/** @param {string[]} projects */
function named(projects) {
  return projects.flatMap((project) => ['--project', project]);
}

/**
 * One at a time is on the terminal; what the others say is shown after it.
 * @param {string[]} options
 * @param {'inherit' | 'pipe'} output
 */
function run(options, output) {
  /** @type {Buffer[]} */
  const said = [];
  const child = spawn(process.execPath, [vitest, 'run', ...options], { stdio: ['ignore', output, output] });
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => said.push(chunk));
  // Whoever interrupts this interrupts all: they are in one group of processes.
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  /** @type {Promise<number>} */
  const ended = new Promise((resolve) => {
    child.on('error', () => resolve(1));
    child.on('close', (code) => resolve(code ?? 1));
  });
  return { ended, said };
}
