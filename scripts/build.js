// Builds what changed since the last time: 0.1 s when nothing did.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

/** Answers the exit code of the compiler, which has said what is wrong. */
export function build() {
  const tsc = createRequire(import.meta.url)
    .resolve('typescript/package.json')
    .replace(/package\.json$/, 'bin/tsc');
  const { status } = spawnSync(process.execPath, [tsc, '-b', 'contract', 'server'], {
    cwd: new URL('..', import.meta.url),
    stdio: 'inherit',
  });
  return status ?? 1;
}
