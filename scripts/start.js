// `npm start`: builds what changed, then becomes the service. One process, so that a signal reaches it.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { build } from './build.js';
import { isConsoleBuilt } from './build-console.js';
import { startService } from './bundle.js';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Rapport needs Node 20.19 or newer; this is ${process.version}.`);
  process.exit(1);
}
const failed = await build();
if (failed) process.exit(failed);
// Returns when the service is ready: only then may the console build use the CPU.
await startService();
if (!isConsoleBuilt()) buildConsoleMeanwhile();

/** The API does not wait for the console, which is ready a few seconds later. */
function buildConsoleMeanwhile() {
  const script = fileURLToPath(new URL('build-console.js', import.meta.url));
  console.error('The console is being built: about 20 seconds. Its page opens by itself as soon as it is there.');
  const child = spawn(process.execPath, [script, '--quiet'], { stdio: ['ignore', 'ignore', 'inherit'] });
  child.on('error', (error) => console.error(`The console is not built: ${error.message}`));
  child.on('exit', (code) => code === 0 && console.error('The console is built.'));
  child.unref();
  process.on('exit', () => child.kill());
}
