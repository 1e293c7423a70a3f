// Who may import whom. Writes it as lint rules to tools/biome/zones.json; with --check it only says whether that is up to date.
// Biome's overrides replace a rule's options instead of merging them, so each zone needs the complete list of what is
// forbidden there: too long to maintain by hand, but short to describe here.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';

/**
 * Workspaces beside the server, which may use it only through `doors`: an entry of its package. `packages` is the complete list
 * of allowed packages, including Node's own; without it any is allowed.
 */
const workspaces = {
  contract: { uses: [], packages: ['typebox'], testPackages: ['vitest', 'fast-check'] },
  client: { uses: ['contract'], packages: ['@rapport/contract'] },
  console: { uses: ['client', 'contract'] },
  cli: { uses: ['client', 'contract'], doors: ['@rapport/server/operator'] },
};

/** Folders and files of server/src, and which of ours they use. `freeFiles` may use anything; only they and tests use them. */
const rooms = {
  lib: [],
  config: ['lib'],
  db: ['lib'],
  mail: ['lib'],
  work: ['db', 'lib'],
  http: ['contract', 'lib'],
  features: ['contract', 'db', 'http', 'lib', 'mail', 'work'],
  demo: ['client', 'contract', 'db', 'features', 'lib'],
};
const lonelyFiles = { banner: [], config: ['config'], 'open-telemetry': ['lib'], 'readable-log': [] };
const freeFiles = [
  'app',
  'app-options',
  'assemble',
  'explain-start',
  'housekeeping',
  'main',
  'operator',
  'stop-service',
];

/** A feature may use the index.js of those named here and of everything below them. */
const features = {
  agents: ['oauth', 'stats', 'why'],
  alerts: ['accounts', 'journeys'],
  home: ['journeys', 'ingest'],
  summaries: ['accounts', 'stats'],
  workspace: ['oauth'],
  oauth: ['accounts'],
  accounts: ['webhooks'],
  stats: ['journeys'],
  why: ['journeys'],
  journeys: ['webhooks', 'forms', 'messages', 'lists', 'events'],
  forms: ['messages', 'lists'],
  webhooks: ['messages'],
  'dynamic-lists': ['lists', 'consent'],
  messages: ['email-versions', 'contact-activity', 'dynamic-lists', 'sending'],
  properties: ['users'],
  ingest: ['events'],
  'contact-activity': ['events'],
  'email-versions': ['emails'],
  consent: ['events'],
  lists: ['users'],
  events: ['users'],
  users: ['organizations'],
  organizations: ['contacts'],
  contacts: ['transactions', 'filter-language'],
  emails: ['consent', 'designs', 'files'],
  designs: [],
  files: ['sending'],
  transactions: ['folders'],
  folders: ['tenants'],
  sending: ['tenants'],
  tenants: ['audit', 'idempotency'],
  'filter-language': [],
  audit: [],
  operations: ['tenants'],
  ...{ idempotency: [], console: [] },
};

/** Folders of console/src, from the top down, and which of ours they use. */
const consoleRooms = {
  app: ['pages', 'features', 'shared', 'api', 'texts', 'theme'],
  pages: ['features', 'shared', 'api', 'texts', 'theme'],
  features: ['shared', 'api', 'texts', 'theme'],
  shared: ['api', 'texts', 'theme'],
  api: ['texts'],
  texts: ['theme'],
  theme: [],
};

/** A feature of the console may use those named here and everything below them; pages combine several features. */
const consoleFeatures = {
  account: [],
  audiences: [],
  contact: ['journeys', 'emails'],
  contacts: ['audiences'],
  emails: ['audiences'],
  events: [],
  forms: [],
  home: ['events'],
  imports: [],
  journeys: ['emails', 'reports'],
  lists: ['contacts'],
  messages: [],
  organizations: [],
  reports: [],
  sends: [],
  settings: ['emails', 'webhooks'],
  'sign-in': [],
  topics: [],
  webhooks: [],
  why: [],
};

const tests = ['**/*.test.ts', '**/*.test.tsx', 'server/test/**', 'client/test/**', 'console/test/**'];
const noTests = [folder('test'), '.*/**/*.test.js'];
const indexOnly = "Import only another feature's index.js: everything else is private to it.";

/** Later ones win, so the exceptions come last. */
function overrides() {
  const { features: usedByFeatures, ...otherRooms } = rooms;
  return [
    ...Object.keys(workspaces).map(workspaceZone),
    ...Object.entries(otherRooms).map(([room, uses]) => roomZone(room, `server/src/${room}/**`, uses)),
    ...Object.entries(lonelyFiles).map(([file, uses]) => roomZone(file, `server/src/${file}.ts`, uses)),
    ...Object.keys(features).map((name) => featureZone(name, usedByFeatures)),
    ...Object.keys(consoleRooms).map(consoleZone),
    ...Object.keys(consoleFeatures).map(consoleFeatureZone),
    override(tests, { style: { noRestrictedImports: 'off' } }),
    contractTests(),
    override(
      [
        'server/src/config.ts',
        'server/src/main.ts',
        'cli/src/main.ts',
        ...tests,
        'scripts/**',
        'bench/**',
        '**/*.config.ts',
      ],
      {
        style: { noProcessEnv: 'off' },
      },
    ),
  ];
}

function workspaceZone(name) {
  const { packages } = workspaces[name];
  return zone(`${name}/**`, packages ? onlyPackages(name, packages) : outside(name));
}

function outside(name) {
  const { uses, doors: open = [] } = workspaces[name];
  const others = ['server', ...Object.keys(workspaces)].filter((other) => other !== name);
  const shut = [...others.map(folder), ...packagesBut(others, uses), ...open.map((door) => `!${door}`)];
  return { group: shut, message: explain(name, [...uses, ...open]) };
}

function consoleZone(room) {
  const uses = consoleRooms[room];
  const others = Object.keys(consoleRooms).filter((other) => other !== room && !uses.includes(other));
  const pages = room === 'pages' ? ['./**/*-page.tsx'] : [];
  return zone(`console/src/${room}/**`, outside('console'), {
    group: [...[...others, room, 'src'].flatMap(upTo), ...pages, '.*/**/*.test.*'],
    message: explain(`console/src/${room}`, uses),
  });
}

function consoleFeatureZone(name) {
  const lower = below(name, consoleFeatures);
  const rooms = ['app', 'pages', 'features', 'src'];
  const higher = Object.keys(consoleFeatures).filter((other) => other !== name && !lower.includes(other));
  return zone(`console/src/features/${name}/**`, outside('console'), {
    group: [...[...rooms, ...higher].flatMap(upTo), '.*/**/*.test.*'],
    message: explain(`console/src/features/${name}`, [...consoleRooms.features, ...lower]),
  });
}

function contractTests() {
  const { packages, testPackages } = workspaces.contract;
  return zone('contract/**/*.test.ts', onlyPackages('A test of contract', [...packages, ...testPackages]));
}

function onlyPackages(who, packages) {
  const open = packages.flatMap((each) => [`!${each}`, `!${each}/**`]);
  return {
    group: ['**', '!./**', ...open],
    message: `${who} may import ${packages.join(', ')} and what is beside it.`,
  };
}

function roomZone(room, include, uses) {
  const shut = { group: shutRooms([room, ...uses]), message: explain(room, uses) };
  return zone(include, shut, ...doors(uses.includes('features') ? Object.keys(features) : []));
}

function featureZone(name, uses) {
  const lower = below(name);
  const higher = Object.keys(features).filter((other) => other !== name && !lower.includes(other));
  const group = [...shutRooms(['features', ...uses]), ...higher.map(folder)];
  const shut = { group, message: explain(name, [...uses, ...lower]) };
  return zone(`server/src/features/${name}/**`, shut, ...doors(lower));
}

function below(name, table = features) {
  return [...new Set(table[name].flatMap((next) => [next, ...below(next, table)]))];
}

function shutRooms(open) {
  const isShut = (name) => !open.includes(name);
  return [
    ...Object.keys(rooms).filter(isShut).map(folder),
    ...[...freeFiles, ...Object.keys(lonelyFiles)].filter(isShut).map((file) => `../**/${file}.js`),
    ...Object.keys(workspaces).map(folder),
    ...packagesBut(Object.keys(workspaces), open),
    ...noTests,
  ];
}

function packagesBut(names, open) {
  return names.filter((name) => !open.includes(name)).flatMap((name) => [`@rapport/${name}`, `@rapport/${name}/**`]);
}

function doors(names) {
  if (names.length === 0) return [];
  return [{ group: names.flatMap((name) => [folder(name), `!.*/**/${name}/index.js`]), message: indexOnly }];
}

function explain(name, uses) {
  return `${name} may import of ours: ${uses.join(', ') || 'nothing'}. See scripts/write-zones.js.`;
}

/** Any relative path through the folder, however many levels up it starts. */
function folder(name) {
  return `.*/**/${name}/**`;
}

/**
 * A folder beside one that holds the file: `shared/messages` is not `messages`. A room forbids its own name too, because `../../features/why`
 * would lead from one feature around the wall to another.
 */
function upTo(name) {
  return [1, 2, 3, 4, 5, 6].map((steps) => `${'../'.repeat(steps)}${name}/**`);
}

function zone(include, ...patterns) {
  return override([include], { style: { noRestrictedImports: { level: 'error', options: { patterns } } } });
}

function override(includes, rules) {
  return { includes, linter: { rules } };
}

/** A folder that no table names would have no rules; a folder inside a console feature with the name of a restricted one would match its rule. */
function strangers() {
  const root = new URL('..', import.meta.url);
  const entries = (path) => readdirSync(new URL(path, root), { withFileTypes: true });
  const folders = (path) =>
    entries(path)
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name);
  const sources = (path) =>
    entries(path)
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name))
      .map((entry) => entry.name);
  const missing = (path, names, table) => names.filter((name) => !(name in table)).map((name) => `${path}/${name}`);
  const isFree = (name) => [...freeFiles, ...Object.keys(lonelyFiles)].includes(name.slice(0, -'.ts'.length));
  const walls = { ...consoleRooms, ...consoleFeatures };
  const inside = folders('console/src/features').flatMap((name) =>
    folders(`console/src/features/${name}`).map((part) => [name, part]),
  );
  return [
    ...missing('server/src', folders('server/src'), rooms),
    ...missing('server/src/features', folders('server/src/features'), features),
    ...missing('console/src', folders('console/src'), consoleRooms),
    ...missing('console/src/features', folders('console/src/features'), consoleFeatures),
    ...sources('console/src').map((file) => `console/src/${file}`),
    ...sources('server/src')
      .filter((file) => !isFree(file))
      .map((file) => `server/src/${file}`),
    ...inside.filter(([, part]) => part in walls).map((parts) => `console/src/features/${parts.join('/')}`),
  ];
}

function main() {
  const unknown = strangers();
  for (const path of unknown) console.error(`${path} fits in no zone: see scripts/write-zones.js.`);
  if (unknown.length > 0) process.exitCode = 1;
  const file = new URL('../tools/biome/zones.json', import.meta.url);
  const zones = overrides().map((each) => JSON.stringify(each));
  const text = `{"overrides":[\n${zones.join(',\n')}\n]}\n`;
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text);
  } else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    console.error('tools/biome/zones.json is not up to date. Run `npm run zones` and commit the result.');
    process.exitCode = 1;
  }
}

main();
