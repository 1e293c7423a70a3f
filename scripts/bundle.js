// Bundles the service and its dependencies into one file, so that it starts in half the time: the compiler writes 900 files, TypeBox has 700
// more, and finding and reading them took most of a start. Packages with few files stay where they are.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { root } from './sources.js';

const folder = join(root, 'server/dist/bundle');
const stamp = join(folder, '.sources');

const bundled = join(folder, 'main.js');

/** The program to run: if nothing could be bundled, the compiler's output. */
export function serviceFile() {
  return existsSync(bundled) ? bundled : join(root, 'server/dist/main.js');
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
    plugins: [keepPlaces],
    // No tree shaking: a call with an unused result may be there because it throws.
    treeshake: false,
    logLevel: 'warn',
  });
  try {
    await built.write({ dir: next, format: 'esm', minify: false, sourcemap: true, chunkFileNames: '[name]-[hash].js' });
    publish(next, sources);
  } finally {
    await built.close();
    rmSync(next, { recursive: true, force: true });
  }
}

/** @param {string} id */
function isOutside(id) {
  return /^[^./]/.test(id) && !id.startsWith('@rapport/') && !/^typebox(\/|$)/.test(id);
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

/**
 * The file that names the others is written last.
 * @param {string} next
 * @param {string} sources
 */
function publish(next, sources) {
  const names = readdirSync(next).sort((a, b) => Number(a === 'main.js') - Number(b === 'main.js'));
  for (const name of names) renameSync(join(next, name), join(folder, name));
  for (const name of readdirSync(folder))
    if (/\.js(\.map)?$/.test(name) && !names.includes(name)) rmSync(join(folder, name), { force: true });
  writeFileSync(stamp, sources);
}
