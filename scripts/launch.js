// Runs the bundled service from V8's code cache: compiling its 6 MB took a third of a start. (Node 22 has `enableCompileCache` for this; 20 has not.)
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

// Milliseconds after a start without a cache: what the first requests compiled is kept too.
const keepAfter = 1000;

/**
 * @typedef {(name: string) => Promise<unknown>} ImportModule `import()` as in a module beside the bundle: a script from a code cache has none.
 */

/**
 * @param {string} file The bundle.
 * @param {ImportModule} importModule
 */
export async function launch(file, importModule) {
  const { service, script } = load(file, importModule);
  await service.main();
  if (script.cachedDataRejected !== false) setTimeout(() => keep(file, script), keepAfter).unref();
}

/**
 * Compiles it ahead, for an image whose files belong to root.
 * @param {string} file
 */
export async function prepare(file) {
  const { service, script } = load(file, (name) => Promise.reject(new Error(`${name} is not for preparing`)));
  await service.loadApp();
  keep(file, script);
}

/**
 * @param {string} file
 * @param {ImportModule} importModule
 */
function load(file, importModule) {
  const code = readFileSync(file, 'latin1');
  const script = new Script(`(function (exports, require, __filename, __dirname, importModule) { ${code}\n})`, {
    filename: file,
    cachedData: readIfThere(cacheOf(file)),
  });
  const service = /** @type {typeof import('../server/src/main.ts')} */ ({});
  script.runInThisContext()(service, createRequire(file), file, dirname(file), importModule);
  return { service, script };
}

/**
 * A platform and a version of Node each have their own. V8 checks the rest.
 * @param {string} file
 */
function cacheOf(file) {
  return `${file}.${process.version}-${process.arch}.cache`;
}

/** @param {string} file */
function readIfThere(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/**
 * Nothing is lost if it fails: the next start compiles again.
 * @param {string} file
 * @param {Script} script
 */
function keep(file, script) {
  const next = `${cacheOf(file)}.${process.pid}`;
  try {
    // V8 does not notice a file that a power cut left half written.
    writeFileSync(next, script.createCachedData(), { flush: true });
    renameSync(next, cacheOf(file));
  } catch {
    rmSync(next, { force: true });
  }
}
