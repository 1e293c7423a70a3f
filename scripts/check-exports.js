// An export is for another file. Reports those that no other file imports, and those that only tests import although their own file does
// not use them: such code runs only in tests. An export that its own file uses may exist for its test.
// knip finds the same, but takes several times as long, and needs a list of all scripts and two runs to separate tests from the rest.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'rolldown/utils';

const root = fileURLToPath(new URL('..', import.meta.url));
const rooms = ['bench', 'cli', 'client', 'console', 'contract', 'scripts', 'server'];
const packages = {
  '@rapport/client': 'client/src/index.ts',
  '@rapport/contract': 'contract/src/index.ts',
  '@rapport/server/operator': 'server/src/operator.ts',
};
// Used from outside: by users of a package, by Vitest, by Vite.
const entries = [
  ...Object.values(packages),
  ...['server/test/database-server.ts', 'server/test/browser/demo-services.ts', 'server/test/tried-twice.ts'],
  ...['vitest.config.ts', 'console/vite.config.ts'],
  // Imported by what bundle.js writes.
  'scripts/launch.js',
  // Copied beside the clients that the test generates.
  ...['server/test/openapi/calls/hey-api.ts', 'server/test/openapi/calls/openapi-fetch.ts'],
];

const isTest = (file) => /\.test\.tsx?$|^\w+\/test\//.test(file);
const sources = new Map(
  rooms
    .flatMap((room) => readdirSync(join(root, room), { recursive: true }).map((name) => join(room, name)))
    .concat('vitest.config.ts')
    .filter((file) => /\.(?:tsx?|js)$/.test(file) && !/(?:^|\/)(?:dist|node_modules)\//.test(file))
    .map((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      return [file, { file, text, ...parseSync(file, text).module }];
    }),
);

/** The source of an import: `.js` may be TypeScript, and `dist` was built from `src`. Undefined if it is not ours. */
function sourceOf(file, path) {
  if (!path.startsWith('.')) return packages[path];
  const target = join(file, '..', path).replace('/dist/', '/src/');
  return [target, target.replace(/\.js$/, '.ts'), target.replace(/\.js$/, '.tsx')].find((each) => sources.has(each));
}

/** What a file imports or re-exports. `*` is everything. */
function usesBy({ file, text, staticImports, staticExports }) {
  const imported = staticImports.flatMap(({ moduleRequest, entries }) =>
    entries.map(({ importName }) => ({ moduleRequest, importName })),
  );
  const passedOn = staticExports.flatMap(({ entries }) => entries).filter(({ moduleRequest }) => moduleRequest);
  return [
    ...[...imported, ...passedOn].map(({ moduleRequest, importName: { kind, name } }) => ({
      path: moduleRequest.value,
      name: kind === 'Default' ? 'default' : (name ?? '*'),
    })),
    // `import('./x.js')`, as a call or as a type, in a comment too.
    ...[...text.matchAll(/\bimport\(\s*'([^']+)'/g)].map(([, path]) => ({ path, name: '*' })),
  ].map(({ path, name }) => ({ by: file, of: sourceOf(file, path), name }));
}

const uses = new Map();
for (const use of [...sources.values()].flatMap(usesBy))
  if (use.of !== use.by) uses.set(use.of, [...(uses.get(use.of) ?? []), use]);

function count(word, text) {
  const code = text.replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '');
  return code.match(new RegExp(`(?<![\\w$])${word.replaceAll('$', '\\$')}(?![\\w$])`, 'g'))?.length ?? 0;
}

function isUsedBy({ by, name: taken }, name) {
  if (taken !== '*') return taken === name;
  return name === 'default' || entries.includes(by) || count(name, sources.get(by).text) > 0;
}

function faultOf({ file, text }, { exportName, localName, moduleRequest, start }) {
  const name = exportName.kind === 'Default' ? 'default' : exportName.name;
  if (name === null) return [];
  const users = (uses.get(file) ?? []).filter((use) => isUsedBy(use, name)).map(({ by }) => by);
  const place = `${file}:${text.slice(0, start).split('\n').length}`;
  if (users.length === 0) return `${place} exports ${name}, which no other file imports.`;
  const isForTests = !isTest(file) && users.every(isTest);
  if (!isForTests || (!moduleRequest && count(localName.name ?? name, text) > 1)) return [];
  return `${place} exports ${name}, which only tests use.`;
}

const faults = [...sources.values()]
  .filter(({ file }) => !entries.includes(file))
  .flatMap((source) =>
    source.staticExports.flatMap(({ entries }) => entries.flatMap((entry) => faultOf(source, entry))),
  );
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
