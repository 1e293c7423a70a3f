import { EventEmitter } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import { BodyRoom, Crowd } from './crowd.js';

const MiB = 1024 * 1024;

/** The response to a request with a body of this size before the body is read, and a function that ends it. */
function visitor(room: BodyRoom, tenantId: number, headers: Record<string, string>) {
  const raw = new EventEmitter();
  const refusal = room.enter(tenantId, { headers } as never as FastifyRequest, { raw } as never as FastifyReply);
  return {
    status: refusal?.status,
    retryAfter: refusal?.headers['retry-after'],
    leave: (how: string) => raw.emit(how),
  };
}

describe('bodies that are on their way', () => {
  const room = () => new BodyRoom({ perTenant: 20 * MiB, together: 30 * MiB, short: 1024 });
  const long = { 'content-length': String(8 * MiB) };

  it('are bounded in bytes per tenant: the next is told to try again', () => {
    const own = room();
    expect([visitor(own, 1, long), visitor(own, 1, long)].map(({ status }) => status)).toEqual([undefined, undefined]);
    expect(visitor(own, 1, long)).toMatchObject({ status: 503, retryAfter: '1' });
    expect(visitor(own, 2, long).status).toBeUndefined();
  });

  it('are bounded together', () => {
    const own = room();
    for (const tenant of [1, 2, 3]) expect(visitor(own, tenant, long).status).toBeUndefined();
    expect(visitor(own, 4, long).status).toBe(503);
  });

  it('make room once they are answered, or their client is gone, and only once', () => {
    const own = room();
    const [first, second] = [visitor(own, 1, long), visitor(own, 1, long)];
    first.leave('finish');
    first.leave('close');
    expect(visitor(own, 1, long).status).toBeUndefined();
    expect(visitor(own, 1, long).status).toBe(503);
    second.leave('close');
    expect(visitor(own, 1, long).status).toBeUndefined();
  });

  it('count with the maximum if their length is unknown, and not at all if they are short', () => {
    const own = room();
    for (let i = 0; i < 2; i++) expect(visitor(own, 1, { 'transfer-encoding': 'chunked' }).status).toBeUndefined();
    expect(visitor(own, 1, { 'transfer-encoding': 'chunked' }).status).toBe(503);
    expect(visitor(own, 1, { 'content-length': '1024' }).status).toBeUndefined();
    expect(visitor(own, 1, {}).status).toBeUndefined();
  });
});

describe('requests of a kind', () => {
  it('are bounded for each caller and together, and make room once', () => {
    const crowd = new Crowd({ each: 2, together: 3 }, 'uploads');
    const enter = (whose: string) => {
      const raw = new EventEmitter();
      return { raw, refusal: crowd.enter(whose, { raw } as never as FastifyReply) };
    };
    const [first, second, third] = [enter('1'), enter('1'), enter('1')];
    expect([first.refusal, second.refusal]).toEqual([undefined, undefined]);
    expect(third.refusal?.status).toBe(503);
    expect(third.refusal?.items[0]?.message).toContain('there are too many uploads at once');
    expect([enter('2').refusal, enter('3').refusal?.status]).toEqual([undefined, 503]);
    first.raw.emit('finish');
    first.raw.emit('close');
    expect([enter('1').refusal, enter('1').refusal?.status]).toEqual([undefined, 503]);
  });
});
