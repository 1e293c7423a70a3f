// The tracking routes in the server that ships, in front of a ledger that a test can inspect.
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { pino } from 'pino';
import type { Engagement, TrackingNeeds } from '../src/features/messages/tracking/routes.js';
import { installTracking, trackingPaths } from '../src/features/messages/tracking/routes.js';
import { LinkMaker } from '../src/features/messages/tracking/tokens.js';
import { createServer } from '../src/http/server.js';
import { type Clock, systemClock } from '../src/lib/clock.js';

export const messageId = '0190a3c4e5f67890a3c4e5f67890a3c4';
export const tenantId = 7;

/** Stands in for the ledger: one message of tenant 7, to one address. */
export class FakeLedger implements TrackingNeeds {
  readonly keys = new Map([
    [tenantId, randomBytes(32)],
    [8, randomBytes(32)],
  ]);
  readonly engagements: ({ tenantId: number } & Engagement)[] = [];
  /** Requests that change something. */
  readonly changes: string[] = [];
  subscription: { email: string; isUnsubscribed: boolean; branding: null } | undefined = {
    email: 'ada@example.com',
    isUnsubscribed: false,
    branding: null,
  };
  html = '<p>Hello</p>';

  links(baseUrl: string, of = tenantId): LinkMaker {
    return new LinkMaker(baseUrl, this.keys.get(of) as Buffer, of, messageId);
  }

  async keyOf(of: number): Promise<Buffer | undefined> {
    return this.keys.get(of);
  }

  async record(of: number, engagement: Engagement): Promise<void> {
    this.engagements.push({ tenantId: of, ...engagement });
  }

  async subscriptionOf(of: number, message: string) {
    return of === tenantId && message === messageId ? this.subscription && { ...this.subscription } : undefined;
  }

  async preferencesOf(of: number, message: string) {
    const subscription = await this.subscriptionOf(of, message);
    return subscription && { ...subscription, topics: [] };
  }

  async savePreferences(of: number, message: string) {
    return this.preferencesOf(of, message);
  }

  async unsubscribe(of: number, message: string): Promise<boolean> {
    return this.change('unsubscribe', of, message, true);
  }

  async resubscribe(of: number, message: string): Promise<boolean> {
    return this.change('resubscribe', of, message, false);
  }

  async renderView(of: number, message: string) {
    return (await this.subscriptionOf(of, message)) && { subject: 'Hello', html: this.html };
  }

  private change(what: string, of: number, message: string, isUnsubscribed: boolean): boolean {
    if (of !== tenantId || message !== messageId || !this.subscription) return false;
    this.changes.push(what);
    this.subscription.isUnsubscribed = isUnsubscribed;
    return true;
  }
}

/** `logged` collects the log messages. */
export function trackingServer(
  needs: TrackingNeeds,
  { clock = systemClock, logged = [] }: { clock?: Clock; logged?: string[] } = {},
): FastifyInstance {
  const write = (line: string) => void logged.push(JSON.parse(line).msg);
  const refuse = () => ({ status: 401, headers: {} }) as const;
  const app = createServer({
    endpoints: [],
    others: trackingPaths,
    guards: { api: refuse, admin: refuse, ingest: refuse },
    pageKeyGuard: refuse,
    clock,
    log: pino({}, { write }),
    whyUnavailable: () => undefined,
  });
  installTracking(app, needs, clock);
  return app;
}
