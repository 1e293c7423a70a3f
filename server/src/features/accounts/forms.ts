// Shared by pages for people: reads their forms, and shows errors in words instead of in an envelope.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError, invalid } from '../../http/api-error.js';
import { html, sendPage } from '../../http/page.js';
import type { Served } from '../../http/paths.js';

/** The fields of a submitted form; the first value if a field came several times. */
export type FormFields = Readonly<Partial<Record<string, string>>>;

type Handler = (request: FastifyRequest, reply: FastifyReply, fields: FormFields) => Promise<FastifyReply>;
/** A page by its method and path, such as `GET /oauth/sign-in`; `fields` is empty if no form was sent. */
export type Pages = Readonly<Record<`${'GET' | 'POST'} /${string}`, Handler>>;

// Every field of these forms is short.
const bodyLimit = 16 * 1024;

/** What a part of this feature brings to its manifest: pages, and where they are. */
export function pagesOf(pages: Pages): { serves: Served[]; install(http: FastifyInstance): void } {
  const known = Object.entries(pages).map(([key, handle]) => {
    const [method, path = ''] = key.split(' ') as ['GET' | 'POST', string];
    return { method, path, handle };
  });
  return {
    serves: known.map(({ method, path }) => ({ method, path })),
    install: (http) => {
      http.register(async (scope) => {
        takeForms(scope);
        answerInPages(scope);
        for (const { method, path, handle } of known)
          scope.route({
            method,
            url: path.replace(/\{(\w+)\}/g, ':$1'),
            bodyLimit,
            config: { area: 'open', pattern: path },
            handler: (request, reply) => handle(request, reply, (request.body ?? {}) as FormFields),
          });
      });
    },
  };
}

function takeForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  const type = 'application/x-www-form-urlencoded';
  scope.addContentTypeParser(type, { parseAs: 'string', bodyLimit }, (_request, body, done) => {
    const fields: Record<string, string> = Object.create(null);
    // No keyboard types NUL, and PostgreSQL stores no text with one.
    for (const [name, value] of new URLSearchParams(String(body))) {
      if (value.includes('\0')) return done(invalid('form', 'must be plain text'));
      fields[name] ??= value;
    }
    done(null, fields);
  });
}

/** These pages are seen by people. */
function answerInPages(scope: FastifyInstance): void {
  scope.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
    const known = error instanceof ApiError ? error : undefined;
    const status = known?.status ?? error.statusCode ?? 500;
    if (status < 500) {
      const body = html`<p>The form could not be read. Go back, reload the page and try again.</p>`;
      return sendPage(reply.headers(known?.headers ?? {}), status, { title: 'That didn’t work', body });
    }
    if (!known) request.log.error({ err: error, requestId: request.id }, 'a page for people failed');
    const body = html`<p>This isn’t possible right now. Wait a minute, then try again.</p>`;
    return sendPage(reply.headers({ 'retry-after': '60', ...known?.headers }), 503, {
      ...{ title: 'Please try again', body },
    });
  });
}

/** The answer to a form that did not come from one of our pages, or came from one that was open for too long. */
export function refuseForm(reply: FastifyReply): FastifyReply {
  return sendPage(reply, 403, {
    title: 'This form is out of date',
    body: html`<p>For your safety, forms work only in the browser that opened them. Go back, reload the page, and try again.</p>
<p>If it happens again, allow cookies for this site.</p>`,
  });
}

/** What follows the question mark. */
export function queryOf({ url }: FastifyRequest): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
}
