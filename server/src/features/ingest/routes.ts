import * as contract from '@rapport/contract';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Database } from '../../db/database.js';
import { bodyReader, objectReader } from '../../http/body.js';
import { installBodyParser } from '../../http/body-parser.js';
import { type Caller, type Endpoint, endpoint, pageOf } from '../../http/endpoint.js';
import { jsonType } from '../../http/envelope.js';
import type { Served } from '../../http/paths.js';
import { withoutInfinity } from '../../lib/finite.js';
import type { Acknowledger } from '../transactions/index.js';
import { segmentWriteKind } from './apply-batches.js';
import { type Fields, isFields } from './fields.js';
import { selectRefusals } from './queries.js';
import { calls } from './read-message.js';

// Messages are checked one by one when they are applied: a bad one must not stop the others.
const readBatch = bodyReader(
  Type.Object({ batch: Type.Array(Type.Unknown({ checkedLater: true }), { minItems: 1, maxItems: 1000 }) }),
  'POST',
);

// Segment's browser library uses their first letters.
const routes = ['batch', ...calls].flatMap((call) => [
  { call, path: `/ingest/v1/${call}` },
  { call, path: `/ingest/v1/${call[0]}` },
]);
export const ingestPaths: readonly Served[] = routes.map(({ path }) => ({ method: 'POST', path }));

/** Segment's HTTP tracking API. Outside /v1 and /v2: it has its own answers. */
export function installIngest(http: FastifyInstance, acknowledger: Acknowledger): void {
  const accept = async (request: FastifyRequest, items: number, type: string | null) => {
    const { tenantId } = request.caller as Caller;
    const payload = `{"type":${JSON.stringify(type)},"body":${bodyText(request)}}`;
    await acknowledger.acknowledge({ tenantId, kind: segmentWriteKind, items, payload });
    return '{"success":true}';
  };
  http.register(async (scope) => {
    installBodyParser(scope, true);
    for (const { call, path } of routes) {
      scope.route({
        method: 'POST',
        url: path,
        config: { area: 'ingest', pattern: path, takesPageKey: true },
        handler: async (request, reply) => {
          reply.header('content-type', jsonType);
          if (call === 'batch') return accept(request, (readBatch(request.body) as { batch: [] }).batch.length, null);
          objectReader(request.body);
          return accept(request, 1, call);
        },
      });
    }
  });
}

/** The body as it came, without the write key that Segment's clients put there: a token is not stored with the calls. */
function bodyText(request: FastifyRequest): string {
  const body = request.body as Fields;
  const messages = Array.isArray(body.batch) ? body.batch : [];
  if (![body, ...messages].some(hasWriteKey)) return request.bodyText;
  const rest = withoutWriteKey(body) as Fields;
  if (messages.length > 0) rest.batch = messages.map(withoutWriteKey);
  const json = JSON.stringify(rest);
  // Only if a trace of it shows: see withoutInfinity.
  return json.includes('null') ? JSON.stringify(rest, withoutInfinity) : json;
}

function hasWriteKey(message: unknown): boolean {
  return isFields(message) && Object.hasOwn(message, 'writeKey');
}

function withoutWriteKey(message: unknown): unknown {
  if (!isFields(message)) return message;
  const { writeKey: _, ...rest } = message;
  return rest;
}

export function ingestEndpoints(db: Database): Endpoint[] {
  return [endpoint(contract.listIngestLog, ({ caller, query }) => selectRefusals(db, caller.tenantId, pageOf(query)))];
}
