import { buildOpenApi } from '@rapport/contract';
import type { FastifyInstance } from 'fastify';
import { jsonType } from './envelope.js';
import { type Prepared, prepare, sendPrepared } from './prepared.js';
import { type ReferencePath, referenceCsp, referenceFiles, referencePaths } from './reference/index.js';

type Path = '/openapi/v1.json' | '/openapi/v2.json' | ReferencePath;
export const docsPaths: readonly Path[] = ['/openapi/v1.json', '/openapi/v2.json', ...referencePaths];

const always = {
  'content-security-policy': referenceCsp,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
};

/** The OpenAPI documents, and the reference page that is built from the same routes. */
export function installDocs(http: FastifyInstance, baseUrl: () => string): void {
  const documents = madeOnce(baseUrl);
  for (const path of docsPaths) {
    http.get(path, { config: { area: 'open' } }, async (request, reply) =>
      sendPrepared(request, reply, documents(path), always),
    );
  }
}

/** Each is built on first request. The base URL may change once the service listens; then all are built again. */
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
  const { type, body } = referenceFiles[path]({ baseUrl });
  return prepare(type, body);
}
