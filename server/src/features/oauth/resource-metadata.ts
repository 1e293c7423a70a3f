// Tells a client that got a 401 who issues tokens for this service, and for /mcp: RFC 9728.
import { agentScopes } from '@rapport/contract';
import type { FastifyInstance } from 'fastify';
import { mcpMetadataPath, resourceMetadataPath } from '../../http/guard.js';
import type { Served } from '../../http/paths.js';
import type { AuthorizationServer } from './provider/server.js';

export const metadataPaths: readonly Served[] = [resourceMetadataPath, mcpMetadataPath].map((path) => ({
  method: 'GET',
  path,
}));

export function installResourceMetadata(http: FastifyInstance, server: AuthorizationServer): void {
  const tell = (path: string, about: () => { resource: string; scopes_supported: readonly string[] }) => {
    const config = { area: 'open', pattern: path } as const;
    http.get(path, { config }, (_request, reply) => {
      const { resource, scopes_supported } = about();
      return reply.headers({ 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=3600' }).send({
        resource,
        authorization_servers: [server.issuer],
        scopes_supported,
        bearer_methods_supported: ['header'],
        resource_name: 'Rapport',
      });
    });
  };
  tell(resourceMetadataPath, () => ({ resource: server.resource, scopes_supported: ['READ', 'WRITE'] }));
  tell(mcpMetadataPath, () => ({ resource: server.mcpResource, scopes_supported: agentScopes }));
}
