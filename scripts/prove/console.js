// The long form of what the suite checks on some pages of the console: each is loaded with its responses held back, to show whether
// it requests something only after it received something else; axe-core checks each at both widths and in both colour schemes; each is walked
// with Tab; a viewer presses every button; and every kind of page fails in every way.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const claim =
  'every page of the console can be read by everybody, waits for no answer to ask for the next, and comes back from failures';

const files = ['failing-pages', 'pages', 'phone-pages', 'tab-order', 'viewer'];

/** @param {{ say: (line: string) => void }} options */
export async function prove({ say }) {
  const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
  const args = [vitest, 'run', '--maxWorkers', '2', ...files.map((name) => `server/test/browser/${name}.test.ts`)];
  const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, EVERY_PAGE: 'yes' } });
  const code = await new Promise((resolve) => child.on('close', resolve));
  say(code === 0 ? 'every page asks for all it shows at once' : 'see above');
  return { summary: 'every page was loaded', problems: code === 0 ? [] : ['a page asks later, or has a fault'] };
}
