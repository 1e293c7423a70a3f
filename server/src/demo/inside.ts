// The client of this very process: the app answers it without a network in between.
import { type Client, createClient, type Fetch } from '@rapport/client';
import type { FastifyInstance } from 'fastify';

export function clientOf(http: FastifyInstance, token: string): Client {
  // Nothing gets lost on the way, so nothing is sent twice.
  return createClient({
    baseUrl: '',
    token,
    fetch: fetchFrom(http),
    idempotencyKeys: false,
    patience: { attempts: 1 },
  });
}

// No Response of the platform: Node reads its whole fetch at the first one, and a start should not wait for that.
function fetchFrom(http: FastifyInstance): Fetch {
  return async (url, { method, headers, body }) => {
    if (body !== undefined && typeof body !== 'string') throw new Error('The demo sends no files.');
    const answer = await http.inject({ method, url, headers, ...(body === undefined ? {} : { payload: body }) });
    return {
      ok: answer.statusCode >= 200 && answer.statusCode < 300,
      status: answer.statusCode,
      headers: { get: (name) => answer.headers[name]?.toString() ?? null },
      body: null,
      text: async () => answer.payload,
    };
  };
}
