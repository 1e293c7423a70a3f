// Shows untrusted HTML. The console posts it here and it comes straight back, isolated: with a policy of
// its own (the console's would forbid the inline styles that emails need) and in a sandbox without an origin.
import type { FastifyInstance } from 'fastify';
import { invalid, tooLarge } from './api-error.js';
import { Crowd } from './crowd.js';
import { isSameOrigin } from './same-origin.js';

const limit = 4 * 1024 * 1024;
const formType = 'application/x-www-form-urlencoded';

/** No scripts, frames, forms, popups or plugins, wherever it is shown: `sandbox` also applies outside the console's frame. */
const previewHeaders = {
  'content-security-policy':
    "sandbox; default-src 'none'; img-src https: http: data:; style-src 'unsafe-inline'; font-src https: data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

// No token is needed, and each holds up to 12 MiB: 192 MiB in total.
const most = { each: 8, together: 16 };

export function installPreview(app: FastifyInstance, path: string, shownOf = asItIs): void {
  const crowd = new Crowd(most, 'previews');
  // In its own scope, because a Fastify parser applies to all routes of its scope.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // Percent-encoding turns one byte into up to three.
    scope.addContentTypeParser(formType, { parseAs: 'string', bodyLimit: 3 * limit + 16 }, (_request, body, done) =>
      done(null, body),
    );
    // First of all, so that refusals are isolated too.
    scope.addHook('onRequest', async (request, reply) => {
      reply.headers(previewHeaders);
      // Pages of other sites must not be able to show anything under our name.
      if (!isSameOrigin(request.headers)) return reply.code(403).send();
      const refusal = crowd.enter(request.ip, reply);
      if (refusal) throw refusal;
    });
    scope.post(path, { config: { area: 'open' } }, async (request, reply) => {
      const html = htmlOf(String(request.body ?? ''));
      if (Buffer.byteLength(html) > limit) throw tooLarge(limit);
      reply.header('content-type', 'text/html; charset=utf-8');
      return shownOf(html);
    });
  });
}

const asItIs = (html: string): string => html;

function htmlOf(body: string): string {
  if (!body.startsWith('html=') || body.includes('&')) throw invalid('html', 'must be the one field of the form');
  try {
    return decodeURIComponent(body.slice('html='.length).replaceAll('+', ' '));
  } catch {
    throw invalid('html', 'must be percent-encoded UTF-8');
  }
}
