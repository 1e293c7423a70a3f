// Tells a client that got a 401 who issues tokens for this service: RFC 9728.
import type { FastifyInstance } from 'fastify';
import { resourceMetadataPath } from '../../http/guard.js';
import type { Served } from '../../http/paths.js';
import type { AuthorizationServer } from './provider/server.js';

export const metadataPaths: readonly Served[] = [{ method: 'GET', path: resourceMetadataPath }];

export function installResourceMetadata(http: FastifyInstance, server: AuthorizationServer): void {
  const config = { area: 'open', pattern: resourceMetadataPath } as const;
  http.get(resourceMetadataPath, { config }, (_request, reply) =>
    reply.headers({ 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=3600' }).send({
      resource: server.resource,
      authorization_servers: [server.issuer],
      scopes_supported: ['READ', 'WRITE'],
      bearer_methods_supported: ['header'],
      resource_name: 'Rapport',
    }),
  );
}
