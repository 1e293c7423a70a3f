import { buildOpenApi } from '@rapport/contract';
import type { FastifyInstance } from 'fastify';
import { referenceCsp, referenceFiles } from './reference/index.js';

/** The OpenAPI documents, and the reference page that is made from the same routes. */
export function installDocs(http: FastifyInstance, baseUrl: () => string): void {
  const config = { area: 'open' } as const;
  for (const version of ['v1', 'v2'] as const) {
    http.get(`/openapi/${version}.json`, { config }, async () => buildOpenApi(version, baseUrl()));
  }
  for (const path of ['/docs', '/docs/reference.css'] as const) {
    http.get(path, { config }, async (_request, reply) => {
      const { type, body } = referenceFiles({ baseUrl: baseUrl() })[path];
      reply.headers({
        'content-type': type,
        'content-security-policy': referenceCsp,
        'x-content-type-options': 'nosniff',
      });
      return body;
    });
  }
}
