// Runs the bundled service from V8's code cache: compiling its 4 MB took a third of a start. (Node 22 has `enableCompileCache` for this; 20 has not.)
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { constants, Script } from 'node:vm';

// Milliseconds after a start without a cache: what the first requests compiled is kept too.
const keepAfter = 1000;

/** @param {string} file The bundle. */
export async function launch(file) {
  const { service, script } = load(file);
  await service.main();
  if (script.cachedDataRejected !== false) setTimeout(() => keep(file, script), keepAfter).unref();
}

/**
 * Compiles it ahead, for an image whose files belong to root.
 * @param {string} file
 */
export async function prepare(file) {
  const { service, script } = load(file);
  await service.loadApp();
  keep(file, script);
}

/** @param {string} file */
function load(file) {
  const script = new Script(Module.wrap(readFileSync(file, 'latin1')), {
    filename: file,
    cachedData: readIfThere(cacheOf(file)),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const module = { exports: /** @type {typeof import('../server/src/main.ts')} */ ({}) };
  script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file));
  return { service: module.exports, script };
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
    writeFileSync(next, script.createCachedData());
    renameSync(next, cacheOf(file));
  } catch {
    rmSync(next, { force: true });
  }
}
