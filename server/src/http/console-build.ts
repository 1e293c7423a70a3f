// The output of `npm run build` for the console: one page, and files with a content hash in their names.
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** By file extension; undefined if it is not a console file. */
export function consoleFileType(name: string): string | undefined {
  return types[extname(name)];
}

export interface ConsoleFile {
  type: string;
  plain: Buffer;
  gzip: Buffer | undefined;
}

export interface ConsoleBuild {
  /** The same on every node that has the same build. */
  id: string;
  builtAt: number;
  page: string;
  files: ReadonlyMap<string, ConsoleFile>;
}

/**
 * The build on disk, read into memory: no path of a request ever reaches the file system. Read again when index.html
 * changes, because `npm start` builds the console while the service is already running.
 */
export function latestBuild(dir: string): () => ConsoleBuild | undefined {
  let build: ConsoleBuild | undefined;
  const file = join(dir, 'index.html');
  return () => {
    const builtAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (builtAt === undefined) return undefined;
    if (build?.builtAt !== builtAt) build = readBuild(builtAt, readFileSync(file, 'utf8'), join(dir, 'assets'));
    return build;
  };
}

function readBuild(builtAt: number, page: string, dir: string): ConsoleBuild {
  const files = readFiles(dir);
  // The page names only the entry files, which may be unchanged although a later one differs.
  const id = hash('sha256', [page, ...[...files.keys()].sort()].join('\n')).slice(0, 16);
  return { id, builtAt, page, files };
}

function readFiles(dir: string): Map<string, ConsoleFile> {
  const files = new Map<string, ConsoleFile>();
  for (const name of existsSync(dir) ? readdirSync(dir) : []) {
    const type = consoleFileType(name);
    if (!type) continue;
    const gzip = join(dir, `${name}.gz`);
    files.set(name, {
      type,
      plain: readFileSync(join(dir, name)),
      gzip: existsSync(gzip) ? readFileSync(gzip) : undefined,
    });
  }
  return files;
}
