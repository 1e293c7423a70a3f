// Bundles the service and its dependencies into one file, so that it starts in half the time: the compiler writes 900 files, TypeBox has 700
// more, and finding, reading and compiling them took most of a start. One file also has one code cache: see launch.js.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './sources.js';

const folder = join(root, 'server/dist/bundle');
const stamp = join(folder, '.sources');

const bundled = join(folder, 'main.js');

/** Starts the service; if nothing could be bundled, from the compiler's output. Resolves when it is ready. */
export async function startService() {
  if (existsSync(bundled)) return import(pathToFileURL(bundled).href);
  const service = await import(pathToFileURL(join(root, 'server/dist/main.js')).href);
  return service.main();
}

/** @param {string} sources */
export function isBundled(sources) {
  return existsSync(bundled) && existsSync(stamp) && readFileSync(stamp, 'utf8') === sources;
}

/** @param {string} sources The hash of what is bundled. */
export async function bundle(sources) {
  try {
    await write(sources);
  } catch (error) {
    // A platform without the bundler. A bundle of other sources must not run.
    rmSync(folder, { recursive: true, force: true });
    console.error(`The service is not bundled, so it starts more slowly: ${error.message.split('\n')[0]}`);
  }
}

/** @param {string} sources */
async function write(sources) {
  const { rolldown } = await import('rolldown');
  const next = join(folder, `next-${process.pid}`);
  const built = await rolldown({
    input: join(root, 'server/dist/main.js'),
    platform: 'node',
    external: isOutside,
    plugins: [keepPlaces, importOutside],
    // No tree shaking: a call with an unused result may be there because it throws.
    treeshake: false,
    logLevel: 'warn',
  });
  try {
    const { output } = await built.write({
      dir: next,
      ...{ format: 'cjs', codeSplitting: false, comments: false, minify: false, sourcemap: true },
      entryFileNames: 'service-[hash].cjs',
    });
    publish(next, output[0].fileName, sources);
  } finally {
    await built.close();
    rmSync(next, { recursive: true, force: true });
  }
}

// Loaded when they are first used, if at all; or with a native part.
const outside =
  /^(node:|pg-native$|@node-rs\/|@modelcontextprotocol\/|@fastify\/busboy|jose$|oidc-provider|openid-client)/;

/** @param {string} id */
function isOutside(id) {
  return outside.test(id) || isBuiltin(id);
}

/** A module that looks for files beside it finds them where it was compiled to. */
const keepPlaces = {
  name: 'keep-places',
  /**
   * @param {string} code
   * @param {string} id
   */
  transform(code, id) {
    if (!code.includes('import.meta.url') || !id.startsWith(join(root, 'server/dist') + sep)) return null;
    const place = relative(folder, id).split(sep).join('/');
    const here = `new URL(${JSON.stringify(place)}, import.meta.url).href`;
    return { code: code.replaceAll('import.meta.url', here), map: null };
  },
};

/** What is loaded when it is first used is imported by the module that launches the bundle; OpenTelemetry too, which a bundle breaks. */
const importOutside = {
  name: 'import-outside',
  /**
   * @param {string} code
   * @param {string} id
   */
  transform(code, id) {
    if (!code.includes('import(') || !id.startsWith(join(root, 'server/dist') + sep)) return null;
    const named = code.replace(/\bimport\((?=['"][^.'"])/g, 'importModule(');
    return { code: named.replace("import('./open-telemetry.js')", "importModule('../open-telemetry.js')"), map: null };
  },
};

/**
 * The file that names the service is written last.
 * @param {string} next
 * @param {string} service
 * @param {string} sources
 */
function publish(next, service, sources) {
  const code = readFileSync(join(next, service), 'utf8');
  const [left] = /\bimport\(".*/.exec(code) ?? [];
  if (left !== undefined) throw new Error(`a package in it imports others when it runs: ${left}`);
  writeFileSync(join(next, service), inOneByte(code));
  writeFileSync(join(next, 'main.js'), starter(service));
  const names = readdirSync(next).sort((a, b) => Number(a === 'main.js') - Number(b === 'main.js'));
  for (const name of names) renameSync(join(next, name), join(folder, name));
  for (const name of readdirSync(folder))
    if (/\.(c?js|map|cache)$/.test(name) && !names.includes(name)) rmSync(join(folder, name), { force: true });
  // In a process of its own: nothing of the service may run in this one.
  const prepare = `import { prepare } from './scripts/launch.js'; await prepare(${JSON.stringify(join(folder, service))});`;
  execFileSync(process.execPath, ['--input-type=module', '--eval', prepare], { cwd: root, stdio: 'inherit' });
  writeFileSync(stamp, sources);
}

/**
 * The same program in ASCII: V8 then holds it with one byte a character. No tag of ours or of the packages looks at how a template was written.
 * @param {string} code
 */
function inOneByte(code) {
  return code.replace(/[^\0-\x7f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** @param {string} service */
function starter(service) {
  return `import { fileURLToPath } from 'node:url';
import { launch } from '../../../scripts/launch.js';
await launch(fileURLToPath(new URL('${service}', import.meta.url)), (name) => import(name));
`;
}
