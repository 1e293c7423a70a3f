// Assembles the server and the work from what features bring. Knows none of them by name.

import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { isLockTimeout, whyUnavailable } from './db/connect.js';
import type { Database } from './db/database.js';
import type { Hearing } from './db/news.js';
import type { TopicUseCheck } from './features/consent/index.js';
import type { Eraser, Exporter } from './features/contacts/index.js';
import type { DynamicListKeeper, DynamicListUseCheck, OwnerCheck } from './features/dynamic-lists/index.js';
import type { TestSendNote } from './features/email-versions/index.js';
import type { UseCheck } from './features/emails/index.js';
import type { FileUseCheck } from './features/files/index.js';
import type { Subject } from './features/filter-language/index.js';
import type { FormUseCheck } from './features/forms/index.js';
import type { ListUseCheck } from './features/lists/index.js';
import type { Applier, Appliers, LongApplier } from './features/transactions/index.js';
import { installDocs } from './http/docs.js';
import type { Caller, Endpoint } from './http/endpoint.js';
import {
  apiGuard,
  type Guard,
  ingestGuard,
  mcpGuard,
  mcpMetadataPath,
  pageKeyGuard,
  resourceMetadataPath,
} from './http/guard.js';
import { installHealth } from './http/health.js';
import type { Metrics } from './http/metrics.js';
import type { Served } from './http/paths.js';
import type { TakeBudget } from './http/rate-limit.js';
import { installRequestLog } from './http/request-log.js';
import { installRequestTrace } from './http/request-trace.js';
import { createServer } from './http/server.js';
import type { Clock } from './lib/clock.js';
import { isTracing } from './lib/tracing.js';
import { type Chore, startChore } from './work/chores.js';
import type { Loop } from './work/loop.js';
import type { Queue, Watch } from './work/queue.js';
import { startWorker } from './work/worker.js';

/** What a feature brings: its manifest. */
export interface Feature {
  endpoints?: readonly Endpoint[];
  /** Routes outside the contract, and what installs them. */
  serves?: readonly Served[];
  install?(http: FastifyInstance): void;
  queues?: readonly Queue[];
  chores?: readonly Chore[];
  /** What it registers with features below it. */
  appliers?: readonly Applier[];
  longAppliers?: readonly LongApplier[];
  erasers?: readonly Eraser[];
  /** What it keeps about a person, to be shown to them. A feature that erases must also export. */
  exporters?: readonly Exporter[];
  emailUses?: readonly UseCheck[];
  fileUses?: readonly FileUseCheck[];
  /** Is told of test sends. */
  testSends?: readonly TestSendNote[];
  listUses?: readonly ListUseCheck[];
  topicUses?: readonly TopicUseCheck[];
  /** What keeps a topic from asking by mail. */
  topicAskings?: readonly TopicUseCheck[];
  formUses?: readonly FormUseCheck[];
  dynamicListUses?: readonly DynamicListUseCheck[];
  dynamicListKeepers?: readonly DynamicListKeeper[];
  /** What a dynamic list can be made for: a journey. */
  listOwners?: readonly OwnerCheck[];
  /** Kinds of conditions in filters. */
  subjects?: readonly Subject[];
  hears?: readonly Hearing[];
  close?(): Promise<void>;
}

/** What features above register with features below: handed out empty, and filled before the service runs. */
export interface Registries {
  appliers: Appliers;
  erasers: Eraser[];
  exporters: Exporter[];
  emailUses: UseCheck[];
  fileUses: FileUseCheck[];
  testSends: TestSendNote[];
  listUses: ListUseCheck[];
  topicUses: TopicUseCheck[];
  topicAskings: TopicUseCheck[];
  formUses: FormUseCheck[];
  dynamicListUses: DynamicListUseCheck[];
  dynamicListKeepers: DynamicListKeeper[];
  listOwners: OwnerCheck[];
  subjects: Subject[];
  queues: Queue[];
}

export function register(features: readonly Feature[], registries: Registries, db: Database): void {
  for (const feature of features) {
    for (const applier of feature.appliers ?? []) registries.appliers.onApply(applier);
    for (const applier of feature.longAppliers ?? []) registries.appliers.onApplyInSteps(applier);
    for (const hear of feature.hears ?? []) hear(db.identity);
    registries.erasers.push(...(feature.erasers ?? []));
    registries.exporters.push(...(feature.exporters ?? []));
    registries.emailUses.push(...(feature.emailUses ?? []));
    registries.fileUses.push(...(feature.fileUses ?? []));
    registries.testSends.push(...(feature.testSends ?? []));
    registries.listUses.push(...(feature.listUses ?? []));
    registries.topicUses.push(...(feature.topicUses ?? []));
    registries.topicAskings.push(...(feature.topicAskings ?? []));
    registries.formUses.push(...(feature.formUses ?? []));
    registries.dynamicListUses.push(...(feature.dynamicListUses ?? []));
    registries.dynamicListKeepers.push(...(feature.dynamicListKeepers ?? []));
    registries.listOwners.push(...(feature.listOwners ?? []));
    registries.subjects.push(...(feature.subjects ?? []));
    registries.queues.push(...(feature.queues ?? []));
  }
}

interface ServerParts {
  db: Database;
  clock: Clock;
  log: FastifyBaseLogger;
  metrics: Metrics;
  baseUrl: () => string;
  adminGuard: Guard;
  /** False for a process that only works: it answers health and metrics, not the API. */
  serveApi: boolean;
  trustedProxies: readonly string[];
  takeBudget: TakeBudget;
  findCaller(token: string): Caller | undefined | Promise<Caller | undefined>;
  isDraining(): boolean;
}

export function buildServer(features: readonly Feature[], parts: ServerParts): FastifyInstance {
  const { db, clock, log, metrics, takeBudget, findCaller, serveApi } = parts;
  const http = createServer({
    endpoints: serveApi ? features.flatMap(({ endpoints = [] }) => endpoints) : [],
    others: serveApi ? features.flatMap(({ serves = [] }) => serves) : [],
    guards: {
      api: apiGuard(findCaller, takeBudget, () => `${parts.baseUrl()}${resourceMetadataPath}`),
      ingest: ingestGuard(findCaller, takeBudget),
      mcp: mcpGuard(findCaller, takeBudget, () => `${parts.baseUrl()}${mcpMetadataPath}`),
      admin: parts.adminGuard,
    },
    pageKeyGuard: pageKeyGuard(findCaller, takeBudget),
    // Not compared with the Host header: a page that points its name at us chooses both.
    isForeignOrigin: (origin) => origin !== new URL(parts.baseUrl()).origin,
    trustedProxies: parts.trustedProxies,
    clock,
    log,
    whyUnavailable,
  });
  installRequestLog(http);
  if (isTracing()) installRequestTrace(http);
  metrics.install(http);
  installHealth(http, { ping: () => db.ping(), clock, isDraining: parts.isDraining });
  installDocs(http, parts.baseUrl);
  if (serveApi) {
    for (const feature of features) feature.install?.(http);
  }
  return http;
}

/** Workers by the name of their queue, and chores. */
export class Work {
  private readonly workers = new Map<string, Loop>();
  private readonly chores: Loop[] = [];

  constructor(private readonly log: FastifyBaseLogger) {}

  start(queues: readonly Queue[], clock: Clock, watch: Watch): void {
    const onError = (err: Error) => this.log.warn({ err }, 'looking for work failed; it is tried again');
    for (const queue of queues) this.workers.set(queue.name, startWorker(queue, { clock, watch, onError }));
  }

  startChores(chores: readonly Chore[]): void {
    this.chores.push(...chores.map((chore) => startChore(chore, (error) => this.complain(chore.name, error))));
  }

  wake(queue: string): void {
    this.workers.get(queue)?.wake();
  }

  /** Waits for turns and steps in progress. */
  async stop(): Promise<void> {
    await Promise.all([...this.workers.values(), ...this.chores].map((loop) => loop.stop()));
  }

  /** If readers, writers and backups went first, nothing is wrong. */
  private complain(chore: string, err: Error): void {
    if (isLockTimeout(err)) this.log.info({ chore }, 'a chore found its tables in use; it runs again');
    else this.log.warn({ chore, err }, 'a chore failed; it runs again');
  }
}
