// The built service as a process of its own: started, watched, stopped, killed, and always cleaned up after.
// Plain JavaScript, because scripts/prove and bench/ run it without a test runner.
import { spawn } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { clusterOf, killProcessesOf } from './postgres-processes.js';

export const projectDir = fileURLToPath(new URL('../../../', import.meta.url));
const main = join(projectDir, 'server/dist/bundle/main.js');

/**
 * @typedef {object} RunOptions
 * @property {string} dataDir
 * @property {Record<string, string>} [env]
 * @property {string[]} [command] Instead of `node server/dist/bundle/main.js`.
 * @property {string[]} [nodeArgs]
 * @property {boolean} [discardOutput] stdout goes nowhere; then `env.PORT` must name the port.
 *
 * @typedef {object} Run
 * @property {number} pid
 * @property {() => string} stdout
 * @property {() => string} stderr
 * @property {Promise<{ code: number | null, signal: NodeJS.Signals | null }>} exited
 * @property {() => boolean} isRunning
 * @property {(signal: NodeJS.Signals) => void} signal
 *
 * @typedef {Run & { url: string, dataDir: string, stop: () => Promise<number | null>, kill: () => Promise<void> }} Service
 */

/** @type {Set<{ kill: () => Promise<void> }>} */
const runs = new Set();
/** @type {Set<string>} */
const dataDirs = new Set();

/** An empty folder that the database's user may enter, removed by `cleanUp`. */
export async function makeDataDir() {
  const dataDir = await mkdtemp(join(tmpdir(), 'rapport-process-'));
  dataDirs.add(dataDir);
  await chmod(dataDir, 0o755);
  return dataDir;
}

/**
 * Something else that `cleanUp` ends.
 * @param {{ kill: () => Promise<void> }} run
 */
export function endWithOthers(run) {
  runs.add(run);
}

/** Ends whatever was started here and still runs, even after a failed test. */
export async function cleanUp() {
  await Promise.all([...runs].map((run) => run.kill().finally(() => runs.delete(run))));
  for (const dataDir of dataDirs) {
    const { base } = await clusterOf(dataDir);
    await killProcessesOf(dataDir);
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    // Root in a closed project folder keeps the cluster elsewhere.
    if (base !== dataDir) await rm(base, { recursive: true, force: true, maxRetries: 5 });
    dataDirs.delete(dataDir);
  }
}

/**
 * Starts the service and waits for nothing.
 * @param {RunOptions} options
 * @returns {Run & { kill: () => Promise<void> }}
 */
export function runService({ dataDir, env = {}, command, nodeArgs = [], discardOutput = false }) {
  const [file, ...args] = command ?? [process.execPath, ...nodeArgs, main];
  // Nothing of the caller's environment but what a process needs to run: HOST or DATABASE_URL set there must not count.
  const { PATH, HOME } = process.env;
  const child = spawn(file ?? '', args, {
    cwd: projectDir,
    env: { PATH, HOME, PORT: '0', DATA_DIR: dataDir, ...env },
    stdio: ['ignore', discardOutput ? 'ignore' : 'pipe', 'pipe'],
    // A group of its own where it has children: cleaning up ends them all.
    detached: command !== undefined,
  });
  const output = { stdout: '', stderr: '' };
  for (const name of /** @type {const} */ (['stdout', 'stderr'])) {
    child[name]?.setEncoding('utf8').on('data', (text) => {
      output[name] += text;
    });
  }
  /** @type {Run['exited']} */
  const exited = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => resolve({ code, signal }));
  });
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const pid = child.pid ?? 0;
  const run = {
    pid,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    exited,
    isRunning,
    /** @param {NodeJS.Signals} signal */
    signal: (signal) => void child.kill(signal),
    kill: async () => {
      if (isRunning()) process.kill(command ? -pid : pid, 'SIGKILL');
      await exited;
    },
  };
  runs.add(run);
  void exited.finally(() => runs.delete(run)).catch(() => undefined);
  return run;
}

/**
 * Starts the service and waits until /readyz says yes.
 * @param {RunOptions} options
 * @returns {Promise<Service>}
 */
export async function startService(options) {
  // Otherwise there is no way to find its address.
  if (options.discardOutput && !options.env?.PORT) throw new Error('Name the PORT of a service that says nothing.');
  const run = runService(options);
  const address = () =>
    options.discardOutput ? `http://127.0.0.1:${options.env?.PORT}` : /ready at (http:\S+)/.exec(run.stdout())?.[1];
  for (;;) {
    if (!run.isRunning()) {
      const { code, signal } = await run.exited;
      throw new Error(`The service ended (${signal ?? code}) before it was ready:\n${run.stdout()}${run.stderr()}`);
    }
    const url = address();
    if (url && (await isReady(url))) return { ...run, url, dataDir: options.dataDir, stop: () => stop(run) };
    await sleep(5);
  }
}

/** @param {string} url */
async function isReady(url) {
  return fetch(`${url}/readyz`).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status === 200;
    },
    () => false,
  );
}

/**
 * SIGTERM, as an operator stops it.
 * @param {Run} run
 */
async function stop(run) {
  run.signal('SIGTERM');
  return (await run.exited).code;
}
