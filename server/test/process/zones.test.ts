// Proves the import rules: files that break each rule, in a copy of the source tree with the linter's real settings.
import { describe, expect, test } from 'vitest';
import { useHouse } from './house.js';

// Spelled out here, so that a mistake in the table of scripts/write-zones.js shows.
const features = {
  stats:
    'journeys messages email-versions emails consent contact-activity dynamic-lists lists events users organizations contacts transactions folders sending tenants idempotency',
  journeys:
    'messages email-versions emails consent contact-activity dynamic-lists lists events users organizations contacts transactions folders sending tenants idempotency',
  'dynamic-lists': 'lists consent events users organizations contacts transactions folders tenants idempotency',
  messages:
    'email-versions emails consent contact-activity dynamic-lists lists events users organizations contacts transactions folders sending tenants idempotency',
  ingest: 'events users organizations contacts transactions folders tenants idempotency',
  'contact-activity': 'events users organizations contacts transactions folders tenants idempotency',
  'email-versions':
    'emails consent events users organizations contacts transactions folders sending tenants idempotency',
  emails: 'consent events users organizations contacts transactions folders sending tenants idempotency',
  consent: 'events users organizations contacts transactions folders tenants idempotency',
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

/** How each room is imported from server/src/<room>/ (`up` is one more level for features). */
function source(target: string, up: string): string {
  if (target === 'client' || target === 'contract') return `@rapport/${target}`;
  return featureNames.includes(target) ? `${up}features/${target}/index.js` : `${up}${target}/some-file.js`;
}

const { files, house } = useHouse();

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
