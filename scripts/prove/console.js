// Every page of the console is loaded anew, its answers held back until it asks for nothing more: none asks for something only after it got
// something else. axe-core looks at each at both widths and in both colours, and each kind of page fails in each way. Then all other tests of the console. The suite has a short form.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const claim =
  'every page of the console can be read by everybody, waits for no answer to ask for the next, and comes back from failures';

/** @param {{ say: (line: string) => void }} options */
export async function prove({ say }) {
  const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
  const args = [vitest, 'run', '--project', 'browser', '--project', 'browser-more'];
  const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, EVERY_PAGE: 'yes' } });
  const code = await new Promise((resolve) => child.on('close', resolve));
  say(code === 0 ? 'every page asks for all it shows at once' : 'see above');
  return { summary: 'every page was loaded', problems: code === 0 ? [] : ['a page asks later, or has a fault'] };
}
