// A copy of the source tree with the linter's real settings, in which files may break its rules.
import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');

interface Finding {
  file: string;
  line: number;
  rule: string;
  message: string;
}

export function useHouse() {
  const files = new Map<string, string[]>();
  const findings: Finding[] = [];

  /** Registers a file; its lines are linted with all others in one run. Returns the lines that were refused, by `rule`. */
  function house(file: string, lines: string[]): (rule?: string) => string[] {
    files.set(file, lines);
    return (rule = 'lint/style/noRestrictedImports') => {
      const refused = findings.filter((each) => each.file === file && each.rule === rule).map((each) => each.line);
      return [...new Set(refused)].sort((a, b) => a - b).map((line) => lines[line - 1] as string);
    };
  }

  let dir = '';
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'rapport-zones-'));
    await cp(join(root, 'biome.json'), join(dir, 'biome.json'));
    await cp(join(root, 'tools/biome'), join(dir, 'tools/biome'), { recursive: true });
    for (const [file, lines] of files) {
      await mkdir(dirname(join(dir, file)), { recursive: true });
      await writeFile(join(dir, file), `${lines.join('\n')}\n`);
    }
    findings.push(...lint());
    // The linter takes seconds on a free machine, and minutes on one that is busy with everything else.
  }, 600_000);
  afterAll(() => rm(dir, { recursive: true, force: true }));

  function lint(): Finding[] {
    const options = ['lint', '--reporter=github', '--max-diagnostics=none', '--diagnostic-level=error', '.'];
    const { stdout } = spawnSync(join(root, 'node_modules/.bin/biome'), options, { cwd: dir, encoding: 'utf8' });
    return [...stdout.matchAll(/^::error title=(.*?),file=(.*?),line=(\d+),.*?::(.*)$/gm)].map(
      ([, rule = '', file = '', line, message = '']) => ({
        rule,
        file: file.slice(file.indexOf(dir) + dir.length + 1),
        line: Number(line),
        message,
      }),
    );
  }

  return { files, house, findings };
}
