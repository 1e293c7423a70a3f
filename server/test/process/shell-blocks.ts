// The shell blocks of the README and the docs, and a shell that runs those of a page as a reader would: pasted one after the other.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectDir } from './service.js';

interface Block {
  /** Such as docs/sending.md:22. */
  place: string;
  text: string;
  /** It needs something that no test has: see CONTRIBUTING.md. */
  isByHand: boolean;
}

export function pages(): string[] {
  const docs = readdirSync(join(projectDir, 'docs'), { recursive: true, encoding: 'utf8' });
  const found = docs.filter((name) => name.endsWith('.md')).map((name) => `docs/${name}`);
  return ['README.md', ...found.sort()];
}

/** The info strings of a page's code fences: the words after the backticks. */
export function fencesOf(page: string): { info: string; place: string; text: string }[] {
  const text = readFileSync(join(projectDir, page), 'utf8');
  return [...text.matchAll(/^( *)```([^\n`]*)\n([\s\S]*?)^\1```$/gm)].map(
    ({ index, 1: indent = '', 2: info = '', 3: held = '' }) => ({
      info: info.trim(),
      place: `${page}:${text.slice(0, index).split('\n').length}`,
      text: held.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
}

export function blocksOf(page: string): Block[] {
  return fencesOf(page)
    .filter(({ info }) => info === 'sh' || info === 'sh by-hand')
    .map(({ info, place, text }) => ({ place, text, isByHand: info !== 'sh' }));
}

// The docs use port 8080; the service under test has another. Responses are checked on the way, and an error ends the page, because a
// loop that waits for something else would run forever.
const curl = `#!/usr/bin/env bash
answer=$(mktemp) headers=$(mktemp)
trap 'rm -f "$answer" "$headers"' EXIT
"$REAL_CURL" --connect-to "127.0.0.1:8080:127.0.0.1:$SERVICE_PORT" --max-time 60 -D "$headers" "$@" >"$answer"
code=$?
cat "$answer"
status=$(sed -n 's/^HTTP[^ ]* \\([0-9]*\\).*/\\1/p' "$headers" | tail -n 1)
[ "$code" = 0 ] && [ "\${status:-0}" -lt 400 ] && ! grep -qE '"meta":\\{"status":"FAILURE"|"errors":\\[[^]]' "$answer" && exit
echo "curl $* ended with $code, the answer is $status $(cat "$answer")" >&2
kill "$PAGE_PID"
exit 22
`;

// npm is called in the project's folder, where the data is. Here that is a folder with the data and what the docs name, and the script that npm
// would start is run directly.
const npm = `#!/usr/bin/env bash
case " $* " in
  *" run"*" rapport -- "*)
    while [ "$1" != -- ]; do shift; done
    shift
    export INIT_CWD=$PWD RAPPORT_URL=http://127.0.0.1:$SERVICE_PORT
    cd "$PROJECT_DIR"
    exec node scripts/rapport.js "$@"
    ;;
esac
echo "npm $* is nothing for a test: mark the block, see CONTRIBUTING.md" >&2
exit 1
`;

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Shell {
  /** Contains `data`, and of the project what the docs name. */
  folder: string;
  /** A folder for the two commands above. */
  bin: string;
  servicePort: string;
  dataDir: string;
  /** What a person who reads along does: gets the output, returns what to type. */
  person?: (said: string) => Promise<string | undefined>;
}

export async function prepareCommands(bin: string): Promise<void> {
  await mkdir(bin, { recursive: true });
  for (const [name, text] of Object.entries({ curl, npm })) {
    await writeFile(join(bin, name), text);
    await chmod(join(bin, name), 0o755);
  }
}

/** Runs the blocks in one new shell. */
export async function runBlocks(blocks: readonly Block[], shell: Shell): Promise<Ended> {
  const script = [
    'set -euo pipefail',
    'export PAGE_PID=$$',
    `trap '[ $? = 0 ] || echo "This is in $BLOCK" >&2' EXIT`,
    "trap 'exit 1' TERM",
    ...blocks.map(({ place, text }) => `BLOCK=${place}\n${text}`),
  ].join('\n');
  const { PATH = '', HOME } = process.env;
  const child = spawn('bash', ['-c', script], {
    cwd: shell.folder,
    env: {
      ...{ PATH: `${shell.bin}:${PATH}`, HOME, DATA_DIR: shell.dataDir, PROJECT_DIR: projectDir },
      ...{ SERVICE_PORT: shell.servicePort, REAL_CURL: which('curl') },
    },
    // In its own process group, so that anything that waits forever ends with it.
    detached: true,
  });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      said[name] += text;
      if (name === 'stdout')
        shell.person?.(said.stdout).then(
          (typed) => typed !== undefined && child.stdin.write(`${typed}\n`),
          (error) => {
            said.stderr += `${error}\n`;
            child.kill();
          },
        );
    });
  const patience = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), 120_000);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject).on('close', resolve);
  });
  clearTimeout(patience);
  return { code, ...said };
}

function which(command: string): string {
  const { PATH = '' } = process.env;
  return (
    PATH.split(':')
      .map((folder) => join(folder, command))
      .find(existsSync) ?? command
  );
}
