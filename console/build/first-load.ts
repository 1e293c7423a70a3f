// What a browser must read before it shows the first page, and what each page adds to it: printed with every build, which fails when it is too much.
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const limitKb = 200;
const pageLimitKb = 150;
const kb = (bytes: number) => Math.round(bytes / 100) / 10;

interface Chunk {
  code: string;
  imports: string[];
  dynamicImports: string[];
  isEntry: boolean;
  facadeModuleId: string | null;
}

export function firstLoad(): Plugin {
  return {
    name: 'first-load',
    generateBundle(_options, bundle) {
      const chunks = new Map<string, Chunk>();
      for (const [file, output] of Object.entries(bundle)) if (output.type === 'chunk') chunks.set(file, output);
      const entries = [...chunks].filter(([, chunk]) => chunk.isEntry).map(([file]) => file);
      const first = reachable(chunks, entries);
      const size = total(chunks, first);
      const lines = [...chunks]
        .filter(([, { facadeModuleId }]) => facadeModuleId?.endsWith('-page.tsx'))
        .map(([file, { facadeModuleId }]) => {
          const own = [...reachable(chunks, [file])].filter((each) => !first.has(each));
          return { name: nameOf(facadeModuleId ?? file), bytes: total(chunks, own) };
        })
        .sort((one, other) => other.bytes - one.bytes);
      for (const { name, bytes } of lines) this.info(`${name}: ${kb(bytes)} KB (at most ${pageLimitKb})`);
      const all = total(chunks, chunks.keys());
      this.info(`first load ${kb(size)} KB of gzipped JavaScript (at most ${limitKb}), everything ${kb(all)} KB`);
      if (size > limitKb * 1000) this.error(`The first load is larger than ${limitKb} KB: load something later.`);
      // What a page loads later, such as an editor, is held to the same.
      const parts = [...chunks.keys()]
        .filter((file) => !first.has(file))
        .map((file) => ({ name: file, bytes: total(chunks, [file]) }));
      for (const { name, bytes } of [...lines, ...parts])
        if (bytes > pageLimitKb * 1000) this.error(`${name} is larger than ${pageLimitKb} KB: load something later.`);
    },
  };
}

function nameOf(module: string): string {
  return module.slice(module.lastIndexOf('/') + 1).replace('.tsx', '');
}

/** The chunks that these import, at once and through one another. */
function reachable(chunks: Map<string, Chunk>, files: string[]): Set<string> {
  const seen = new Set<string>();
  const waiting = [...files];
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (seen.has(file) || !chunks.has(file)) continue;
    seen.add(file);
    waiting.push(...(chunks.get(file)?.imports ?? []));
  }
  return seen;
}

function total(chunks: Map<string, Chunk>, files: Iterable<string>): number {
  return [...files].reduce((sum, file) => sum + gzipSync(chunks.get(file)?.code ?? '').length, 0);
}
