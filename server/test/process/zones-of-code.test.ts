import { describe, expect, test } from 'vitest';
import { useHouse } from './house.js';

const { files, house, findings } = useHouse();

describe('the console', () => {
  const floors = ['app', 'pages', 'features', 'shared', 'api', 'texts', 'theme'];
  const line = (name: string) => `import '../${name}/some-file.ts';`;
  for (const [at, floor] of floors.entries()) {
    const others = floors.filter((name) => name !== floor);
    const refused = house(`console/src/${floor}/import-all.ts`, others.map(line));
    // Texts are below the calls, and import only colours.
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

  const detours = house('console/src/features/why/detours.ts', [
    "import '../../features/contact/contact-api.ts';",
    "import '../../../src/pages/journey-page.tsx';",
  ]);
  test('a path that leaves a room and comes back leads around no wall', () =>
    expect(detours()).toEqual(files.get('console/src/features/why/detours.ts')));

  const page = house('console/src/pages/walls.tsx', [
    "import './journeys-page.tsx';",
    "import '../pages/why-page.tsx';",
  ]);
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
