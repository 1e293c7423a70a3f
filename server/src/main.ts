// Starts the service: configuration, database, migrations, app; and stops it at a signal.
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Logger, pino } from 'pino';
import type { App, AppOptions } from './app.js';
import { banner } from './banner.js';
import { type Config, readConfig } from './config.js';
import type { Connection } from './db/connect.js';
import { type Database, openDatabase } from './db/database.js';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './db/embedded/index.js';
import { migrate } from './db/migrate.js';
import { checkNamedStatements } from './db/named-statements.js';
import { listen, notifier } from './db/notify.js';
import type { ReplicaOptions } from './db/slow-reads.js';
import { waitForDatabase } from './db/wait.js';
import type { Demo } from './demo/seed.js';
import { checkDataDir, checkPort, explain, portError } from './explain-start.js';
import type { Inbound } from './features/messages/inbound/listener.js';
import { memoryBudget } from './http/rate-limit.js';
import type { SharedBudget } from './http/rate-limit-redis.js';
import { systemClock } from './lib/clock.js';
import { errorFacts } from './lib/error-facts.js';
import { randomToken } from './lib/random.js';
import { keepSecret } from './lib/secret-file.js';
import { openSecretBox, secretKeyFile } from './lib/secret-key.js';
import { traceWith } from './lib/tracing.js';
import type { Locate } from './mail/smtp.js';
import type { Transport } from './mail/transport.js';
import { readableLog } from './readable-log.js';
import { stopPatience, stopService } from './stop-service.js';

interface Service {
  stop(): Promise<void>;
}

/** Apart from the start, so that a build can compile it: see scripts/launch.js. */
export function loadApp() {
  return import('./app.js');
}

/** OpenTelemetry is loaded only if its variables ask for traces. */
async function start(config: Config, log: Logger): Promise<Service> {
  if (!config.tracing) return startTraced(config, log);
  const { startTracing } = await import('./open-telemetry.js');
  const { tracer, stop } = startTracing();
  traceWith(tracer);
  // A collector that does not answer must not hold up the end.
  const flush = () => Promise.race([stop().catch(() => undefined), sleep(2000, undefined, { ref: false })]);
  const service = await startTraced(config, log);
  return { stop: () => service.stop().finally(flush) };
}

async function startTraced(config: Config, log: Logger): Promise<Service> {
  await checkPort(config.host, config.port);
  if (hearsBounces(config)) await checkPort(config.host, config.inboundSmtpPort ?? 0, 'INBOUND_SMTP_PORT');
  await checkDataDir(config.dataDir, config.databaseUrl === undefined);
  // The app's modules are evaluated while the database is being waited for.
  let loading: ReturnType<typeof loadApp> | undefined;
  const meanwhile = () => {
    loading ??= loadApp();
    loading.catch(() => undefined);
    return loading;
  };
  if (config.databaseUrl) meanwhile();
  const embedded = config.databaseUrl
    ? undefined
    : await startEmbeddedPostgres({ dataDir: config.dataDir, log, pathVariable: config.path, meanwhile });
  const connection: Connection = embedded?.connection ?? { connectionString: config.databaseUrl as string };
  let db: Database | undefined;
  try {
    if (!embedded) {
      await waitForDatabase(connection, 30_000);
      await checkNamedStatements(connection);
    }
    const direct = config.databaseDirectUrl ? { connectionString: config.databaseDirectUrl } : connection;
    const applied = await migrate(direct, { say: (doing) => log.info({ doing }, 'migrating') });
    if (applied.length > 0) log.info({ applied }, 'migrated');
    db = openDatabase(connection, { replica: replicaOf(config) });
    return await serve(config, log, db, embedded, direct, (await meanwhile()).buildApp);
  } catch (error) {
    await db?.close();
    await embedded?.stop();
    throw error;
  }
}

function replicaOf({ databaseReplicaUrl, replicaLagMs }: Config): ReplicaOptions | undefined {
  if (!databaseReplicaUrl) return undefined;
  return { connection: { connectionString: databaseReplicaUrl, isReplica: true }, mostLag: replicaLagMs };
}

async function serve(
  config: Config,
  log: Logger,
  db: Database,
  embedded: EmbeddedPostgres | undefined,
  direct: Connection,
  buildApp: (options: AppOptions) => App,
): Promise<Service> {
  const adminTokenFile = join(config.dataDir, 'admin-token');
  const adminToken = config.adminToken ?? (await keepSecret(adminTokenFile, () => randomToken('rpt_adm_')));
  const box = await openSecretBox(config, secretKeyFile(config.dataDir));
  const budget = config.redisUrl ? await sharedBudget(config.redisUrl, log) : undefined;
  let baseUrl = config.baseUrl ?? '';
  const app = buildApp({
    db,
    adminToken,
    baseUrl: () => baseUrl,
    log,
    box,
    dnsServers: config.dnsServers,
    mailHost: config.mailHost,
    spfInclude: config.spfInclude,
    trackingDomains: config.trackingDomains,
    accountMailFrom: config.accountMailFrom,
    processMetrics: true,
    serveApi: config.role !== 'worker',
    transactionRetentionDays: config.transactionRetentionDays,
    eventRetentionDays: config.eventRetentionDays,
    rollupLimit: config.rollupLimit,
    forms: config.forms,
    trustedProxies: config.trustedProxies,
    outside: config.outside,
    emailHistoryLimit: config.emailHistoryLimit,
    outboxRetentionDays: config.outboxRetentionDays,
    versionTextRetentionDays: config.versionTextRetentionDays,
    activityRetentionDays: config.activityRetentionDays,
    ingestLogRetentionDays: config.ingestLogRetentionDays,
    webhooks: { retentionDays: config.webhookRetentionDays, allowPrivate: config.webhookAllowPrivate },
    // The embedded database has one process; any other may have many.
    ...(embedded ? {} : { wakeOthers: notifier(db.background) }),
    ...(config.smtpUrl ? { transport: await mailServer(config, config.smtpUrl, config.sendConnections) } : {}),
    connectTransport: (smtpUrl, connections, locate) => mailServer(config, smtpUrl, connections, locate),
    messages: {
      lane: { rate: config.sendRate ?? null, connections: config.sendConnections, perDomain: config.sendPerDomain },
      health: config.pause,
      attemptSeconds: config.sendTimeoutSeconds,
      retryHours: config.sendRetryHours,
      requireVerified: config.requireVerifiedDomains,
    },
    ...(budget ? { takeBudget: budget.take } : {}),
  });
  if (config.role !== 'api') app.startWork();
  const listener = embedded || config.role === 'api' ? undefined : listen(direct, app.wake);
  let inbound: Inbound | undefined;
  let demo: Demo | undefined;
  let listening = '';
  try {
    inbound = hearsBounces(config) ? await hearBounces(config, app, log) : undefined;
    listening = await app.http.listen({ host: config.host, port: config.port });
    baseUrl ||= listening;
    // The demo needs the whole service: the API that takes its writes, the worker that applies them, and an address for links.
    if (config.demo && config.role === 'all') demo = await seedQuietly(config, db, app, log, baseUrl);
  } catch (error) {
    // Workers would look for work in a database that is about to be closed, and log errors.
    await listener?.close();
    await inbound?.close();
    await app.close();
    budget?.close();
    throw error;
  }
  const notes = embedded?.relocated
    ? [`The database lives in ${embedded.location}: its user may not enter ${config.dataDir}.`]
    : [];
  process.stdout.write(
    banner({
      // A worker answers where it listens, whatever the address of the API is.
      baseUrl: config.role === 'worker' ? listening : baseUrl,
      role: config.role,
      storage: embedded ? `embedded PostgreSQL in ${shown(embedded.location)}` : 'PostgreSQL at DATABASE_URL',
      demo,
      firstAdmin: config.role === 'worker' || demo ? undefined : await firstAdmin(config, db, baseUrl, adminTokenFile),
      adminTokenFile: config.adminToken ? undefined : shown(adminTokenFile),
      bounces: inbound && `${config.host.includes(':') ? `[${config.host}]` : config.host}:${inbound.port}`,
      notes,
    }),
  );
  return {
    stop: async () => {
      await listener?.close();
      await stopService(app, db, budget, embedded, inbound);
    },
  };
}

/** What to paste when no one can sign in yet. */
async function firstAdmin({ adminToken }: Config, db: Database, baseUrl: string, tokenFile: string) {
  const { FirstAdmin } = await import('./features/accounts/index.js');
  return new FirstAdmin(db, () => baseUrl).lines(adminToken ? undefined : `$(cat ${shown(tokenFile)})`);
}

// Thirty request lines before the banner would only puzzle.
async function seedQuietly(
  { dataDir, smtpUrl }: Config,
  db: Database,
  app: App,
  log: Logger,
  baseUrl: string,
): Promise<Demo> {
  const { seedDemo } = await import('./demo/seed.js');
  const { level } = log;
  if (log.isLevelEnabled('info')) log.level = 'warn';
  try {
    return await seedDemo({ db, http: app.http, mail: app.mail, dataDir, baseUrl, mayMail: smtpUrl === undefined });
  } finally {
    log.level = level;
  }
}

/** The Redis client is loaded only if it is used: 0.17 s on a busy machine. */
async function sharedBudget(redisUrl: string, log: Logger): Promise<SharedBudget> {
  const { redisBudget } = await import('./http/rate-limit-redis.js');
  return redisBudget(redisUrl, memoryBudget(systemClock), log);
}

/** The same for the SMTP client. */
async function mailServer(
  { sendTimeoutSeconds, mailHost }: Config,
  url: string,
  maxConnections: number,
  locate?: Locate,
): Promise<Transport> {
  const { smtpTransport } = await import('./mail/smtp.js');
  const message = sendTimeoutSeconds * 1000;
  // No part may take longer than the whole.
  const patience = {
    message,
    connect: Math.min(10_000, message),
    greeting: Math.min(10_000, message),
    silence: Math.min(30_000, message),
  };
  return smtpTransport(url, { maxConnections, patience, locate, name: mailHost });
}

/** Where the API is served; a worker only works. */
function hearsBounces({ inboundSmtpPort, role }: Config): boolean {
  return inboundSmtpPort !== undefined && role !== 'worker';
}

async function hearBounces(
  { host, inboundSmtpPort: port = 0, mailHost }: Config,
  app: App,
  log: Logger,
): Promise<Inbound> {
  const { startInbound } = await import('./features/messages/inbound/listener.js');
  const name = mailHost === undefined ? {} : { name: mailHost };
  return startInbound(app.mail, { port, host, log, ...name }).catch((error) => {
    throw portError(error, host, port, 'INBOUND_SMTP_PORT');
  });
}

function shown(path: string): string {
  const near = relative(process.cwd(), path);
  return near.startsWith('..') ? path : near;
}

function openLog({ logLevel: level, logFormat }: Config): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers: { err: errorFacts } };
  const isReadable = logFormat === 'text' || (logFormat === undefined && process.stdout.isTTY);
  if (isReadable)
    return pino(
      options,
      readableLog((text) => process.stdout.write(text)),
    );
  // Whole lines are gathered for a moment: one write for many requests. Flushed at exit by pino itself.
  return pino(options, pino.destination({ fd: 1, sync: false, minLength: 4096, periodicFlush: 200 }));
}

/** Resolves when the service is ready, or has said why it is not. */
export async function main(): Promise<void> {
  try {
    const config = readConfig(process.env);
    const log = openLog(config);
    // A signal that comes while the service is still starting waits until there is something to stop.
    const starting = start(config, log);
    let stopping: Promise<void> | undefined;
    const onSignal = (signal: string) => {
      if (stopping) return;
      log.info({ signal }, 'stopping');
      setTimeout(() => fail(new Error('It did not end in time.')), stopPatience.all).unref();
      stopping = starting
        .then((service) => service.stop())
        .then(
          () => log.flush(() => process.exit(0)),
          (error) => fail(error),
        );
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
    await starting;
  } catch (error) {
    fail(error);
  }
}

function fail(error: unknown): void {
  process.stderr.write(`Rapport did not start or stop as it should. ${explain(error)}\n`, () => process.exit(1));
}
