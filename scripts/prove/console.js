// Every page of the console is loaded anew, its answers held back until it asks for nothing more: none asks for something only after it got
// something else. The suite tries one page of each kind.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const claim = 'no page of the console waits for one answer to ask for the next';

/** @param {{ say: (line: string) => void }} options */
export async function prove({ say }) {
  const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
  const args = [vitest, 'run', '--project', 'browser', 'server/test/browser/pages.test.ts'];
  const child = spawn(process.execPath, args, { stdio: 'inherit', env: { ...process.env, EVERY_PAGE: 'yes' } });
  const code = await new Promise((resolve) => child.on('close', resolve));
  say(code === 0 ? 'every page asks for all it shows at once' : 'see above');
  return { summary: 'every page was loaded', problems: code === 0 ? [] : ['a page asks later, or has a fault'] };
}
