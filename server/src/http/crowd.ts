// Limits how many requests of a kind are in flight, per caller and in total: requests without a token, which no budget counts, by their
// address; uploads by their tenant.
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiError } from './api-error.js';
import { notReady } from './error-handler.js';

export class Crowd {
  private readonly of = new Map<string, number>();
  private all = 0;

  constructor(
    private readonly most: { each: number; together: number },
    private readonly what: string,
  ) {}

  /** Admits a request until it is answered, or says why not. */
  enter(whose: string, reply: FastifyReply): ApiError | undefined {
    const others = this.of.get(whose) ?? 0;
    if (others >= this.most.each || this.all >= this.most.together)
      return notReady({ reason: `there are too many ${this.what} at once`, retryAfter: 1 });
    this.of.set(whose, others + 1);
    this.all++;
    let isIn = true;
    const leave = () => {
      if (isIn) this.leave(whose);
      isIn = false;
    };
    // The client has received the response, or is gone.
    reply.raw.once('finish', leave).once('close', leave);
    return undefined;
  }

  private leave(whose: string): void {
    this.all--;
    const left = (this.of.get(whose) ?? 1) - 1;
    if (left > 0) this.of.set(whose, left);
    else this.of.delete(whose);
  }
}

// An unknown length counts as the maximum.
const unsaid = 10 * 1024 * 1024;

/**
 * Limits the bytes of bodies being received or read, per tenant and in total: one token can open a thousand
 * connections and finish none. Short bodies are not counted.
 */
export class BodyRoom {
  private readonly of = new Map<number, number>();
  private all = 0;

  constructor(private readonly most: { perTenant: number; together: number; short: number }) {}

  /** Admits a body until its request is answered, or says why not. */
  enter(tenantId: number, { headers }: FastifyRequest, reply: FastifyReply): ApiError | undefined {
    const said = Number(headers['content-length']);
    const bytes = Math.min(unsaid, headers['transfer-encoding'] === undefined ? said || 0 : unsaid);
    if (bytes <= this.most.short) return undefined;
    const others = this.of.get(tenantId) ?? 0;
    if (others + bytes > this.most.perTenant || this.all + bytes > this.most.together)
      return notReady({ reason: 'too many large bodies are being received', retryAfter: 1 });
    this.of.set(tenantId, others + bytes);
    this.all += bytes;
    let isIn = true;
    const leave = () => {
      if (isIn) this.leave(tenantId, bytes);
      isIn = false;
    };
    reply.raw.once('finish', leave).once('close', leave);
    return undefined;
  }

  private leave(tenantId: number, bytes: number): void {
    this.all -= bytes;
    const left = (this.of.get(tenantId) ?? bytes) - bytes;
    if (left > 0) this.of.set(tenantId, left);
    else this.of.delete(tenantId);
  }
}
