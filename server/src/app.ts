// Builds the app that ships: tests use this very one. A table of the features, and what ties them together.
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { isLockTimeout, whyUnavailable } from './db/connect.js';
import { foldCounters } from './db/counters.js';
import type { Database } from './db/database.js';
import type { Hearing } from './db/news.js';
import { contactActivity } from './features/contact-activity/index.js';
import { contacts, type Eraser } from './features/contacts/index.js';
import { emailVersions } from './features/email-versions/index.js';
import { emails, insertOutboxMessage, type UseCheck } from './features/emails/index.js';
import { events } from './features/events/index.js';
import { folders } from './features/folders/index.js';
import { idempotency } from './features/idempotency/index.js';
import { ingest } from './features/ingest/index.js';
import { lists } from './features/lists/index.js';
import { operations } from './features/operations/index.js';
import { organizations } from './features/organizations/index.js';
import { tenants } from './features/tenants/index.js';
import {
  Acknowledger,
  type Applier,
  Appliers,
  EarlierWrites,
  type LongApplier,
  transactions,
} from './features/transactions/index.js';
import { users } from './features/users/index.js';
import { installConsole } from './http/console.js';
import { installDocs } from './http/docs.js';
import type { Endpoint } from './http/endpoint.js';
import { adminGuard, apiGuard, ingestGuard } from './http/guard.js';
import { installHealth } from './http/health.js';
import { createMetrics } from './http/metrics.js';
import type { Served } from './http/paths.js';
import { memoryBudget, type TakeBudget } from './http/rate-limit.js';
import { installRequestLog } from './http/request-log.js';
import { createServer } from './http/server.js';
import { type Clock, systemClock } from './lib/clock.js';
import { outboxTransport } from './mail/outbox.js';
import type { Transport } from './mail/transport.js';
import { type Chore, inSteps, startChore } from './work/chores.js';
import type { Loop } from './work/loop.js';
import type { Queue } from './work/queue.js';
import { startWorker } from './work/worker.js';

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
  /** Tells other processes that there is work in a queue. */
  wakeOthers?: (queue: string) => void;
  /** How long finished transactions stay readable. */
  transactionRetentionDays?: number;
  /** How long events are kept; for ever by default. */
  eventRetentionDays?: number | undefined;
}

export interface App {
  http: FastifyInstance;
  /** From here on /readyz says no, so that a load balancer looks elsewhere. */
  drain(): void;
  /** The worker role: does what waits, and the background chores. */
  startWork(): void;
  /** There is work in a queue: somebody acknowledged a write. */
  wake(queue: string): void;
  close(): Promise<void>;
}

/** What a feature brings. Each says so in its index.ts. */
interface Feature {
  endpoints?: readonly Endpoint[];
  /** Routes beside the contract: which, and what installs them. */
  serves?: readonly Served[];
  install?(http: FastifyInstance): void;
  queues?: readonly Queue[];
  chores?: readonly Chore[];
  /** What it registers with features below it. */
  appliers?: readonly Applier[];
  longAppliers?: readonly LongApplier[];
  erasers?: readonly Eraser[];
  emailUses?: readonly UseCheck[];
  hears?: readonly Hearing[];
  close?(): Promise<void>;
}

export function buildApp(options: AppOptions): App {
  const { db, log, baseUrl, clock = systemClock } = options;
  // What features above register with features below: filled from the table, and read once the service runs.
  const appliers = new Appliers();
  const erasers: Eraser[] = [];
  const uses: UseCheck[] = [];
  const queues: Queue[] = [];

  const workers = new Map<string, Loop>();
  const wake = (queue: string) => workers.get(queue)?.wake();
  const acknowledger = new Acknowledger(db, () => {
    wake('writes');
    options.wakeOthers?.('writes');
  });
  const earlier = new EarlierWrites(db, appliers, clock);
  const transport = options.transport ?? outboxTransport((message) => insertOutboxMessage(db, message));
  const metrics = createMetrics();

  const who = tenants({ db, clock });
  const overview = operations({ db, queues, registry: metrics.registry, log });
  const product = events({ db, acknowledger, appliers, keptDays: options.eventRetentionDays });
  const features: Feature[] = [
    overview,
    who,
    idempotency(db),
    folders({ db }),
    transactions({ db, appliers, keptDays: options.transactionRetentionDays ?? 30 }),
    contacts({ db, clock, acknowledger, appliers, erasers }),
    organizations({ db, earlier }),
    users({ db, acknowledger, appliers, earlier }),
    product,
    ingest({ db, acknowledger, onMonths: product.onMonths }),
    contactActivity({ db }),
    lists({ db }),
    emails({ db, baseUrl, uses }),
    emailVersions({ db, clock, transport, baseUrl }),
    {
      chores: [
        { name: 'counters', everyMs: 10_000, run: (signal) => inSteps((n) => foldCounters(db.background, n), signal) },
      ],
    },
  ];
  for (const feature of features) {
    for (const applier of feature.appliers ?? []) appliers.onApply(applier);
    for (const applier of feature.longAppliers ?? []) appliers.onApplyInSteps(applier);
    for (const hear of feature.hears ?? []) hear(db.identity);
    erasers.push(...(feature.erasers ?? []));
    uses.push(...(feature.emailUses ?? []));
    queues.push(...(feature.queues ?? []));
  }

  const servesApi = options.serveApi !== false;
  const takeBudget = options.takeBudget ?? memoryBudget(clock);
  const http = createServer({
    endpoints: servesApi ? features.flatMap(({ endpoints = [] }) => endpoints) : [],
    others: servesApi ? features.flatMap(({ serves = [] }) => serves) : [],
    guards: {
      api: apiGuard(who.findCaller, takeBudget),
      ingest: ingestGuard(who.findCaller, takeBudget),
      admin: adminGuard(options.adminToken, clock),
    },
    clock,
    log,
    whyUnavailable,
  });
  installRequestLog(http);
  metrics.install(http);
  if (options.processMetrics) metrics.processMetrics();
  let isDraining = false;
  installHealth(http, { ping: () => db.ping(), clock, isDraining: () => isDraining });
  installDocs(http, baseUrl);
  if (servesApi) {
    for (const feature of features) feature.install?.(http);
    installConsole(http);
  }

  const start = (chore: Chore) => startChore(chore, (error) => complainOf(log, chore, error));
  const chores = features.flatMap((feature) => feature.chores ?? []);
  const running = chores.filter((chore) => chore.everywhere).map(start);
  return {
    http,
    drain: () => {
      isDraining = true;
    },
    wake,
    startWork: () => {
      const onError = (error: Error) => log.warn({ err: error }, 'looking for work failed; it is tried again');
      for (const queue of queues)
        workers.set(queue.name, startWorker(queue, { clock, watch: overview.watch, onError }));
      running.push(...chores.filter((chore) => !chore.everywhere).map(start));
    },
    close: async () => {
      await http.close();
      await Promise.all([...workers.values(), ...running].map((loop) => loop.stop()));
      transport.close();
      for (const feature of features)
        await feature.close?.().catch((error: Error) => log.warn({ err: error }, 'closing'));
    },
  };
}

/** Where readers, writers and backups went first, nothing is wrong. */
function complainOf(log: FastifyBaseLogger, { name: chore }: Chore, error: Error): void {
  if (isLockTimeout(error)) log.info({ chore }, 'a chore found its tables in use; it runs again');
  else log.warn({ chore, err: error }, 'a chore failed; it runs again');
}
