// Proves the walls: files that break each rule, in a copy of the house with the linter's real settings.
import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');

// Said in full here, so that a slip in the table of scripts/write-zones.js shows.
const features = {
  stats:
    'journeys messages email-versions emails contact-activity dynamic-lists lists events users organizations contacts transactions folders sending tenants idempotency',
  journeys:
    'messages email-versions emails contact-activity dynamic-lists lists events users organizations contacts transactions folders sending tenants idempotency',
  'dynamic-lists': 'lists events users organizations contacts transactions folders tenants idempotency',
  messages:
    'email-versions emails contact-activity dynamic-lists lists events users organizations contacts transactions folders sending tenants idempotency',
  ingest: 'events users organizations contacts transactions folders tenants idempotency',
  'contact-activity': 'events users organizations contacts transactions folders tenants idempotency',
  'email-versions': 'emails contacts transactions folders sending tenants idempotency',
  emails: 'contacts transactions folders sending tenants idempotency',
  lists: 'users organizations contacts transactions folders tenants idempotency',
  events: 'users organizations contacts transactions folders tenants idempotency',
  users: 'organizations contacts transactions folders tenants idempotency',
  organizations: 'contacts transactions folders tenants idempotency',
  contacts: 'transactions folders tenants idempotency',
  transactions: 'folders tenants idempotency',
  folders: 'tenants idempotency',
  sending: 'tenants idempotency',
  tenants: 'idempotency',
  operations: 'tenants idempotency',
  idempotency: '',
};
const rooms = {
  lib: '',
  db: 'lib',
  mail: 'lib',
  work: 'db lib',
  http: 'contract lib',
  demo: 'client contract db lib features',
};
const usedByFeatures = ['contract', 'db', 'http', 'lib', 'mail', 'work'];

const roomNames = [...Object.keys(rooms), 'client', 'contract'];
const featureNames = Object.keys(features);

/** What each room of ours is imported as from server/src/<room>/ (`up` is one step more for features). */
function source(target: string, up: string): string {
  if (target === 'client' || target === 'contract') return `@rapport/${target}`;
  return featureNames.includes(target) ? `${up}features/${target}/index.js` : `${up}${target}/some-file.js`;
}

interface Finding {
  file: string;
  line: number;
  rule: string;
  message: string;
}

const files = new Map<string, string[]>();
let findings: Finding[] = [];

/** Registers a file; its lines are linted with all others in one run. Answers the lines that were refused, by `rule`. */
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
  findings = lint();
});
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

describe('rooms', () => {
  for (const [room, uses] of Object.entries(rooms)) {
    const others = [...roomNames, ...featureNames].filter((name) => name !== room);
    const refused = house(
      `server/src/${room}/import-all.ts`,
      others.map((name) => `import '${source(name, '../')}';`),
    );
    const isOpen = (name: string) => uses.split(' ').includes(featureNames.includes(name) ? 'features' : name);
    const expected = others.filter((name) => !isOpen(name)).map((name) => `import '${source(name, '../')}';`);
    test(`${room} imports ${uses || 'nothing'} and nothing else`, () => expect(refused()).toEqual(expected));
  }

  const nested = house('server/src/http/reference/nested.ts', [
    "import '../envelope.js';",
    "import '../../lib/text.js';",
    "import '../../db/connect.js';",
    "export { pool } from '../../db/connect.js';",
    "import type { Database } from '../../db/connect.js';",
    "export const later = import('../../db/connect.js');",
  ]);
  test('a folder inside a room has the walls of the room, however a thing is imported', () =>
    expect(nested()).toEqual(files.get('server/src/http/reference/nested.ts')?.slice(2)));

  const hidden = house('server/src/http/hidden.ts', [
    'export const later = import(`../db/connect.js`);',
    "export type Pool = import('../db/connect.js').Pool;",
    "export const plain = import('./envelope.js');",
  ]);
  test('an import that the zones cannot read is refused', () =>
    expect(hidden('plugin')).toEqual(files.get('server/src/http/hidden.ts')?.slice(0, 2)));
});

describe('features', () => {
  for (const [feature, lower] of Object.entries(features)) {
    const others = [...roomNames, ...featureNames].filter((name) => name !== feature);
    const line = (name: string) => `import '${source(name, '../../')}';`;
    const insides = featureNames.filter((name) => name !== feature).map((name) => `import '../${name}/queries.js';`);
    const refused = house(`server/src/features/${feature}/import-all.ts`, [...others.map(line), ...insides]);
    const open = [...usedByFeatures, ...lower.split(' ')];
    const expected = [...others.filter((name) => !open.includes(name)).map(line), ...insides];
    test(`${feature} imports the index.js of ${lower || 'no feature'}, and every room but demo`, () =>
      expect(refused()).toEqual(expected));
  }

  const doors = house('server/src/features/lists/doors.ts', [
    "import '../folders/index.js';",
    "import './queries.js';",
    "import '../folders/queries.js';",
    "import '../../features/tenants/create-tenant.js';",
    "import '../journeys/index.js';",
  ]);
  test('a feature is entered through its index.js', () =>
    expect(doors()).toEqual(files.get('server/src/features/lists/doors.ts')?.slice(2)));

  const demo = house('server/src/demo/doors.ts', [
    "import '../features/lists/index.js';",
    "import '../features/lists/queries.js';",
  ]);
  test('the demo enters features through their index.js too', () =>
    expect(demo()).toEqual(["import '../features/lists/queries.js';"]));
});

describe('app.ts, main.ts and tests', () => {
  const everything = ['app', 'assemble', 'main', 'operator', 'config', 'banner'].map(
    (name) => `import '../${name}.js';`,
  );
  for (const room of Object.keys(rooms)) {
    const refused = house(`server/src/${room}/import-roots.ts`, everything);
    test(`${room} imports none of app, assemble, main, operator, config, banner`, () =>
      expect(refused()).toEqual(everything));
  }
  const up = everything.map((line) => line.replace('../', '../../'));
  const feature = house('server/src/features/lists/import-roots.ts', [...up, "import '../../../test/app.js';"]);
  test('neither does a feature, nor does it import tests', () =>
    expect(feature()).toEqual([...up, "import '../../../test/app.js';"]));

  const anything = [
    "import './db/connect.js';",
    "import './features/lists/queries.js';",
    "import './features/lists/worker.js';",
  ];
  const app = house('server/src/app.ts', anything);
  const main = house('server/src/main.ts', anything);
  const operator = house('server/src/operator.ts', anything);
  test('app.ts, main.ts and operator.ts import anything', () =>
    expect([...app(), ...main(), ...operator()]).toEqual([]));

  const config = house('server/src/config.ts', ["import './db/connect.js';", 'export const all = process.env;']);
  const banner = house('server/src/banner.ts', ["import './db/connect.js';"]);
  test('config.ts and banner.ts import nothing of ours', () =>
    expect([config(), banner()]).toEqual([["import './db/connect.js';"], ["import './db/connect.js';"]]));

  const lines = [
    "import '../app.js';",
    "import '../db/sql.js';",
    'export const now = [Date.now(), Math.random(), process.env];',
  ];
  const beside = house('server/src/http/free.test.ts', lines);
  const apart = house('server/test/free.ts', lines);
  test('tests import and use anything', () => {
    expect([...beside(), ...beside('plugin'), ...beside('lint/style/noProcessEnv')]).toEqual([]);
    expect([...apart(), ...apart('plugin'), ...apart('lint/style/noProcessEnv')]).toEqual([]);
  });
});

describe('workspaces', () => {
  const product = ["import 'typebox';", "import 'typebox/value';", "import './route.js';"];
  const alien = [
    "import 'node:fs';",
    "import 'fastify';",
    "import '../../server/src/lib/text.js';",
    "import '@rapport/client';",
  ];
  const testing = ["import 'vitest';", "import 'fast-check';"];
  const contract = house('contract/src/zone.ts', [...product, ...alien, ...testing]);
  test('contract imports typebox alone', () => expect(contract()).toEqual([...alien, ...testing]));
  const contractTest = house('contract/src/zone.test.ts', [...product, ...alien, ...testing]);
  test("contract's tests import vitest and fast-check besides", () => expect(contractTest()).toEqual(alien));

  const all = ['contract', 'client', 'console', 'server'].map((name) => `import '@rapport/${name}';`);
  const client = house('client/src/zone.ts', [
    ...all,
    "import '../../server/src/lib/text.js';",
    "import 'typebox';",
    "import 'node:http';",
    "import './call.js';",
  ]);
  test('client imports contract and nothing else, so that it runs anywhere', () =>
    expect(client()).toEqual([
      ...all.slice(1),
      "import '../../server/src/lib/text.js';",
      "import 'typebox';",
      "import 'node:http';",
    ]));
  const consoles = house('console/src/zone.ts', [...all, "import '../../client/src/call.js';"]);
  test('console imports client and contract, as packages', () =>
    expect(consoles()).toEqual([...all.slice(3), "import '../../client/src/call.js';"]));
  const doors = ["import '@rapport/server/operator';", "import '@rapport/server/db/connect.js';"];
  const cli = house('cli/src/import/zone.ts', [...all, ...doors, "import '../../../server/dist/config.js';"]);
  test('cli imports client and contract, and of the server what operator.ts shows', () =>
    expect(cli()).toEqual([...all.slice(2), doors[1], "import '../../../server/dist/config.js';"]));
});

describe('the console', () => {
  const floors = ['app', 'pages', 'features', 'shared', 'api', 'texts', 'theme'];
  const line = (name: string) => `import '../${name}/some-file.ts';`;
  for (const [at, floor] of floors.entries()) {
    const others = floors.filter((name) => name !== floor);
    const refused = house(`console/src/${floor}/import-all.ts`, others.map(line));
    // Words stand below the calls, and take nothing but colours.
    const lower = floor === 'api' ? ['texts'] : floors.slice(at + 1);
    const expected = others.filter((name) => !lower.includes(name)).map(line);
    test(`${floor} imports what is below it alone`, () => expect(refused()).toEqual(expected));
  }

  const feature = house('console/src/features/journeys/canvas/walls.ts', [
    "import '../../../shared/messages/is-kept.ts';",
    "import '../../reports/by.ts';",
    "import '../model/graph.ts';",
    "import '../../messages/message.ts';",
    "import '../../../pages/journey-page.tsx';",
    "export const later = import('../../contact/contact-api.ts');",
    "import '../model/graph.test.ts';",
  ]);
  test('a feature imports shared rooms and the features below it, and no test', () =>
    expect(feature()).toEqual(files.get('console/src/features/journeys/canvas/walls.ts')?.slice(3)));

  const hidden = house('console/src/pages/hidden.ts', [
    'export const later = import(`../app/pages.ts`);',
    "export type Pages = import('../app/pages.ts').Pages;",
    "export const plain = import('../shared/error-boundary.tsx');",
  ]);
  test('an import that the walls cannot read is refused', () =>
    expect(hidden('plugin')).toEqual(files.get('console/src/pages/hidden.ts')?.slice(0, 2)));

  const page = house('console/src/pages/walls.tsx', ["import './journeys-page.tsx';"]);
  test('a page imports no other page', () => expect(page()).toEqual(files.get('console/src/pages/walls.tsx')));
});

describe('process.env, SQL, time and chance', () => {
  const env = house('server/src/http/env.ts', [
    'export const all = process.env;',
    'export const one = process.env.PORT;',
  ]);
  test('process.env is read by config.ts and main.ts alone', () => {
    expect(env('lint/style/noProcessEnv')).toEqual(files.get('server/src/http/env.ts'));
    expect(findings.filter((each) => each.file === 'server/src/config.ts' && each.rule.includes('Env'))).toEqual([]);
  });

  const statements = [
    "import { sql } from '../../db/sql.js';",
    "import type { Sql } from '../../db/sql.js';",
    "import pg from 'pg';",
  ];
  const useCase = house('server/src/features/lists/create-list.ts', [...statements, "import '../../db/database.js';"]);
  const queries = house('server/src/features/lists/queries.ts', statements);
  const loop = house('server/src/work/claim.ts', ["import { sql } from '../db/sql.js';"]);
  test('SQL is written in queries.ts and work/, not in a use case', () => {
    expect(useCase('plugin')).toEqual(statements);
    expect([...queries('plugin'), ...loop('plugin'), ...queries(), ...loop()]).toEqual([]);
  });

  const clocks = [
    'export const a = Date.now();',
    'export const b = { clock: Date.now };',
    'export const c = new Date();',
    'export const d = performance.now();',
    'export const e = globalThis.performance.now();',
  ];
  const dice = [
    "import { hash, randomBytes } from 'node:crypto';",
    "import { randomUUID as uuid } from 'node:crypto';",
    "export { randomInt } from 'crypto';",
    'export const f = Math.random();',
    'export const g = crypto.randomUUID();',
    'export const h = crypto.getRandomValues(new Uint8Array(8));',
  ];
  const harmless = [
    "import { createHash } from 'node:crypto';",
    "export const i = [new Date(0), new Date('2026-01-01')];",
  ];
  const inRoom = house('server/src/http/chance.ts', [...clocks, ...dice, ...harmless]);
  const inContract = house('contract/src/chance.ts', [...clocks, ...dice]);
  const inLib = house('server/src/lib/chance.ts', [...clocks, ...dice, ...harmless]);
  const inClient = house('client/src/chance.ts', clocks);
  const inClock = house('client/src/clock.ts', clocks);
  test('only lib, and the clock of the client, read clocks and draw random numbers', () => {
    expect([inClient('plugin'), inClock('plugin')]).toEqual([clocks, []]);
    expect(inRoom('plugin')).toEqual([...clocks, ...dice]);
    expect(inContract('plugin')).toEqual([...clocks, ...dice]);
    expect(inLib('plugin')).toEqual([]);
  });
});

describe('cycles', () => {
  const cycle = 'lint/suspicious/noImportCycles';
  const hen = house('server/src/lib/hen.ts', ["import { egg } from './egg.js';", 'export const hen = () => egg;']);
  const egg = house('server/src/lib/egg.ts', ["import { hen } from './hen.js';", 'export const egg = () => hen;']);
  const chick = house('server/src/lib/chick.ts', [
    "import { hen } from './hen.js';",
    'export const chick = () => hen;',
  ]);
  test('two files that import each other are refused, and one that only looks on is not', () => {
    expect([...hen(cycle), ...egg(cycle)]).toHaveLength(2);
    expect(chick(cycle)).toEqual([]);
  });

  const shape = house('server/src/lib/shape.ts', [
    "import type { Size } from './size.js';",
    'export type Shape = Size[];',
  ]);
  const size = house('server/src/lib/size.ts', [
    "import type { Shape } from './shape.js';",
    'export type Size = Shape | 1;',
  ]);
  test('types that import each other are a cycle too', () => expect([...shape(cycle), ...size(cycle)]).toHaveLength(2));
});
