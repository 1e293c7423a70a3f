// An older build and this one work on one database: this one migrates while the older is running, and every killed process comes back as this one.
// The proofs of contacts and of journeys check that nothing was lost and nothing was done twice.
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectDir } from '../../server/test/process/service.js';
import * as contacts from './contacts.js';
import * as journeys from './journeys.js';

export const claim =
  'nodes are upgraded one after the other without losing or repeating anything (from UPGRADE_FROM; else from the newest tag, else from the commit before)';

const run = promisify(execFile);
const people = 5000;

/** @param {{ rounds: number, seed?: number, say: (line: string) => void }} options */
export async function prove({ rounds, say, seed }) {
  const from = process.env.UPGRADE_FROM ?? (await newestTag()) ?? 'HEAD~1';
  const tree = await mkdtemp(join(tmpdir(), 'rapport-older-'));
  try {
    await build(from, tree);
    const older = [process.execPath, join(tree, 'server/dist/bundle/main.js')];
    say(`built ${from}`);
    const written = await contacts.prove({ rounds, say, older });
    const travelled = await journeys.prove({
      ...{ rounds, contacts: people, say, older },
      ...(seed === undefined ? {} : { seed }),
    });
    return {
      summary: `from ${from}: ${written.summary}; ${travelled.summary}`,
      problems: [...written.problems, ...travelled.problems],
    };
  } finally {
    await rm(tree, { recursive: true, force: true });
  }
}

async function newestTag() {
  const { stdout } = await run('git', ['tag', '--merged', 'HEAD~1', '--sort=-creatordate'], { cwd: projectDir });
  return stdout.split('\n')[0] || undefined;
}

/**
 * @param {string} from
 * @param {string} tree
 */
async function build(from, tree) {
  await chmod(tree, 0o755);
  const archive = join(tree, 'older.tar');
  await run('git', ['archive', `--output=${archive}`, from], { cwd: projectDir });
  await run('tar', ['-xf', archive, '-C', tree]);
  const quiet = { cwd: tree, maxBuffer: 64 * 1024 * 1024 };
  await run('npm', ['ci', '--no-audit', '--no-fund'], quiet);
  await run('npm', ['run', 'build'], quiet);
}
