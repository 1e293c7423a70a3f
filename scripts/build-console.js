// Builds the console if its sources have changed since the last build. A browser may be loading it
// meanwhile: everything is built beside the old files, then moved over them, the page that names them last.
// Run as a program it exits with 0 if the console is up to date, and otherwise says why it cannot be.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { root, sourcesHash } from './sources.js';

const consoleDir = join(root, 'console');
const dist = join(consoleDir, 'dist');
const stamp = join(dist, 'sources');
const inputs = [
  'console/src',
  'console/build',
  'console/index.html',
  'console/vite.config.ts',
  'client/src',
  'contract/src',
  'package-lock.json',
];

export function isConsoleBuilt() {
  return (
    existsSync(stamp) && existsSync(join(dist, 'index.html')) && readFileSync(stamp, 'utf8') === sourcesHash(inputs)
  );
}

async function buildConsole({ quiet = false } = {}) {
  if (isConsoleBuilt()) return;
  const sources = sourcesHash(inputs);
  const { build } = await import('vite');
  const next = join(dist, `next-${process.pid}`);
  mkdirSync(next, { recursive: true });
  removeAbandoned();
  try {
    await build({
      root: consoleDir,
      logLevel: quiet ? 'warn' : 'info',
      build: { outDir: next, emptyOutDir: true },
    });
    for (const name of readdirSync(join(next, 'assets'))) compress(join(next, 'assets', name));
    publish(next, sources);
  } finally {
    rmSync(next, { recursive: true, force: true });
  }
}

/** Leftovers of a build that was killed. */
function removeAbandoned() {
  for (const name of readdirSync(dist)) {
    const pid = Number(/^next-(\d+)$/.exec(name)?.[1]);
    if (pid && pid !== process.pid && !isRunning(pid)) rmSync(join(dist, name), { recursive: true, force: true });
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function compress(file) {
  if (/\.(js|css|svg)$/.test(file)) writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
}

function publish(next, sources) {
  const assets = join(dist, 'assets');
  const old = existsSync(assets) ? readdirSync(assets) : [];
  const made = readdirSync(join(next, 'assets'));
  cpSync(join(next, 'assets'), assets, { recursive: true });
  renameSync(join(next, 'index.html'), join(dist, 'index.html'));
  for (const name of old) if (!made.includes(name)) rmSync(join(assets, name), { force: true });
  writeFileSync(stamp, sources);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const quiet = process.argv.includes('--quiet');
  try {
    await buildConsole({ quiet });
  } catch (error) {
    // A tree that cannot be written to keeps what it has, which may already be a console.
    const kept = existsSync(join(dist, 'index.html'))
      ? 'The console stays as it was built before'
      : 'There is no console';
    console.error(`${kept}: it could not be built. ${error.message}`);
    process.exitCode = 1;
  }
}
