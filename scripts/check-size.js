// A file has at most 300 lines, tests included: a longer one is about more than one thing.
import { readdirSync, readFileSync } from 'node:fs';

const root = new URL('..', import.meta.url);
const most = 300;

const faults = ['bench', 'cli', 'client', 'console', 'contract', 'scripts', 'server', 'tools']
  .flatMap((room) => readdirSync(new URL(room, root), { recursive: true }).map((name) => `${room}/${name}`))
  .filter((file) => /\.(?:tsx?|js|css)$/.test(file) && !/\/(?:dist|node_modules)\//.test(file))
  .map((file) => ({ file, lines: readFileSync(new URL(file, root), 'utf8').split('\n').length - 1 }))
  .filter(({ lines }) => lines > most);
for (const { file, lines } of faults) console.error(`${file} has ${lines} lines; ${most} are the most.`);
if (faults.length > 0) process.exitCode = 1;
