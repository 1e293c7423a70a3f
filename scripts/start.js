// `npm start`: builds what changed, then becomes the service. One process, so that a signal reaches it.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Rapport needs Node 20.19 or newer; this is ${process.version}.`);
  process.exit(1);
}
const tsc = createRequire(import.meta.url)
  .resolve('typescript/package.json')
  .replace(/package\.json$/, 'bin/tsc');
const built = spawnSync(process.execPath, [tsc, '-b', 'contract', 'server'], {
  cwd: new URL('..', import.meta.url),
  stdio: 'inherit',
});
if (built.status !== 0) process.exit(built.status ?? 1);
await import('../server/dist/main.js');
