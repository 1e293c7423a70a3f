// `npm start`: builds what changed, then becomes the service. One process, so that a signal reaches it.
import { build } from './build.js';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Rapport needs Node 20.19 or newer; this is ${process.version}.`);
  process.exit(1);
}
const failed = build();
if (failed) process.exit(failed);
await import('../server/dist/main.js');
