// Vite plugin: compiles parts that do not run in the test's process from the sources too. Templates are rendered in separate processes, and the
// scripts of the reference run in browsers. From a build they might be outdated.
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import type { Plugin } from 'vite';

const sources = fileURLToPath(new URL('../src/', import.meta.url));

interface Part {
  /** The module that loads the part, and how it refers to it. */
  asker: string;
  name: string;
  /** Writes it to a folder, and returns its location. */
  compile(folder: string): Promise<string>;
}

const parts: Part[] = [
  {
    asker: join(sources, 'features/emails/rendering/renderer.ts'),
    name: './process.js',
    compile: async (folder) => {
      await write([join(sources, 'features/emails/rendering/process.ts')], join(folder, 'rendering'));
      return join(folder, 'rendering/process.js');
    },
  },
  {
    asker: join(sources, 'http/reference/scripts.ts'),
    name: '../../../dist/http/reference/browser/',
    compile: async (folder) => {
      const from = join(sources, 'http/reference/browser');
      const names = (await readdir(from)).filter((name) => name.endsWith('.ts'));
      await write(
        names.map((name) => join(from, name)),
        join(folder, 'browser'),
      );
      return join(folder, 'browser/');
    },
  },
];

/** Each module stays a file. Packages are included, because they would not be found from a temporary folder. */
async function write(input: string[], dir: string): Promise<void> {
  const built = await rolldown({ input, platform: 'node', treeshake: false, logLevel: 'warn' });
  await built.write({ dir, format: 'esm', preserveModules: input.length > 1 });
  await built.close();
}

let folder: string | undefined;
const compiled = new Map<string, Promise<string>>();

/** Once for all projects of a run, when a test first needs it. */
function place({ asker, compile }: Part): Promise<string> {
  if (!folder) {
    const made = mkdtempSync(join(tmpdir(), 'rapport-parts-'));
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  const found = compiled.get(asker) ?? compile(folder);
  compiled.set(asker, found);
  return found;
}

export const freshParts: Plugin = {
  name: 'fresh-parts',
  enforce: 'pre',
  async transform(code, id) {
    const part = parts.find(({ asker }) => id === asker);
    if (!part) return null;
    const asked = `new URL('${part.name}', import.meta.url)`;
    if (!code.includes(asked))
      throw new Error(`${id} no longer looks for ${part.name}: change server/test/fresh-parts.ts.`);
    const url = pathToFileURL(await place(part)).href;
    return { code: code.replace(asked, `new URL(${JSON.stringify(url)})`), map: null };
  },
};
