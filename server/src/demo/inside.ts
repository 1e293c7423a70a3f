// A client inside the process: the app answers it without a network in between.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, createClient, type Fetch } from '@rapport/client';
import type { FastifyInstance } from 'fastify';

export function clientOf(http: FastifyInstance, token: string): Client {
  // Nothing gets lost on the way, so nothing is sent twice; but see `fetchFrom`.
  return createClient({
    baseUrl: '',
    token,
    fetch: fetchFrom(http),
    idempotencyKeys: false,
    patience: { attempts: 1 },
  });
}

// Attempts, and milliseconds between them. What was answered 503 was not done: a machine that is busy while it starts has a lock time out.
const attempts = 60;
const pauseMs = 250;

// No Response of the platform: Node reads its whole fetch at the first one, and a start should not wait for that.
function fetchFrom(http: FastifyInstance): Fetch {
  return async (url, { method, headers, body }) => {
    if (body !== undefined && typeof body !== 'string') throw new Error('The demo sends no files.');
    const ask = () => http.inject({ method, url, headers, ...(body === undefined ? {} : { payload: body }) });
    let answer = await ask();
    for (let asked = 1; answer.statusCode === 503 && asked < attempts; asked++) {
      await sleep(pauseMs);
      answer = await ask();
    }
    return {
      ok: answer.statusCode >= 200 && answer.statusCode < 300,
      status: answer.statusCode,
      headers: { get: (name) => answer.headers[name]?.toString() ?? null },
      body: null,
      text: async () => answer.payload,
    };
  };
}
