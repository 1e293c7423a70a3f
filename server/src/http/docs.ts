import { buildOpenApi } from '@rapport/contract';
import type { FastifyInstance } from 'fastify';
import { jsonType } from './envelope.js';
import { type Prepared, prepare, sendPrepared } from './prepared.js';
import { referenceCsp, referenceFiles } from './reference/index.js';

type Path = '/openapi/v1.json' | '/openapi/v2.json' | '/docs' | '/docs/reference.css';

/** The OpenAPI documents, and the reference page that is made from the same routes. */
export function installDocs(http: FastifyInstance, baseUrl: () => string): void {
  const documents = madeOnce(baseUrl);
  const always = { 'content-security-policy': referenceCsp, 'cache-control': 'no-cache' };
  for (const path of ['/openapi/v1.json', '/openapi/v2.json', '/docs', '/docs/reference.css'] as const) {
    http.get(path, { config: { area: 'open' } }, async (request, reply) =>
      sendPrepared(request, reply, documents(path), always),
    );
  }
}

/** Each when it is first asked for. The base URL is another one once the service listens; then all are made anew. */
function madeOnce(baseUrl: () => string): (path: Path) => Prepared {
  let madeFor: string | undefined;
  const made = new Map<Path, Prepared>();
  return (path) => {
    if (madeFor !== baseUrl()) made.clear();
    madeFor = baseUrl();
    const found = made.get(path) ?? documentAt(path, madeFor);
    made.set(path, found);
    return found;
  };
}

function documentAt(path: Path, baseUrl: string): Prepared {
  if (path === '/openapi/v1.json') return prepare(jsonType, JSON.stringify(buildOpenApi('v1', baseUrl)));
  if (path === '/openapi/v2.json') return prepare(jsonType, JSON.stringify(buildOpenApi('v2', baseUrl)));
  const { type, body } = referenceFiles({ baseUrl })[path];
  return prepare(type, body);
}
