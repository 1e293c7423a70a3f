// The checks of `npm run check` that read sources as text, on a small tree: a clean one passes, and each planted fault is reported with its place.
// Imports are in zones.test.ts.
import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const rooms = ['bench', 'cli', 'client', 'console', 'contract', 'scripts', 'server', 'tools'];
const linked = ['node_modules', 'contract/dist', 'server/migrations'];
const clean = {
  'server/src/features/lists/queries.ts': 'const all = sql`select from static_list join list_member using (list_id)`;',
  'server/src/features/emails/words.ts': "export type Way = 'is' | 'isNot' | 'in';\nexport const ways: Way[] = [];",
  'server/src/features/emails/ways.ts': "import { type Way, ways } from './words.js';\nconst all: Way[] = ways;",
  'console/src/shared/long.ts': 'const line = 1;\n'.repeat(299),
  'console/src/shared/icons.ts':
    'const icons: Record<Provider, Icon> = { postmark: a, ses: b, sendgrid: c, mailgun: d };',
};
let tree: string;

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'rapport-check-'));
  for (const room of rooms) await mkdir(join(tree, room, 'src'), { recursive: true });
  for (const name of linked) await symlink(join(root, name), join(tree, name));
  for (const name of ['check-exports', 'check-grammar', 'check-size', 'check-tables', 'table-owners'])
    await cp(join(root, `scripts/${name}.js`), join(tree, `scripts/${name}.js`));
  await plant({ 'package.json': '{"type": "module"}', 'vitest.config.ts': '', ...clean });
});
afterAll(() => rm(tree, { recursive: true, force: true }));

async function plant(files: Record<string, string>): Promise<void> {
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(tree, file)), { recursive: true });
    await writeFile(join(tree, file), `${text}\n`);
  }
}

/** What a check says about the tree with these files in it. */
async function complaints(check: string, files: Record<string, string>): Promise<{ code: number; lines: string[] }> {
  await plant(files);
  try {
    return await new Promise((done) => {
      execFile(process.execPath, [`scripts/${check}.js`], { cwd: tree }, (error, _, stderr) =>
        done({ code: error ? Number(error.code) : 0, lines: stderr.split('\n').filter(Boolean).sort() }),
      );
    });
  } finally {
    for (const file of Object.keys(files)) await rm(join(tree, file));
  }
}

describe('npm run check', () => {
  it('finds no fault in a clean tree', async () => {
    for (const check of ['check-exports', 'check-grammar', 'check-size', 'check-tables'])
      expect(await complaints(check, {}), check).toEqual({ code: 0, lines: [] });
  });

  it('refuses SQL that names a table of another feature', async () => {
    const file = 'server/src/features/emails/queries.ts';
    const statements = [
      'sql`select from static_list where true`',
      'sql<Row>`select from email e join list_member m on true`',
      'sql`with a as (select 1) delete from contact c using a`',
      'sql`insert into journey (id) values (1)`',
      'sql`update message set state = 1`',
      // Its owner exports the name for reading.
      `sql\`delete from \${contactTable}\``,
      `sql\`select from email where \${sql\`exists (select from topic)\`}\``,
    ];
    const { code, lines } = await complaints('check-tables', { [file]: statements.join(';\n') });
    expect(code).toBe(1);
    expect(lines).toEqual([
      `${file}:1 emails names static_list, a table of lists.`,
      `${file}:2 emails names list_member, a table of lists.`,
      `${file}:3 emails names contact, a table of contacts.`,
      `${file}:4 emails names journey, a table of journeys.`,
      `${file}:5 emails names message, a table of messages.`,
      `${file}:6 emails writes by the name contactTable, which its owner exports for reading.`,
      `${file}:7 emails names topic, a table of consent.`,
    ]);
  });

  it('refuses a second definition of operators, steps or providers, whatever its form', async () => {
    const file = 'server/src/features/emails/second.ts';
    const forms = [
      "const all = ['is', 'isNot', 'in', 'notIn']",
      "type Step = 'sendEmail' | 'delay' | 'branch' | 'split'",
      "const schema = Type.Union([Type.Literal('is'), Type.Literal('lt'), Type.Literal('gt'), Type.Literal('between')])",
      "const rows = [{ name: 'delay' }, { name: 'branch' }, { name: 'split' }, { name: 'webhook' }]",
      "const pairs = [['ses', 1], ['postmark', 2], ['mailgun', 3], ['resend', 4]]",
      "const labels = { is: 'is', isNot: 'is not', lt: '<', gt: '>' }",
      'interface Readers { postmark: A; ses: B; sendgrid: C; mailgun: D }',
    ];
    const { code, lines } = await complaints('check-grammar', { [file]: forms.join(';\n') });
    expect(code).toBe(1);
    const tables = ['operators', 'stepTypes', 'operators', 'stepTypes', 'providerNames', 'operators', 'providerNames'];
    expect(lines).toEqual(
      tables.map((name, i) => `${file}:${i + 1}: a second list of ${name}. Take it from contract/src/grammar/.`),
    );
  });

  it('refuses a file of more than 300 lines, a test too', async () => {
    const long = 'const line = 1;\n'.repeat(300);
    const { code, lines } = await complaints('check-size', {
      'console/src/shared/long.test.tsx': long,
      'server/src/lib/long.ts': long,
    });
    expect(code).toBe(1);
    expect(lines).toEqual([
      'console/src/shared/long.test.tsx has 301 lines; 300 are the most.',
      'server/src/lib/long.ts has 301 lines; 300 are the most.',
    ]);
  });

  it('refuses an export that no other file imports, or that only tests use', async () => {
    const { code, lines } = await complaints('check-exports', {
      'server/src/lib/a.ts': 'export const unused = 1;\nexport const tested = 1;\nexport const used = 1;',
      'server/src/lib/a.test.ts': "import { tested, used } from './a.js';\nexpect(tested).toBe(used);",
      'server/src/lib/b.ts': "import { used } from './a.js';\nconsole.log(used);",
      'console/src/shared/c.tsx': 'export default function C() {}\nexport interface Unused {}',
    });
    expect(code).toBe(1);
    expect(lines).toEqual([
      'console/src/shared/c.tsx:1 exports default, which no other file imports.',
      'console/src/shared/c.tsx:2 exports Unused, which no other file imports.',
      'server/src/lib/a.ts:1 exports unused, which no other file imports.',
      'server/src/lib/a.ts:2 exports tested, which only tests use.',
    ]);
  });
});
