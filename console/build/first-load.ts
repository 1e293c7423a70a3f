// What a browser must read before it shows the first page: printed with every build, which fails when it is too much.
import { gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';

const limitKb = 300;
const kb = (bytes: number) => Math.round(bytes / 100) / 10;

interface Chunk {
  code: string;
  imports: string[];
  dynamicImports: string[];
  isEntry: boolean;
}

export function firstLoad(): Plugin {
  return {
    name: 'first-load',
    generateBundle(_options, bundle) {
      const chunks = new Map<string, Chunk>();
      for (const [file, output] of Object.entries(bundle)) if (output.type === 'chunk') chunks.set(file, output);
      const entries = [...chunks].filter(([, chunk]) => chunk.isEntry).map(([file]) => file);
      const first = total(chunks, reachable(chunks, entries));
      const all = total(chunks, chunks.keys());
      this.info(`first load ${kb(first)} KB of gzipped JavaScript (at most ${limitKb}), everything ${kb(all)} KB`);
      if (first > limitKb * 1000) this.error(`The first load is larger than ${limitKb} KB: load something later.`);
    },
  };
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
