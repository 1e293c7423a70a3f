// Stops the service without losing what is in flight.
import type { App } from './app.js';
import type { Database } from './db/database.js';
import type { EmbeddedPostgres } from './db/embedded/index.js';
import type { Inbound } from './features/messages/inbound/listener.js';
import type { SharedBudget } from './http/rate-limit-redis.js';
import { systemClock } from './lib/clock.js';

// Milliseconds. Less than the 30 s that Kubernetes waits, whatever does not end: a client that never finishes its request,
// a statement, the database itself.
export const stopPatience = { statements: 15_000, requests: 20_000, goodbye: 3000, all: 25_000 };
// Part of it is reserved for a database that must be ended by force.
const forceMs = 3500;

/** Lets requests and work in flight end, within limits, then closes what they use. */
export async function stopService(
  app: App,
  db: Database,
  budget: SharedBudget | undefined,
  embedded: EmbeddedPostgres | undefined,
  inbound: Inbound | undefined,
): Promise<void> {
  const startedAt = systemClock.elapsed();
  app.drain();
  let isAway = false;
  const giveUp = () => void db.close({ atOnce: true });
  // There is no point in waiting for a database that does not answer.
  db.ping().catch(() => {
    isAway = true;
    giveUp();
  });
  const timers = [
    setTimeout(giveUp, stopPatience.statements),
    setTimeout(() => app.http.server.closeAllConnections(), stopPatience.requests),
    // A connection whose last request has been answered stays open for the next one, and would delay the stop to the end.
    setInterval(() => app.http.server.closeIdleConnections(), 100),
  ];
  await Promise.all([app.close(), inbound?.close()]);
  timers.push(setTimeout(giveUp, stopPatience.goodbye));
  budget?.close();
  await db.close();
  for (const timer of timers) clearTimeout(timer);
  const left = stopPatience.all - forceMs - (systemClock.elapsed() - startedAt);
  await embedded?.stop(Math.max(0, isAway ? Math.min(left, stopPatience.goodbye) : left));
}
