// How many requests without a token are in flight, for each address and together: nobody's budget counts them.
import type { FastifyReply } from 'fastify';
import type { ApiError } from './api-error.js';
import { notReady } from './error-handler.js';

export class Crowd {
  private readonly of = new Map<string, number>();
  private all = 0;

  constructor(
    private readonly most: { perAddress: number; together: number },
    private readonly what: string,
  ) {}

  /** Lets a request in until it is answered, or says why not. */
  enter(address: string, reply: FastifyReply): ApiError | undefined {
    const others = this.of.get(address) ?? 0;
    if (others >= this.most.perAddress || this.all >= this.most.together)
      return notReady({ reason: `there are too many ${this.what} at once`, retryAfter: 1 });
    this.of.set(address, others + 1);
    this.all++;
    let isIn = true;
    const leave = () => {
      if (isIn) this.leave(address);
      isIn = false;
    };
    // Taken by the client, or the client is gone.
    reply.raw.once('finish', leave).once('close', leave);
    return undefined;
  }

  private leave(address: string): void {
    this.all--;
    const left = (this.of.get(address) ?? 1) - 1;
    if (left > 0) this.of.set(address, left);
    else this.of.delete(address);
  }
}
