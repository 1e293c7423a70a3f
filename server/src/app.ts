// Builds the app that ships: tests use this very one. Lists the features and ties them together.
import { buildOpenApi } from '@rapport/contract';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { isLockTimeout, whyUnavailable } from './db/connect.js';
import { foldCounters } from './db/counters.js';
import type { Database } from './db/database.js';
import { activityEndpoints } from './features/contact-activity/index.js';
import {
  contactApplier,
  contactEndpoints,
  importEndpoints,
  importPresenter,
  serveImport,
  settleSearch,
  sweepUploads,
} from './features/contacts/index.js';
import { emailVersionEndpoints, eraseVersions } from './features/email-versions/index.js';
import { emailEndpoints, insertOutboxMessage, type UseCheck } from './features/emails/index.js';
import {
  eraseEvents,
  eventApplier,
  eventEndpoints,
  eventWriteKind,
  KeySweeper,
  MonthKeeper,
  Retention,
} from './features/events/index.js';
import { folderEndpoints } from './features/folders/index.js';
import { sweepKeys } from './features/idempotency/index.js';
import {
  eraseIngested,
  forgetIngested,
  ingestEndpoints,
  ingestPaths,
  installIngest,
  segmentApplier,
  segmentWriteKind,
  settleUsers,
  sweepRefusals,
  sweepWaiting,
} from './features/ingest/index.js';
import { eraseMemberships, listEndpoints, memberEndpoints } from './features/lists/index.js';
import { organizationEndpoints } from './features/organizations/index.js';
import { findLiveToken, TokenUses, tenantEndpoints } from './features/tenants/index.js';
import {
  Acknowledger,
  Appliers,
  applyPending,
  installExports,
  serveTenant,
  sweepTransactions,
} from './features/transactions/index.js';
import { startTransactionWorker } from './features/transactions/worker.js';
import { eraseUsers, userApplier, userEndpoints, userWriteKind } from './features/users/index.js';
import { ApiError } from './http/api-error.js';
import { installConsole } from './http/console.js';
import type { Caller } from './http/endpoint.js';
import { jsonType, successJson } from './http/envelope.js';
import { notReady } from './http/error-handler.js';
import { adminGuard, apiGuard, ingestGuard } from './http/guard.js';
import { installMetrics } from './http/metrics.js';
import { memoryBudget, type TakeBudget } from './http/rate-limit.js';
import { referenceCsp, referenceFiles } from './http/reference/index.js';
import { installRequestLog } from './http/request-log.js';
import { createServer } from './http/server.js';
import { TokenCache } from './http/token-cache.js';
import { type Clock, systemClock } from './lib/clock.js';
import { outboxTransport } from './mail/outbox.js';
import type { Transport } from './mail/transport.js';
import { type Loop, startLoop } from './work/loop.js';
import { inSteps, type Periodic, runPeriodically } from './work/periodic.js';

export interface AppOptions {
  db: Database;
  adminToken: string;
  /** Asked at each use: the port may be known only once the service listens. */
  baseUrl: () => string;
  log: FastifyBaseLogger;
  clock?: Clock;
  takeBudget?: TakeBudget;
  /** How messages leave. By default they are kept in the outbox. */
  transport?: Transport;
  processMetrics?: boolean;
  /** False for a process that only works: it answers health and metrics, not the API. */
  serveApi?: boolean;
  /** Tells other processes that a write was acknowledged here. */
  wakeOthers?: () => void;
  /** How long finished transactions stay readable. */
  transactionRetentionDays?: number;
  /** How long events are kept; for ever by default. */
  eventRetentionDays?: number | undefined;
}

export interface App {
  http: FastifyInstance;
  /** From here on /readyz says no, so that a load balancer looks elsewhere. */
  drain(): void;
  /** The worker role: applies acknowledged writes, and the background chores. */
  startWork(): void;
  /** There is work: somebody acknowledged a write. */
  wake(): void;
  close(): Promise<void>;
}

export function buildApp(options: AppOptions): App {
  const { db, log, clock = systemClock } = options;
  const tokenUses = new TokenUses(db, clock);
  const tokens = new TokenCache((tokenHash) => findLiveToken(db, tokenHash), clock);
  const noted = (caller: Caller | undefined) => {
    if (caller) tokenUses.note(caller);
    return caller;
  };
  const findCaller = (token: string) => {
    const caller = tokens.get(token);
    return caller instanceof Promise ? caller.then(noted) : noted(caller);
  };
  const appliers = new Appliers();
  appliers.onApply(contactApplier([eraseMemberships, eraseEvents, eraseIngested, eraseUsers, eraseVersions]));
  const onUsersMade = [settleUsers];
  appliers.onApply(userApplier(onUsersMade));
  let keeping: Loop | undefined;
  let dropping: Loop | undefined;
  const months = new MonthKeeper(db, () => keeping?.wake());
  const onMonths = (stored: Iterable<number>) => months.note(stored);
  appliers.onApply(eventApplier({ onMonths, onUsersMade }));
  appliers.onApply(segmentApplier(onMonths));
  appliers.onPresent(importPresenter);
  let worker: Loop | undefined;
  const wake = () => worker?.wake();
  const acknowledger = new Acknowledger(db, () => {
    wake();
    options.wakeOthers?.();
  });
  // What makes users and organizations, or counts on them.
  const kinds = [userWriteKind, eventWriteKind, segmentWriteKind];
  const afterWrites = (tenantId: number) => applyPending(db, (id) => serveTurn(db, appliers, id), tenantId, kinds);
  const transport = options.transport ?? outboxTransport((message) => insertOutboxMessage(db, message));
  // What keeps an email from being deleted; journeys will say theirs here.
  const emailUses: UseCheck[] = [];
  const endpoints = [
    ...contactEndpoints(db, acknowledger, appliers),
    ...importEndpoints(db, acknowledger),
    ...eventEndpoints(db, acknowledger, appliers),
    ...ingestEndpoints(db),
    ...activityEndpoints(db),
    ...userEndpoints(db, acknowledger, appliers, afterWrites, [forgetIngested]),
    ...organizationEndpoints(db, afterWrites),
    ...listEndpoints(db),
    ...memberEndpoints(db),
    ...emailEndpoints(db, options.baseUrl, emailUses),
    ...emailVersionEndpoints({ db, clock, transport, baseUrl: options.baseUrl }),
    ...folderEndpoints(db),
    ...tenantEndpoints(db, () => tokens.clear()),
  ];
  const takeBudget = options.takeBudget ?? memoryBudget(clock);
  const http = createServer({
    endpoints: options.serveApi === false ? [] : endpoints,
    others: options.serveApi === false ? [] : ingestPaths,
    guards: {
      api: apiGuard(findCaller, takeBudget),
      ingest: ingestGuard(findCaller, takeBudget),
      admin: adminGuard(options.adminToken, clock),
    },
    clock,
    log,
    whyUnavailable,
  });
  installRequestLog(http);
  const metrics = installMetrics(http);
  if (options.processMetrics) metrics.processMetrics();
  let draining = false;
  installHealth(http, db, clock, () => draining);
  installDocs(http, options.baseUrl);
  if (options.serveApi !== false) {
    installExports(http, db);
    installIngest(http, acknowledger);
    installConsole(http);
  }
  http.get('/metrics', { config: { area: 'admin' } }, async (_request, reply) => {
    reply.header('content-type', metrics.registry.contentType);
    return metrics.registry.metrics();
  });

  const keptDays = options.transactionRetentionDays ?? 30;
  const complain = (error: Error) => log.warn({ err: error }, 'a chore failed; it runs again');
  const everyHour = (job: () => Promise<void>) =>
    startLoop({
      turn: async () => {
        await job();
        return 'idle';
      },
      lanes: 1,
      pollMs: 3_600_000,
      // Readers, writers and backups go first: nothing is wrong then.
      onError: (error) =>
        isLockTimeout(error) ? log.info('months of events are in use; trying again') : complain(error),
    });
  const chores: Periodic[] = [runPeriodically(() => tokenUses.flush(), 5000, complain)];
  return {
    http,
    drain: () => {
      draining = true;
    },
    wake,
    startWork: () => {
      worker = startTransactionWorker({
        db,
        serve: (tenantId) => serveTurn(db, appliers, tenantId),
        clock,
        lanes: 2,
        pollMs: 250,
        onError: complain,
      });
      const keys = new KeySweeper(db);
      const retention = new Retention(db, options.eventRetentionDays);
      // Each by itself: under a steady backfill it takes long until every month is made, and old ones must leave meanwhile.
      keeping = everyHour(() => months.keep());
      dropping = everyHour(() => retention.apply());
      chores.push(
        runPeriodically(() => settleSearch(db, clock), 1000, complain),
        runPeriodically(() => inSteps((atMost) => sweepTransactions(db, keptDays, atMost)), 60_000, complain),
        runPeriodically(() => foldCounters(db, 100), 10_000, complain),
        runPeriodically(() => inSteps((atMost) => sweepKeys(db, atMost)), 60_000, complain),
        runPeriodically(() => keys.sweep(), 60_000, complain),
        runPeriodically(() => inSteps((atMost) => sweepRefusals(db, atMost)), 60_000, complain),
        runPeriodically(() => inSteps((atMost) => sweepWaiting(db, atMost)), 60_000, complain),
        runPeriodically(() => sweepUploads(db, 6, 100), 600_000, complain),
      );
    },
    close: async () => {
      await http.close();
      await Promise.all([worker?.stop(), keeping?.stop(), dropping?.stop()]);
      await Promise.all(chores.map((chore) => chore.stop()));
      transport.close();
      await tokenUses.flush().catch(complain);
    },
  };
}

/** The tenant's waiting writes, then one chunk of an import: neither holds the other up for long. */
async function serveTurn(db: Database, appliers: Appliers, tenantId: number): Promise<number | 'busy'> {
  const writes = await serveTenant(db, appliers, tenantId);
  if (writes === 'busy') return 'busy';
  const rows = await serveImport(db, tenantId);
  return rows === 'busy' ? writes || 'busy' : writes + rows;
}

function installHealth(http: FastifyInstance, db: Database, clock: Clock, isDraining: () => boolean): void {
  const config = { area: 'open' } as const;
  http.get('/healthz', { config }, async (_request, reply) => {
    reply.header('content-type', jsonType);
    return successJson('{"status":"ok"}', clock.now());
  });
  http.get('/readyz', { config }, async (_request, reply) => {
    if (isDraining()) throw new ApiError('NOT_READY', { reason: 'it is stopping' });
    await db.ping().catch((cause: Error) => {
      throw notReady({ reason: 'the database does not answer', retryAfter: 1 }, cause);
    });
    reply.header('content-type', jsonType);
    return successJson('{"status":"ready"}', clock.now());
  });
}

function installDocs(http: FastifyInstance, baseUrl: () => string): void {
  const config = { area: 'open' } as const;
  for (const version of ['v1', 'v2'] as const) {
    http.get(`/openapi/${version}.json`, { config }, async () => buildOpenApi(version, baseUrl()));
  }
  for (const path of ['/docs', '/docs/reference.css'] as const) {
    http.get(path, { config }, async (_request, reply) => {
      const { type, body } = referenceFiles({ baseUrl: baseUrl() })[path];
      reply.headers({
        'content-type': type,
        'content-security-policy': referenceCsp,
        'x-content-type-options': 'nosniff',
      });
      return body;
    });
  }
}
