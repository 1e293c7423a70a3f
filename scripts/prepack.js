// `npm pack` of contract, client and cli: builds what goes in, and adds the licence, which npm looks for only beside package.json.
import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { root } from './sources.js';

copyFileSync(join(root, 'LICENSE'), join(process.cwd(), 'LICENSE'));
const tsc = createRequire(import.meta.url)
  .resolve('typescript/package.json')
  .replace(/package\.json$/, 'bin/tsc');
// Its output must not mix with what `npm pack --json` prints.
const { status } = spawnSync(process.execPath, [tsc, '-b'], { stdio: ['ignore', 2, 2] });
process.exitCode = status ?? 1;
