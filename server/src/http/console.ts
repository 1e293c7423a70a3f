// The console for people under /console: the built files of console/dist, and those of earlier builds.
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { randomToken } from '../lib/random.js';
import { notFound } from './api-error.js';
import { type ConsoleBuild, type ConsoleFile, latestBuild } from './console-build.js';
import { installPreview } from './console-preview.js';

// The same path from server/src/http and from server/dist/http.
const builtConsole = fileURLToPath(new URL('../../../console/dist', import.meta.url));

// Placeholders that the build writes for the nonce of the response and the id of the build.
const nonceMark = '__STYLE_NONCE__';
const buildMark = '__BUILD_ID__';

/** Files of builds that this node does not have: for a tab that was opened before an upgrade, or on another node during one. */
export interface OtherBuilds {
  /** Awaited before a page is sent, because any node may be asked for its files. Does not fail. */
  keep(build: ConsoleBuild): Promise<void>;
  find(name: string): Promise<ConsoleFile | undefined>;
}

interface ConsoleOptions {
  others?: OtherBuilds;
  /** What a preview shows of an email. */
  shownOf?: (html: string) => string;
  dir?: string;
}

export function installConsole(app: FastifyInstance, options: ConsoleOptions = {}): void {
  const { others, shownOf, dir = builtConsole } = options;
  const config = { area: 'open' } as const;
  const latest = latestBuild(dir);
  const page = async (_request: FastifyRequest, reply: FastifyReply) => {
    const build = latest();
    if (build) await others?.keep(build);
    return sendPage(reply, build);
  };
  installPreview(app, '/console/preview', shownOf);
  app.get('/', { config }, async (_request, reply) => reply.redirect('/console', 302));
  app.get('/console', { config }, page);
  app.get('/console/*', { config }, page);
  // A tab compares it with the one in its own page, to detect a newer console.
  app.get('/console/build', { config }, async (_request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    return { build: latest()?.id ?? null };
  });
  app.get<{ Params: { '*': string } }>('/console/assets/*', { config }, async (request, reply) => {
    const name = request.params['*'];
    const file = latest()?.files.get(name) ?? (await others?.find(name));
    if (!file) throw notFound('file');
    return sendFile(request, reply, file);
  });
}

/** Mantine writes its colours into a style element of its own, which carries the nonce of the response. */
function pageCsp(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

function sendPage(reply: FastifyReply, build: ConsoleBuild | undefined): string {
  const nonce = randomToken('');
  reply.headers({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': pageCsp(nonce),
    'cross-origin-opener-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    // Not `no-referrer`: with that, browsers hide where the form of a preview comes from, and over plain http nothing else reveals it.
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  });
  if (build) return build.page.replaceAll(nonceMark, nonce).replaceAll(buildMark, build.id);
  reply.code(503).header('retry-after', '3');
  return unbuiltPage;
}

// Reloads by itself: a build takes a few seconds.
const unbuiltPage = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta http-equiv="refresh" content="3"><title>Rapport</title></head>
<body>
<h1>The console is being built</h1>
<p>This page checks again every three seconds. If it doesn’t change, run <code>npm run build</code> where the service runs.</p>
</body>
</html>
`;

function sendFile(request: FastifyRequest, reply: FastifyReply, { type, plain, gzip }: ConsoleFile): Buffer {
  reply.headers({
    'content-type': type,
    // The name contains a content hash.
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
  });
  if (!gzip || !takesGzip(request.headers['accept-encoding'] ?? '')) return plain;
  reply.header('content-encoding', 'gzip');
  return gzip;
}

// A weight of zero means no.
function takesGzip(accepted: string): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(accepted);
}
