// The console for people: the built files of console/dist under /console, and nothing that was not built.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { randomToken } from '../lib/random.js';
import { notFound } from './api-error.js';
import { installPreview } from './console-preview.js';

// The same from server/src/http and from server/dist/http.
const builtConsole = fileURLToPath(new URL('../../../console/dist', import.meta.url));

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
// The build writes this where the nonce of the answer goes.
const nonceMark = '__STYLE_NONCE__';

interface Asset {
  type: string;
  plain: Buffer;
  gzip: Buffer | undefined;
}

interface Build {
  builtAt: number;
  page: string;
  assets: ReadonlyMap<string, Asset>;
}

export function installConsole(app: FastifyInstance, dir = builtConsole): void {
  const config = { area: 'open' } as const;
  const latest = latestBuild(dir);
  const page = async (_request: FastifyRequest, reply: FastifyReply) => sendPage(reply, latest());
  installPreview(app, '/console/preview');
  app.get('/', { config }, async (_request, reply) => reply.redirect('/console', 302));
  app.get('/console', { config }, page);
  app.get('/console/*', { config }, page);
  app.get<{ Params: { '*': string } }>('/console/assets/*', { config }, async (request, reply) => {
    const asset = latest()?.assets.get(request.params['*']);
    if (!asset) throw notFound('file');
    return sendAsset(request, reply, asset);
  });
}

/**
 * The build on disk, read whole: no path of a request ever reaches the file system. Looked at again when index.html is
 * another one, because `npm start` builds the console while the service already runs.
 */
function latestBuild(dir: string): () => Build | undefined {
  let build: Build | undefined;
  const file = join(dir, 'index.html');
  return () => {
    const builtAt = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (builtAt === undefined) return undefined;
    if (build?.builtAt !== builtAt)
      build = { builtAt, page: readFileSync(file, 'utf8'), assets: readAssets(join(dir, 'assets')) };
    return build;
  };
}

function readAssets(dir: string): Map<string, Asset> {
  const assets = new Map<string, Asset>();
  for (const name of existsSync(dir) ? readdirSync(dir) : []) {
    const type = types[extname(name)];
    if (!type) continue;
    const gzip = join(dir, `${name}.gz`);
    assets.set(name, {
      type,
      plain: readFileSync(join(dir, name)),
      gzip: existsSync(gzip) ? readFileSync(gzip) : undefined,
    });
  }
  return assets;
}

/** Mantine writes its colours into a style element of its own: that one carries the nonce of the answer. */
function pageCsp(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function sendPage(reply: FastifyReply, build: Build | undefined): string {
  const nonce = randomToken('');
  reply.headers({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': pageCsp(nonce),
    'cross-origin-opener-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
  if (build) return build.page.replaceAll(nonceMark, nonce);
  reply.code(503).header('retry-after', '3');
  return unbuiltPage;
}

// Looks again by itself: a build takes a few seconds.
const unbuiltPage = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta http-equiv="refresh" content="3"><title>Rapport</title></head>
<body>
<h1>The console is being built</h1>
<p>This page looks again every three seconds. If it stays, run <code>npm run build</code> where the service runs.</p>
</body>
</html>
`;

function sendAsset(request: FastifyRequest, reply: FastifyReply, { type, plain, gzip }: Asset): Buffer {
  reply.headers({
    'content-type': type,
    // The name has a hash of the content in it.
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
  });
  if (!gzip || !takesGzip(request.headers['accept-encoding'] ?? '')) return plain;
  reply.header('content-encoding', 'gzip');
  return gzip;
}

// A weight of zero says no.
function takesGzip(accepted: string): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(accepted);
}
