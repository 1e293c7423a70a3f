import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../bench/free-port.js';
import { cleanUp, makeDataDir, projectDir, type Service, startService } from './service.js';
import { callJson, makeTenant } from './tenant.js';

let service: Service;
let token: string;
let folder: string;

beforeAll(async () => {
  folder = await makeDataDir();
  service = await startService({ dataDir: await makeDataDir(), env: { DEMO: 'on' } });
  ({ token } = await makeTenant(service));
});
afterAll(cleanUp);

interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** `rapport import`, run in the folder of the test. */
function importFile(args: string[], { env = {}, input = '' }: { env?: Record<string, string>; input?: string } = {}) {
  const { PATH } = process.env;
  const given = { PATH, INIT_CWD: folder, RAPPORT_URL: service.url, RAPPORT_TOKEN: token, ...env };
  return new Promise<Ended>((resolve) => {
    const command = [join(projectDir, 'scripts/rapport.js'), 'import', ...args];
    const child = execFile(process.execPath, command, { env: given, cwd: projectDir }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}

async function save(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return name;
}

describe('npm run rapport -- import', () => {
  it('sends a file, shows its progress as lines, and tells the outcome', async () => {
    const file = await save('good.csv', 'email,first_name\nada@example.com,Ada\nalan@example.com,Alan\n');
    const { code, stdout, stderr } = await importFile([file]);
    expect(stdout).toBe('2 created, 0 updated, 0 unchanged, 0 failed\n');
    // After half a second it also reports the speed.
    expect(stderr).toMatch(
      /^Uploading +100 % {2}0\.0 MB of 0\.0 MB(, [\d.]+ MB\/s)?\n(Applying .*\n)*Applying +100 % {2}2 rows of 2 rows/m,
    );
    expect(code).toBe(0);
    const { body } = await callJson(`${service.url}/v2/contacts/by-email/ada@example.com`, { token });
    expect(body.data.properties).toEqual({ first_name: 'Ada' });
  });

  it('saves the failed rows beside the file', async () => {
    const lines = [
      '{"email":"a@example.com","properties":{"Seats":1}}',
      ...Array.from({ length: 7 }, () => '{"email":"bad"}'),
    ];
    const { code, stdout } = await importFile([await save('some.ndjson', lines.join('\n'))]);
    expect(code).toBe(2);
    expect(stdout).toContain('1 created, 0 updated, 0 unchanged, 7 failed');
    expect(stdout).toContain('snake_case: Seats');
    const failed = (line: number) => `{"_error":"line ${line}: email must be an email address.","email":"bad"}\n`;
    expect(stdout).toContain(`  ${failed(2)}`);
    expect(stdout).toContain('  and 2 more\n');
    const lost = [2, 3, 4, 5, 6, 7, 8].map(failed).join('');
    expect(await readFile(join(folder, 'some.errors.ndjson'), 'utf8')).toBe(lost);
  });

  it('reads standard input, and the demo token of DATA_DIR', async () => {
    const env = { RAPPORT_TOKEN: '', DATA_DIR: service.dataDir };
    const { code, stdout } = await importFile(['-', '--type', 'csv'], { env, input: 'email\nin@example.com\n' });
    expect([code, stdout]).toEqual([0, '1 created, 0 updated, 0 unchanged, 0 failed\n']);
  });

  it('reads a pipe that has a name, as a shell makes one of <(…)', async () => {
    const args = ['/dev/stdin', '--type', 'csv'];
    const { PATH } = process.env;
    const env = { PATH, INIT_CWD: folder, RAPPORT_URL: service.url, RAPPORT_TOKEN: token };
    const line = `printf 'email\\npiped@example.com\\n' | "$0" "$@"`;
    const command = ['-c', line, process.execPath, 'scripts/rapport.js', 'import', ...args];
    const ended = await new Promise<Ended>((resolve) => {
      execFile('sh', command, { env, cwd: projectDir }, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
      );
    });
    expect(ended).toMatchObject({ code: 0, stdout: '1 created, 0 updated, 0 unchanged, 0 failed\n' });
  });

  it('tells that rows failed even when it cannot save them: the others are imported', async () => {
    const file = await save('half.csv', 'email\nhalf@example.com\nbad\n');
    const { code, stdout, stderr } = await importFile([file, '--errors', 'no-such-folder/errors.csv']);
    expect(stdout).toContain('1 created, 0 updated, 0 unchanged, 1 failed');
    expect(stderr).toContain('The failed rows cannot be written');
    expect(code).toBe(2);
  });

  it('runs to its end when its output is not read', async () => {
    const file = await save('unread.csv', 'email\nunread@example.com\nbad\n');
    const { PATH } = process.env;
    const env = { PATH, INIT_CWD: folder, RAPPORT_URL: service.url, RAPPORT_TOKEN: token };
    const child = spawn(process.execPath, ['scripts/rapport.js', 'import', file], { env, cwd: projectDir });
    child.stdout.destroy();
    child.stderr.destroy();
    expect(await once(child, 'exit')).toEqual([2, null]);
    expect(await readFile(join(folder, 'unread.errors.csv'), 'utf8')).toContain('bad');
  });

  it('says what to do when it cannot go on', async () => {
    const file = await save('broken.csv', 'email,a\na@example.com,1\nb@example.com,"2\n');
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const cases: [string[], string | RegExp][] = [
      [[file], /Line 3 opens a quoted cell that is never closed\..*\nNothing was imported\. Correct the file/],
      [['none.csv'], `There is no file ${join(folder, 'none.csv')}.`],
      [[folder, '--type', 'csv'], 'is a folder'],
      [[file, '--token', ''], '--token is empty'],
      [['-'], 'Say it with --type csv or --type ndjson.'],
      [[file, '--token', 'rpt_pat_wrong'], 'does not know this token'],
      [[file, '--url', nobody], `No service answers at ${nobody}. Start one with npm start, or name it with --url or`],
      [[file, '--url', 'http://127.0.0.1:1'], 'Port 1 in http://127.0.0.1:1 is one that no web service is asked at.'],
      [[file, '--url', 'http://127.0.0.1:99999'], '"http://127.0.0.1:99999" is not an address such as http://127'],
      [[file, '--nonsense'], 'Usage: npm run rapport -- import'],
      [[], 'Usage: npm run rapport -- import'],
    ];
    for (const [args, message] of cases) {
      const { code, stderr } = await importFile(args);
      expect(stderr).toMatch(message);
      expect(stderr).not.toContain('    at ');
      expect(code).toBe(1);
    }
    expect((await importFile(['--help'])).stdout).toContain('--token');
  });
});
