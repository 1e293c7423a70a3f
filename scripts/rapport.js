// `npm run rapport -- <command>`: builds what changed, if it may write, then becomes the command line.
import { build } from './build.js';

const failed = await build();
if (failed) process.exit(failed);
await import('../cli/dist/main.js');
