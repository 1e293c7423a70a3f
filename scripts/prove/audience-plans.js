// Every condition with every operator inside `orgMembers`, in worlds of 50, 5,000 and 500,000 contacts, with and without statistics: what the
// statements read is compared with what the world holds. Rows and pages, never time. The suite has a part of it.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export const claim = 'a filter reads what it names a few times at most, whatever PostgreSQL knows of the tables';

/** @param {{ say: (line: string) => void }} options */
export async function prove({ say }) {
  const vitest = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url));
  const args = [vitest, 'run', '--project', 'database', 'filter-language/compile/costs.test.ts'];
  const env = { ...process.env, AUDIENCE_PLANS: 'all', AUDIENCE_SAY: 'yes' };
  const child = spawn(process.execPath, args, { stdio: 'inherit', env });
  const code = await new Promise((resolve) => child.on('close', resolve));
  say(code === 0 ? 'three worlds, with and without statistics' : 'see above');
  return { summary: 'all conditions were compared', problems: code === 0 ? [] : ['a statement reads too much'] };
}
